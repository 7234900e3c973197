// What could stand where the cursor is: answers the completion scripts of the shells through a hidden command. Whatever goes
// wrong, it says nothing: a person who presses a key did not ask for an error.
import type { Signalbox } from '../../api/signalbox.ts';
import { isPlanName } from '../../core/model/plan-name.ts';
import { describeDecision } from '../text/describe/describe-decision.ts';
import { flagsOf } from './command-flags.ts';
import type { CommandSpec, FlagSpec } from './command-spec.ts';
import { findCommand, findFamily, firstWords, lastWord } from './find-command.ts';

export interface Candidate {
  readonly text: string;
  readonly about: string;
}

/** On the workspace of the plan, if one is named. */
type Open = (plan?: string) => Promise<Signalbox>;

/** Files are completed by the shell itself, which knows best how to quote them. */
export type Completion =
  | { readonly kind: 'words'; readonly words: readonly Candidate[] }
  | { readonly kind: 'plan-files' | 'any-files' };

/** The first line that a script gets when it is to complete files. */
export const filesLines = { 'plan-files': ':plan-files', 'any-files': ':any-files' } as const;

/** `typed` are the words behind `signalbox` up to the cursor; the last one is being typed and may be empty. */
export async function complete(typed: readonly string[], open: Open, table: readonly CommandSpec[]): Promise<string> {
  try {
    const completion = await completionOf(typed, open, table);
    if (completion.kind !== 'words') return `${filesLines[completion.kind]}\n`;
    const start = typed.at(-1) ?? '';
    return completion.words
      .filter(({ text }) => text.startsWith(start) && isPlain(text))
      .map(({ text, about }) => `${text}\t${about.replace(/[\p{Cc}\p{Cs}\u2028-\u202e\u2066-\u2069]/gu, ' ')}\n`)
      .join('');
  } catch {
    return '';
  }
}

/** A shell splits at spaces and obeys control characters: what has them is typed by hand. */
const isPlain = (text: string) => !/[\s\p{Cc}\p{Cs}\p{Cf}]/u.test(text);

async function completionOf(typed: readonly string[], open: Open, table: readonly CommandSpec[]): Promise<Completion> {
  const current = typed.at(-1) ?? '';
  const before = typed.slice(0, -1);
  if (before.length === 0) return words(firstWords(table).map(candidate));
  const found = findCommand(before, table);
  if (!found) return words(before.length === 1 ? (findFamily(before[0], table)?.members ?? []).map(candidate) : []);
  const { spec, rest } = found;
  const flags = readFlags(spec);
  // Some shells split `--plan=x` into three words.
  const last = rest.at(-1) === '=' ? rest.at(-2) : rest.at(-1);
  const asked = flags.find((flag) => flag.value !== null && last !== undefined && flag.names.includes(last));
  if (asked) return valuesFor(asked, current, () => idsOf(planIn(spec, rest), open));
  if (current.startsWith('-') && !rest.includes('--')) {
    return words(flags.map(({ names, about }) => ({ text: names.at(-1)!, about })));
  }
  const members = rest.length === 0 ? (findFamily(spec.name, table)?.members ?? []) : [];
  return members.length > 0 ? words(members.map(candidate)) : argumentOf(spec, rest, open);
}

const candidate = ({ name, summary }: { name: string; summary: string }): Candidate => ({
  text: lastWord(name),
  about: summary,
});
const words = (list: readonly Candidate[]): Completion => ({ kind: 'words', words: list });
const planFiles: Completion = { kind: 'plan-files' };
const anyFiles: Completion = { kind: 'any-files' };
const nothing = words([]);

interface Flag {
  readonly names: readonly string[];
  readonly about: string;
  /** What its value is called in the table, such as `IDS`; null: it takes none. */
  readonly value: string | null;
  readonly choices: readonly string[];
}

function readFlags(spec: CommandSpec): Flag[] {
  const all: FlagSpec[] = [...flagsOf(spec), { flags: '-h, --help', about: 'how it is called, with examples' }];
  return all.map(({ flags, about, choices }) => ({
    names: flags.split(/[ ,]+/).filter((word) => word.startsWith('-')),
    about,
    value: /<([A-Z]+)>/.exec(flags)?.[1] ?? null,
    choices: choices ?? [],
  }));
}

async function valuesFor(
  { names, choices, value }: Flag,
  current: string,
  ids: () => Promise<readonly Candidate[]>,
): Promise<Completion> {
  if (names.includes('--plan')) return planFiles;
  if (value === 'ID') return words(await ids());
  if (value === 'IDS') {
    // Those before the last comma stay, and none is offered twice.
    const start = current.slice(0, current.lastIndexOf(',') + 1);
    const given = start.split(',');
    const left = (await ids()).filter(({ text }) => !given.includes(text));
    return words(left.map(({ text, about }) => ({ text: start + text, about })));
  }
  if (['--out', '--to', '--file'].some((name) => names.includes(name))) return anyFiles;
  return words(choices.map((text) => ({ text, about: '' })));
}

async function idsOf(plan: string | undefined, open: Open): Promise<Candidate[]> {
  const { tasks } = await (await open(plan)).status(plan);
  return tasks.map(({ id, title, status }) => ({ text: id, about: `${status.replace('_', ' ')}: ${title}` }));
}

/** What the next argument is, by its name in the table. */
async function argumentOf(spec: CommandSpec, rest: readonly string[], open: Open): Promise<Completion> {
  const given = argumentsIn(spec, rest);
  const args = spec.args ?? [];
  if (spec.plan === 'among') return given.some(isPlanName) || given.length >= args.length ? nothing : planFiles;
  const arg = args[Math.min(given.length, args.length - 1)];
  if (!arg || (given.length >= args.length && !arg[0].includes('...'))) return nothing;
  switch (/[A-Z]+/.exec(arg[0])?.[0]) {
    case 'PLAN':
      return planFiles;
    case 'FILE':
      return anyFiles;
    case 'ID':
      return words((await idsOf(planIn(spec, rest), open)).filter(({ text }) => !given.includes(text)));
    case 'DECISION': {
      const plan = planIn(spec, rest);
      const { decisions } = await (await (await open(plan)).decisions()).list(plan);
      return words(decisions.map((decision) => ({ text: decision.id, about: describeDecision(decision) })));
    }
    case 'CHOICE': {
      const plan = planIn(spec, rest);
      const { options } = await (await (await open(plan)).decisions()).show(plan, given[0]!);
      return words(options.map(({ choice, does }) => ({ text: choice, about: does })));
    }
    case 'SAVED': {
      const { saved } = await (await (await open()).results()).savedList();
      return words(saved.map(({ id, task, reason }) => ({ text: id, about: `${task}: ${reason}` })));
    }
    case 'CODE': {
      const { explainableCodes } = await import('../../api/look/explain-code.ts');
      return words(explainableCodes().map((text) => ({ text, about: '' })));
    }
    case 'TOOL': {
      const { importTools } = await import('../../api/files/import-file.ts');
      return words(importTools.map((text) => ({ text, about: '' })));
    }
    case 'SHELL':
      return words(['bash', 'zsh', 'fish'].map((text) => ({ text, about: '' })));
    default:
      return nothing;
  }
}

function argumentsIn(spec: CommandSpec, rest: readonly string[]): string[] {
  const withValue = new Set(readFlags(spec).flatMap(({ names, value }) => (value === null ? [] : names)));
  const found: string[] = [];
  for (let i = 0; i < rest.length; i++) {
    const word = rest[i]!;
    if (withValue.has(word)) i += rest[i + 1] === '=' ? 2 : 1;
    else if (!word.startsWith('-')) found.push(word);
  }
  return found;
}

function planIn(spec: CommandSpec, rest: readonly string[]): string | undefined {
  const at = rest.findIndex((word) => word === '--plan' || word === '-p');
  if (at < 0) {
    const joined = rest.find((word) => word.startsWith('--plan='))?.slice('--plan='.length);
    const typed = argumentsIn(spec, rest);
    if (spec.plan === 'among') return joined ?? typed.find(isPlanName);
    return joined ?? (spec.plan === 'argument' ? typed[0] : undefined);
  }
  return rest[at + 1] === '=' ? rest[at + 2] : rest[at + 1];
}
