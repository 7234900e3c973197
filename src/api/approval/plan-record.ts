// Which plans are an agent's work, and which of them a person has approved. Kept in the user's own folder and by content: no repository
// can say it of itself, and a copy is known too.
//
//   plans/<digest>.json       a text: who wrote it, what it orders, who approved it
//   plans/at/<place>/<digest> an empty file: that text was recorded under this name of a plan
//
// Every file is written as a whole and says the same whoever writes it, so that processes need not take turns.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { type AgentWork, type KnownWork, type PlanStanding, planStanding } from '../../core/commands/plan-approval.ts';
import type { PlanPath } from '../../core/model/ids.ts';
import { writeWhole } from '../../files/write-whole.ts';
import { withOutage } from '../files/with-outage.ts';
import { folderTrouble, makeUserFolder } from '../trust/user-folder.ts';

interface Recorded {
  readonly v: 1;
  readonly agent: string;
  /** When it was written, in ms since 1970. */
  readonly at: number;
  readonly orders: readonly string[];
  readonly approved: { readonly by: string; readonly at: number } | null;
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
  readonly approved: Recorded['approved'];
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
    const same = this.#read(digestOf(text));
    const here = this.#digestsAt(path).flatMap((digest) => this.#read(digest) ?? []);
    if (same === null && here.length === 0) return unknown;
    const known: KnownWork = { same: same && workOf(same), here: here.map(workOf) };
    const standing = planStanding(same ? [] : await orders(), known);
    if (standing === 'own') return unknown;
    return {
      standing,
      agent: (same ?? here.find(({ approved }) => approved === null))!.agent,
      approved: same?.approved ?? null,
    };
  }

  /** Durable when it returns. A text that was approved before stays so. */
  record({ path, text }: RecordedText, about: Pick<Recorded, 'agent' | 'orders'>): void {
    const digest = digestOf(text);
    const before = this.#read(digest);
    this.#write(digest, { v: 1, at: Date.now(), ...about, approved: before?.approved ?? null });
    this.#mark(path, digest);
  }

  approve({ path, text }: RecordedText, about: Pick<Recorded, 'agent' | 'orders'>, by: string): void {
    const digest = digestOf(text);
    const at = Date.now();
    this.#write(digest, { v: 1, at: this.#read(digest)?.at ?? at, ...about, approved: { by, at } });
    this.#mark(path, digest);
  }

  /** Signalbox itself wrote another text with the same meaning: it is as much an agent's work as the one before. */
  rewritten({ path, text }: RecordedText, after: string): void {
    if (folderTrouble(this.#userFolder) !== null) return;
    const before = this.#read(digestOf(text));
    if (before === null) return;
    this.#write(digestOf(after), before);
    this.#mark(path, digestOf(after));
  }

  #write(digest: string, recorded: Recorded): void {
    const folder = makeUserFolder(this.#userFolder, 'plans');
    withOutage(`${folder} could not be written`, () =>
      writeWhole(join(folder, `${digest}.json`), `${JSON.stringify(recorded)}\n`, { mode: 0o600 }),
    );
  }

  #mark(path: PlanPath, digest: string): void {
    const folder = makeUserFolder(this.#userFolder, 'plans', 'at', this.#placeOf(path));
    withOutage(`${folder} could not be written`, () => writeWhole(join(folder, digest), '', { mode: 0o600 }));
  }

  /** Null: nothing is recorded. One that cannot be read was never approved. */
  #read(digest: string): Recorded | null {
    try {
      return JSON.parse(readFileSync(join(this.#userFolder!, 'plans', `${digest}.json`), 'utf8')) as Recorded;
    } catch (error) {
      if (error instanceof SyntaxError) return { v: 1, agent: 'an agent', at: 0, orders: [], approved: null };
      return absent(error, null);
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

  #placeOf(path: PlanPath): string {
    return digestOf(`${realpathSync.native(this.#root)}\0${path}`);
  }
}

const unknown: PlanOrigin = { standing: 'own', agent: null, approved: null };

const workOf = ({ orders, approved }: Recorded): AgentWork => ({ orders, isApproved: approved !== null });

export const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');

function absent<T>(error: unknown, nothing: T): T {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT' || code === 'ENOTDIR') return nothing;
  throw error;
}
