// Who calls: a person, or something inside an attempt. Attempts carry a token in their environment, and everything that they start inherits
// it. What the token stands for is in the log.
import { type Asker, askerOf, person } from '../../core/commands/who-may.ts';
import { planPath, taskId } from '../../core/model/ids.ts';
import type { Store } from '../../store/store.ts';
import { isSameFolder } from '../files/real-path.ts';

export interface Calling {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly root: string;
  /** Null where there is no state. */
  readonly existing: () => Promise<Store | null>;
}

/** Set for checks that a command runs itself, outside of a run (run-check.ts, run-checks.ts). They are no attempts of any log. */
const ofCheck = /^(?:check|verify)-/;

export async function whoAsks({ env, root, existing }: Calling): Promise<Asker> {
  const { SIGNALBOX_TOKEN: marker = '', SIGNALBOX_ATTEMPT: attempt, SIGNALBOX_AGENT: agent } = env;
  const { SIGNALBOX_WORKSPACE: workspace, SIGNALBOX_PLAN: plan, SIGNALBOX_TASK: task } = env;
  // A reviewer has no attempt, and some programs keep the token from the servers that they start.
  if (marker === '' && attempt === undefined && task === undefined) return person;
  // A program that an attempt tests in a workspace of its own is not about this one.
  if (workspace !== undefined && !isSameFolder(workspace, root)) return person;
  const name = attempt ?? agent ?? 'this attempt';
  if (ofCheck.test(marker) && plan !== undefined && task !== undefined) {
    return { who: 'command', name: `the check of ${task}`, plan: planPath(plan), task: taskId(task) };
  }
  const store = await existing();
  const [, of, token] = /^(.*):(\d+)$/.exec(marker) ?? [];
  if (!store || of !== store.workspace) return { who: 'unknown', name };
  return store.read((state) =>
    Number(token) > state.token ? { who: 'unknown', name } : askerOf(state, Number(token), name),
  );
}
