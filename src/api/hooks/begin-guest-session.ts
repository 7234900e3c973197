// The begin of a guest's session. The shell of the session gets the guest's name, so that commands typed there are the same guest; and the
// agent is told of the plan that is set or being run here.
import { appendFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { listWords } from '../../core/model/count-words.ts';
import { isIsolated } from '../../core/state/questions/isolated.ts';
import type { Store } from '../../store/store.ts';
import { MissingFile, readStart } from '../files/read-text.ts';
import { plainLine } from '../look/plain-text.ts';
import { currentPlan } from '../look/which-plan.ts';
import type { GuestAnswer, GuestParts } from './answer-guest.ts';

/** @param name null: the environment names the guest, and the shell has it from there. */
export async function beginSession(name: string | null, parts: GuestParts): Promise<GuestAnswer> {
  const untold = name === null ? null : tellShell(name, parts.env.CLAUDE_ENV_FILE);
  const { store, broken } = await parts.sound();
  const context = await contextOf(store, parts);
  const trouble = [untold, broken?.message].filter((one) => one != null).join('; ');
  return { kind: 'pass', ...(context === null ? {} : { context }), ...(trouble === '' ? {} : { trouble }) };
}

/** What it sources; a session that goes on later begins again, with the same file. @returns what went wrong, if anything */
function tellShell(name: string, file: string | undefined): string | null {
  if (!file) return null;
  try {
    const before = textOf(file);
    const line = `export SIGNALBOX_AGENT=${name}`;
    const told = before.split('\n').findLast((one) => one.startsWith('export SIGNALBOX_AGENT='));
    if (told !== line) appendFileSync(file, `${before === '' || before.endsWith('\n') ? '' : '\n'}${line}\n`);
    return null;
  } catch (error) {
    return `commands in the shell of this session are not known as ${name}: ${(error as Error).message}`;
  }
}

/** More than programs put there. */
const mostOfFile = 1_000_000;

function textOf(file: string): string {
  try {
    return readStart(file, file, mostOfFile);
  } catch (error) {
    if (error instanceof MissingFile) return '';
    throw error;
  }
}

const longestName = 200;
const mostNamed = 3;

/** Two lines; null: there is no plan to tell of. */
async function contextOf(store: Store | null, { workspace, world }: GuestParts): Promise<string | null> {
  const running = store
    ? await store.read(({ plans }) =>
        [...plans.values()].filter(world.isRunning).map((plan) => ({ path: plan.path, isApart: isIsolated(plan) })),
      )
    : [];
  if (running.length > 0) {
    const names = listWords(
      running.map(({ path }) => named(path)),
      mostNamed,
    );
    const where = running.every(({ isApart }) => isApart)
      ? 'Its agents work in trees of their own, not in this checkout.'
      : 'Its agents edit this checkout too, so each of your edits takes the lock on its file first.';
    return `Signalbox is running ${names} here. ${where}\nTo look: signalbox status, signalbox lock list. Do not start it a second time.`;
  }
  const current = currentPlan(workspace);
  if (current === null || !existsSync(join(workspace.root, current))) return null;
  return `Signalbox has a plan here, ${named(current)}; it is not being run.\nTo look: signalbox status, signalbox next.`;
}

/** The repository may have named it. */
const named = (path: string): string => plainLine(path).slice(0, longestName);
