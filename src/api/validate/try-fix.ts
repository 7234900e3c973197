// A file that cannot be put right is no reason to keep quiet about the others: it stays wrong, and says why.
import { codeOf } from '../../git/file-outage.ts';

export interface Fix {
  readonly fixed: boolean;
  /** What to do about it instead; null: as usual. */
  readonly help: string | null;
}

export const notTried: Fix = { fixed: false, help: null };

/** @param work answers false: it could not be done, for a reason that the next try may not meet. */
export async function tryFix(work: () => unknown): Promise<Fix> {
  try {
    return { fixed: (await work()) !== false, help: null };
  } catch (error) {
    if (codeOf(error) === '') throw error;
    const help = `it could not be put right (${(error as Error).message}): make room, or the folder writable, and try again`;
    return { fixed: false, help };
  }
}
