// Git in one repository, for code that cannot go on without an answer: trouble is thrown as the end of a sentence.
import { type GitCall, type GitPlace, git } from './git.ts';
import { GitTrouble } from './git-trouble.ts';

export { GitTrouble };

export type GitDefaults = Pick<GitCall, 'variables' | 'settings'>;

const limitMs = 120_000;
const mostBytes = 64 * 1024 * 1024;

export class GitCaller {
  readonly place: GitPlace;
  readonly #defaults: GitDefaults;

  constructor(place: GitPlace, defaults: GitDefaults = {}) {
    this.place = place;
    this.#defaults = defaults;
  }

  /** @param cwd another folder of the same repository */
  async run(call: GitCall, cwd = this.place.root): Promise<{ bytes: Buffer; cut: boolean; code: number }> {
    const { variables, settings = [] } = this.#defaults;
    const answer = await git(
      { ...this.place, root: cwd },
      {
        limitMs,
        mostBytes,
        ...call,
        settings: [...settings, ...(call.settings ?? [])],
        variables: { ...variables, ...call.variables },
      },
    );
    if (!answer.ok) throw new GitTrouble(answer.why);
    return answer;
  }

  /** What it prints, without the last line end. */
  async line(call: GitCall, cwd?: string): Promise<string> {
    return (await this.run(call, cwd)).bytes.toString('utf8').trim();
  }

  /** Null terminated names. */
  async names(call: GitCall, cwd?: string): Promise<Buffer[]> {
    const { bytes, cut } = await this.run(call, cwd);
    if (cut) throw new GitTrouble('there are too many files');
    return splitNames(bytes);
  }
}

export function splitNames(bytes: Buffer): Buffer[] {
  const names: Buffer[] = [];
  for (let at = 0, end = bytes.indexOf(0); end !== -1; at = end + 1, end = bytes.indexOf(0, at))
    names.push(bytes.subarray(at, end));
  return names;
}
