// A file that is too large to be a plan. Said by those who hold the text, and by those who asked for its size and never read it.

import { largestFile } from '../limits.ts';
import type { Diagnostic } from './diagnostic.ts';
import type { Mistake } from './report.ts';

/** @param size in bytes; null where only is known that it is too much. */
export function tooLarge(size: number | null): Mistake {
  const limit = `${largestFile / 1_000_000} MB`;
  const has = size === null ? `more than ${limit}` : megabytes(size);
  return {
    code: 'file-too-large',
    message: `this file has ${has}, and a plan ${limit} at most; nothing of it was read`,
    line: 1,
    column: 1,
    help: 'split the plan into several files, and run one after the other; if it is a log or data, name the plan instead',
  };
}

export function sizeDiagnostic(file: string, size: number | null): Diagnostic {
  return { severity: 'error', file, length: 1, excerpt: '', ...tooLarge(size) } as Diagnostic;
}

/** Never rounded to the limit itself. */
const megabytes = (size: number): string => `${(Math.ceil(size / 100_000) / 10).toFixed(1)} MB`;
