// A reviewer's verdict on an attempt, and the fingerprint that shows whether two rejections are the same.
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

const extensions =
  'c|cc|cjs|cpp|cs|css|go|h|hpp|html?|java|js|json|jsx|kt|less|lock|md|mjs|php|py|rb|rs|s?css|sh|sql|svg|swift|toml|tsx?|txt|vue|xml|ya?ml';
/** Files, with their folders; and folders in folders. Neither `user.name` nor `GET /users` nor `and/or`. */
const pathLike = new RegExp(
  `(?:[\\w.@-]*[/\\\\])*[\\w@-][\\w.@-]*\\.(?:${extensions})\\b|\\.{1,2}[/\\\\][\\w./\\\\@-]+|[\\w.@-]+(?:[/\\\\][\\w.@-]+){2,}`,
  'g',
);

/** More is not needed to tell two rejections apart. */
const longest = 2_000;

/**
 * Independent of the order of the issues, and of the lines, paths and numbers in them: moving the same mistake around is no progress.
 */
export function fingerprintOf(issues: readonly Issue[]): string {
  const words = issues.map(({ message }) =>
    message
      .slice(0, longest)
      .toLowerCase()
      .replace(pathLike, ' ')
      .replace(/\b(?:lines?|cols?|columns?|rows?|at|in|on|near)\b/g, ' ')
      .replace(/\d+/g, ' ')
      .replace(/[^\p{L}]+/gu, ' ')
      .trim(),
  );
  return shortHash([...new Set(words)].sort().join('\n'));
}
