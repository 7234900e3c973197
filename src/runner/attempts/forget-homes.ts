// The homes of coding agents: conversations, copies of configuration, databases. A later attempt may go on with the conversation of an earlier one,
// so they stay until their task is completed or skipped. A task that is opened again after that begins a new conversation.
import { lstatSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { builtIn } from '../../agents/kind.ts';
import { agentHome, attemptsFolderOf } from '../../agents/process/attempt-files.ts';
import type { PlanPath } from '../../core/model/ids.ts';
import { namesIn } from '../../files/disk/names-in.ts';
import type { Store } from '../../store/store.ts';
import type { RunSite } from '../run-site.ts';

/** Of the tasks of a plan that nobody will go on with. What is left over costs only space. */
export async function forgetHomes(
  site: Pick<RunSite, 'attemptsFolder'>,
  store: Pick<Store, 'workspace' | 'read'>,
  path: PlanPath,
): Promise<void> {
  const folder = attemptsFolderOf(site, store);
  const homeOf = (kind: string, task: string) => agentHome(folder, { kind, plan: path, task });
  const homes = dirname(homeOf(builtIn[0]!, ''));
  // Looked up before the state is: what comes later is not in it.
  const there = new Set(namesIn(homes));
  // An agent may have put a link to elsewhere in its place.
  if (there.size === 0 || !lstatSync(homes).isDirectory()) return;
  const over = await store.read((state) =>
    state.plans.get(path)!.tasks.flatMap(({ status, live }, i) => {
      const isOver = (status === 'completed' || status === 'skipped') && live === null;
      return isOver ? state.plans.get(path)!.plan.tasks[i]!.id : [];
    }),
  );
  for (const kind of builtIn) {
    for (const task of over) {
      const name = basename(homeOf(kind, task));
      if (there.has(name)) rmSync(join(homes, name), { recursive: true, force: true });
    }
  }
}
