// Tries to put one thing right. If that fails, the finding stays and says why, and the others are still looked at.
import { codeOf } from '../../files/disk/file-outage.ts';

export interface Fix {
  readonly fixed: boolean;
  /** What to do about it instead; null: as usual. */
  readonly help: string | null;
}

export const notTried: Fix = { fixed: false, help: null };

/** @param work answers false when it could not be done now, although a later try may succeed. */
export async function tryFix(work: () => unknown): Promise<Fix> {
  try {
    return { fixed: (await work()) !== false, help: null };
  } catch (error) {
    if (codeOf(error) === '') throw error;
    const help = `it could not be put right (${(error as Error).message}): make room, or the folder writable, and try again`;
    return { fixed: false, help };
  }
}
