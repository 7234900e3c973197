// An id that the loaded plan does not have may be one that somebody has written into the file since: then that is the answer.
import { UnknownTask } from '../find-task.ts';
import { readPlanFile } from '../plan-file.ts';
import { Refusal } from '../refusal.ts';
import type { HandParts } from './hand-desk.ts';

export async function mindingEdits<T>({ workspace, store, path }: HandParts, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof UnknownTask)) throw error;
    const loaded = await store.read((state) => state.plans.get(path)!.revision);
    if (readPlanFile(workspace, path).revision === loaded) throw error;
    throw new Refusal(2, `${error.message} as it was loaded, and the file was edited since`, {
      instead: 'see what is new with: signalbox sync-check; take it with: signalbox reload',
    });
  }
}
