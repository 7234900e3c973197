// What a reviewer says about an attempt, and how two rejections are told to be the same.
import { shortHash } from './short-hash.ts';

export type Severity = 'low' | 'medium' | 'high';

export interface Issue {
  readonly message: string;
  readonly file?: string;
  /** The task that is to blame, if it is another one. */
  readonly task?: string;
}

export type ReviewVerdict =
  | { readonly verdict: 'approved' }
  | { readonly verdict: 'rejected'; readonly severity: Severity; readonly issues: readonly Issue[] };

/**
 * The same whatever the order of the issues, and whatever lines, paths and numbers they name: an agent that moves the same mistake
 * around makes no progress.
 */
export function fingerprintOf(issues: readonly Issue[]): string {
  const words = issues.map(({ message }) =>
    message
      .toLowerCase()
      .replace(/(?:[\w.@-]*[/\\])+[\w.@-]+|\b[\w-]+\.[a-z]{1,4}\b/g, ' ')
      .replace(/\b(?:lines?|cols?|columns?|rows?|at|in|on|near)\b/g, ' ')
      .replace(/\d+/g, ' ')
      .replace(/[^\p{L}]+/gu, ' ')
      .trim(),
  );
  return shortHash([...new Set(words)].sort().join('\n'));
}
