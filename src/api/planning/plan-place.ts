// Where a plan that an agent wrote is put: a new file, whole from its first moment on, and recorded as an agent's work before it has its
// name. Nothing of the person is replaced unless they said so.
import { accessSync, constants, existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { PlanPath } from '../../core/model/ids.ts';
import { writeWhole } from '../../files/disk/write-whole.ts';
import { PlanRecord } from '../approval/plan-record.ts';
import { targetOf } from '../files/real-path.ts';
import { replaceFile } from '../files/replace-file.ts';
import { writeMistake } from '../files/write-mistake.ts';
import { Refusal } from '../refusal.ts';
import { planPathOf, type Workspace } from '../workspace.ts';

export interface PlaceWish {
  /** As it was named, relative to the current folder; absent: one that is free. */
  readonly out?: string | undefined;
  readonly force?: boolean | undefined;
  /** The words of the person: a name is made of them where `plan.md` is taken. */
  readonly wish: string;
}

/** Who wrote the text, and what it orders. */
export interface Written {
  readonly agent: string;
  readonly orders: readonly string[];
}

export class PlanPlace {
  readonly #workspace: Workspace;
  readonly #isForced: boolean;
  /** The first choice. */
  readonly path: PlanPath;

  /** Refuses at once what could not be written at the end. */
  constructor(workspace: Workspace, cwd: string, { out, force = false, wish }: PlaceWish) {
    this.#workspace = workspace;
    this.#isForced = force;
    const named = (name: string) => planPathOf(workspace, cwd, name);
    if (out !== undefined && !/\.(?:md|markdown)$/i.test(out))
      throw new Refusal(2, `${out} is no markdown file by its name`, { instead: 'let --out end with .md' });
    if (out !== undefined && !force && isThere(workspace, named(out))) throw exists(out);
    this.path = named(out ?? freeName(wish, (name) => isThere(workspace, named(name))));
    const file = join(workspace.root, this.path);
    if (targetOf(file) !== null)
      throw new Refusal(2, `${this.path} is a link, and an agent's plan is not written through one`, {
        instead: 'name another file with --out',
      });
    refuseUnwritable(file, this.path);
  }

  /** @returns the name that it got: another one, if somebody took the first meanwhile */
  put(text: string, about: Written): PlanPath {
    const { path } = this;
    const file = join(this.#workspace.root, path);
    if (this.#isForced && existsSync(file)) {
      new PlanRecord(this.#workspace).record({ path, text }, about);
      replaceFile(file, text);
      return path;
    }
    for (const name of [path, ...freeBeside(path)]) if (this.#claim(name, text, about)) return name;
    throw exists(path);
  }

  /** One with mistakes, beside the place of the plan. It is held there, and under the name that it was meant for. */
  putDraft(text: string, about: Written): PlanPath {
    new PlanRecord(this.#workspace).record({ path: this.path, text }, about);
    const draft = withEnd(this.path, '.draft');
    for (const name of [draft, ...freeBeside(draft)]) if (this.#claim(name, text, about)) return name;
    throw exists(draft);
  }

  #claim(path: PlanPath, text: string, about: Written): boolean {
    const file = join(this.#workspace.root, path);
    if (existsSync(file)) return false;
    new PlanRecord(this.#workspace).record({ path, text }, about);
    try {
      writeWhole(file, text, { isNew: true });
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
      throw error;
    }
  }
}

/** A link that leads nowhere takes a name too. */
const isThere = ({ root }: Workspace, path: PlanPath): boolean =>
  existsSync(join(root, path)) || targetOf(join(root, path)) !== null;

/** `plan.md`, then the first words of the wish, then those with a number. */
function freeName(wish: string, isTaken: (name: string) => boolean): string {
  if (!isTaken('plan.md')) return 'plan.md';
  const words =
    wish
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? [];
  const slug = words.slice(0, 4).join('-').slice(0, 40).replace(/-$/, '');
  const stem = slug === '' || slug === 'plan' ? 'new-plan' : slug;
  let name = `${stem}.md`;
  for (let n = 2; isTaken(name); n++) name = `${stem}-${n}.md`;
  return name;
}

const mostTries = 100;

function* freeBeside(path: PlanPath): Generator<PlanPath> {
  for (let n = 2; n < mostTries; n++) yield withEnd(path, `-${n}`);
}

const withEnd = (path: PlanPath, more: string): PlanPath => path.replace(/(\.\w+)$/, `${more}$1`) as PlanPath;

function refuseUnwritable(file: string, path: PlanPath): void {
  try {
    accessSync(dirname(file), constants.W_OK);
  } catch (error) {
    const because = writeMistake(error) ?? (error as Error).message;
    throw new Refusal(2, `${path} cannot be written: ${because}`, { instead: 'name another file with --out' });
  }
}

const exists = (name: string): Refusal =>
  new Refusal(2, `${name} exists`, { instead: 'name another file with --out, or replace it with --force' });
