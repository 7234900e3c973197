// The journal of a run that has ended: the log has all that was in it, unless an attempt of the run goes on in the hands of another.
import { rmSync } from 'node:fs';
import { journalFile } from '../agents/process/attempt-files.ts';
import type { RunId } from '../core/model/ids.ts';
import type { Store } from '../store/store.ts';

export async function forgetJournal(journalsFolder: string, run: RunId, store: Pick<Store, 'read'>): Promise<void> {
  const isNeeded = await store.read(({ plans, live }) => {
    const goesOn = [...plans.values()].some((plan) => plan.run?.run === run && !plan.run.ended);
    return goesOn || [...live.values()].some((attempt) => attempt.run === run);
  });
  if (!isNeeded) rmSync(journalFile(journalsFolder, run), { force: true });
}
