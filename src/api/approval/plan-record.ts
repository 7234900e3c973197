// Which plans are an agent's work, and which of them a person has approved. Kept in the user's own folder and by content: no repository
// can say it of itself, and a copy is known too, in any workspace. An approval holds in one workspace: the same command does something
// else elsewhere.
//
//   plans/<digest>.json             a text: who wrote it, and what it orders
//   plans/at/<place>/<digest>       an empty file: that text was recorded under this name of a plan
//   plans/approved/<text>.json      who approved the text in this workspace
//
// Every file is written as a whole and says the same whoever writes it, so that processes need not take turns.
import { readdirSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { type AgentWork, type PlanStanding, planStanding } from '../../core/commands/plan-approval.ts';
import type { PlanPath } from '../../core/model/ids.ts';
import { writeWhole } from '../../files/disk/write-whole.ts';
import { realPath } from '../files/real-path.ts';
import { withOutage } from '../files/with-outage.ts';
import { folderTrouble, makeUserFolder } from '../trust/user-folder.ts';

interface Recorded {
  readonly v: 1;
  readonly agent: string;
  readonly orders: readonly string[];
}

/** When: in ms since 1970. */
interface Approved {
  readonly by: string;
  readonly at: number;
}

/** A text under the name of a plan. */
export interface RecordedText {
  readonly path: PlanPath;
  readonly text: string;
}

export interface PlanOrigin {
  readonly standing: PlanStanding;
  /** Who wrote it; null: nobody knows of an agent. */
  readonly agent: string | null;
  readonly approved: Approved | null;
}

interface Work extends AgentWork {
  readonly agent: string;
  readonly approved: Approved | null;
}

export class PlanRecord {
  readonly #root: string;
  readonly #userFolder: string | null;

  constructor({ root, userFolder }: { readonly root: string; readonly userFolder: string | null }) {
    this.#root = root;
    this.#userFolder = userFolder;
  }

  /** @param orders asked for only if anything is recorded: most plans are nobody's but their author's */
  async origin({ path, text }: RecordedText, orders: () => Promise<readonly string[]>): Promise<PlanOrigin> {
    // Where it cannot be believed nothing runs either: what starts something needs the folder too.
    if (folderTrouble(this.#userFolder) !== null) return unknown;
    const same = this.#work(digestOf(text));
    const here = this.#digestsAt(path).flatMap((digest) => this.#work(digest) ?? []);
    if (same === null && here.length === 0) return unknown;
    const standing = planStanding(same ? [] : await orders(), { same, here });
    if (standing === 'own') return unknown;
    const { agent, approved } = same ?? here.find(({ isApproved }) => !isApproved)!;
    return { standing, agent, approved };
  }

  /** Durable when it returns. A text that was approved before stays so. */
  record({ path, text }: RecordedText, about: Omit<Recorded, 'v'>): void {
    const digest = digestOf(text);
    this.#write({ v: 1, ...about }, `${digest}.json`);
    this.#write('', 'at', this.#placeOf(path), digest);
  }

  approve(text: RecordedText, about: Omit<Recorded, 'v'>, by: string): void {
    this.record(text, about);
    this.#write({ by, at: Date.now() }, 'approved', this.#approvalOf(digestOf(text.text)));
  }

  /** Signalbox itself wrote another text with the same meaning: it is as much an agent's work as the one before. */
  rewritten({ path, text }: RecordedText, after: string): void {
    if (folderTrouble(this.#userFolder) !== null) return;
    const before = this.#work(digestOf(text));
    if (before === null) return;
    const { agent, orders, approved } = before;
    if (approved) this.approve({ path, text: after }, { agent, orders }, approved.by);
    else this.record({ path, text: after }, { agent, orders });
  }

  /** @param names below `plans`, the file last */
  #write(content: object | '', ...names: readonly string[]): void {
    const folder = makeUserFolder(this.#userFolder, 'plans', ...names.slice(0, -1));
    const text = content === '' ? '' : `${JSON.stringify(content)}\n`;
    withOutage(`${folder} could not be written`, () => writeWhole(join(folder, names.at(-1)!), text, { mode: 0o600 }));
  }

  /** Null: nothing is recorded. What cannot be read is an agent's, and was never approved. */
  #work(digest: string): Work | null {
    const found = this.#read<Recorded>(`${digest}.json`);
    if (found === null) return null;
    const { agent, orders } = found === 'broken' ? { agent: 'an agent', orders: [] } : found;
    const said = this.#read<Approved>('approved', this.#approvalOf(digest));
    const approved = said === 'broken' ? null : said;
    return { agent, orders, approved, isApproved: approved !== null };
  }

  #read<T>(...names: readonly string[]): T | 'broken' | null {
    try {
      return JSON.parse(readFileSync(join(this.#userFolder!, 'plans', ...names), 'utf8')) as T;
    } catch (error) {
      return error instanceof SyntaxError ? 'broken' : absent(error, null);
    }
  }

  #digestsAt(path: PlanPath): string[] {
    try {
      const names = readdirSync(join(this.#userFolder!, 'plans', 'at', this.#placeOf(path)));
      return names.filter((name) => /^[0-9a-f]{64}$/.test(name));
    } catch (error) {
      return absent(error, []);
    }
  }

  /** Through a link it is the same plan. */
  #placeOf(path: PlanPath): string {
    return digestOf(realPath(join(this.#root, path)));
  }

  #approvalOf(digest: string): string {
    return `${digestOf(`${realpathSync.native(this.#root)}\0${digest}`)}.json`;
  }
}

const unknown: PlanOrigin = { standing: 'own', agent: null, approved: null };

/** Loaded here: most commands come past this file and never ask for a digest. */
export const digestOf = (text: string): string =>
  process.getBuiltinModule('node:crypto').createHash('sha256').update(text).digest('hex');

function absent<T>(error: unknown, nothing: T): T {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT' || code === 'ENOTDIR') return nothing;
  throw error;
}
