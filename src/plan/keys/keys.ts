// The one table of keys: what they are called, where they may stand, what they take. Readers look keys up here and nowhere
// else, and the published JSON Schema is made from it.
import { editDistance, nearest } from '../diagnostics/nearest.ts';
import { camelCase, kebabCase, needAliases, needKey } from './need-words.ts';

/** `task`: under a task; `phase`: under a heading; `plan`: front matter and top level; `settings`: signalbox.yaml. */
export type Scope = 'task' | 'phase' | 'plan' | 'settings';

export type ValueKind =
  | { readonly kind: 'text' }
  /** Text that nested lines and blocks add to. */
  | { readonly kind: 'prose' }
  /** One or several texts, each on its own: commands, criteria. */
  | { readonly kind: 'statements' }
  /** Names or patterns, separated by commas or as a list. */
  | { readonly kind: 'names' }
  | { readonly kind: 'references' }
  | { readonly kind: 'choice'; readonly values: readonly string[] }
  | { readonly kind: 'count' }
  | { readonly kind: 'integer' }
  | { readonly kind: 'amount' }
  | { readonly kind: 'duration' }
  | { readonly kind: 'flag' }
  /** Names with texts. */
  | { readonly kind: 'env' }
  /** Names with counts. */
  | { readonly kind: 'limits' }
  /** Structure that a reader knows itself: tasks, agents. */
  | { readonly kind: 'structure' };

export interface Key {
  readonly name: string;
  readonly where: readonly Scope[];
  readonly value: ValueKind;
  /** Its name in `TaskKeys`, `Phase` or `Plan`. */
  readonly field: string;
  /** Only where the format has no place of its own for it: in YAML. */
  readonly yamlOnly?: true;
  /** Other names that mean the same. */
  readonly aliases?: readonly string[];
}

const anywhere: readonly Scope[] = ['task', 'plan', 'settings'];
const choice = (...values: string[]): ValueKind => ({ kind: 'choice', values });
const key = <Name extends string>(name: Name, value: ValueKind, where = anywhere, field = camelCase(name)) => ({
  name,
  where,
  value,
  field,
});

const table = [
  key('agent', { kind: 'text' }),
  key('model', { kind: 'text' }),
  key('files', { kind: 'names' }),
  key('reads', { kind: 'names' }),
  key('locks', { kind: 'names' }),
  key('run', { kind: 'text' }),
  key('prompt', { kind: 'prose' }),
  key('check', { kind: 'statements' }, ['task', 'phase', 'plan', 'settings']),
  key('accept', { kind: 'statements' }),
  key('review', choice('agent', 'human', 'none')),
  key('retries', { kind: 'count' }),
  key('timeout', { kind: 'duration' }, anywhere, 'timeoutMs'),
  key('idle-timeout', { kind: 'duration' }, anywhere, 'idleTimeoutMs'),
  key('budget-usd', { kind: 'amount' }),
  key('on-failure', choice('ask', 'retry', 'skip', 'escalate', 'abort')),
  key('soft-failure', choice('proceed', 'ask')),
  key('produces', choice('files', 'text')),
  key('env', { kind: 'env' }),
  key('labels', { kind: 'names' }),
  key('uses', { kind: 'names' }),
  key('priority', { kind: 'integer' }),
  { ...key('needs', { kind: 'references' }, ['task']), aliases: needAliases },
  key('prefers', { kind: 'references' }, ['task']),
  key('batch', { kind: 'flag' }, ['phase']),
  key('max-parallel', { kind: 'count' }, ['plan', 'settings']),
  key('pools', { kind: 'limits' }, ['plan', 'settings']),
  key('order', choice('explicit', 'phases', 'spec-kit', 'sequential'), ['plan', 'settings']),
  key('finish', { kind: 'text' }, ['plan', 'settings']),
  key('baseline', { kind: 'flag' }, ['plan', 'settings']),
  key('max-attempts', { kind: 'count' }, ['plan', 'settings']),
  key('isolation', choice('worktree', 'shared'), ['plan', 'settings']),
  key('land', choice('none', 'merge'), ['plan', 'settings']),
  key('worktree', { kind: 'structure' }, ['plan', 'settings']),
  { ...key('title', { kind: 'text' }, ['task', 'plan']), yamlOnly: true },
  { ...key('subtasks', { kind: 'structure' }, ['task']), yamlOnly: true },
  { ...key('tasks', { kind: 'structure' }, ['plan']), yamlOnly: true },
  key('agents', { kind: 'structure' }, ['settings']),
  key('review-agent', { kind: 'text' }, ['settings']),
  key('escalation-agent', { kind: 'text' }, ['settings']),
  key('prompt-template', { kind: 'text' }, ['settings']),
  key('store', { kind: 'text' }, ['settings']),
  key('workspace', { kind: 'text' }, ['settings']),
  key('deadlock', { kind: 'structure' }, ['settings']),
  key('livelock', { kind: 'structure' }, ['settings']),
  key('refresh-after', { kind: 'count' }, ['settings']),
  key('outputs', { kind: 'structure' }, ['settings']),
  key('prices', { kind: 'structure' }, ['settings']),
  key('quota', choice('wait', 'stop'), ['settings']),
  key('audit', choice('report', 'fail'), ['settings']),
  key('notify', { kind: 'structure' }, ['settings']),
] as const;

export type KeyName = (typeof table)[number]['name'];
export const keys: readonly (Key & { readonly name: KeyName })[] = table;

const byName = new Map<string, Key>(keys.map((k) => [k.name, k]));
const namesOf = (scope: Scope) => keys.filter((k) => k.where.includes(scope)).map((k) => k.name);
const names: Readonly<Record<Scope, readonly string[]>> = {
  task: namesOf('task'),
  phase: namesOf('phase'),
  plan: namesOf('plan'),
  settings: namesOf('settings'),
};

/** The key of exactly this name, wherever it may stand; needs have several. */
export const findKey = (name: string): Key | undefined => byName.get(name) ?? byName.get(needKey(name) ?? '');

const places: Readonly<Record<Scope, string>> = {
  task: 'under a task',
  phase: 'under a heading, before its first task',
  plan: 'at the top of the plan (in markdown: its front matter)',
  settings: 'in signalbox.yaml',
};

/** Where a key can stand, in words. */
export const placesOf = (key: Key): string => `it stands ${key.where.map((scope) => places[scope]).join(', or ')}`;

export const keyNames = (scope: Scope): readonly string[] => names[scope];

/** What other tools call it; a key they know that would silently mean nothing here is the worst of mistakes. */
const elsewhere: ReadonlyMap<string, string> = new Map([
  ['cmd', 'run'],
  ['concurrency', 'max-parallel'],
]);

/** Only where every word before a colon is a key: in markdown these are the words of plain prose. */
const elsewhereInYaml: ReadonlyMap<string, string> = new Map([
  ...['command', 'script', 'shell', 'exec'].map((name): [string, string] => [name, 'run']),
  ...['description', 'details', 'instructions', 'body'].map((name): [string, string] => [name, 'prompt']),
  ...['children', 'steps'].map((name): [string, string] => [name, 'subtasks']),
  ...['jobs', 'parallel', 'parallelism', 'workers'].map((name): [string, string] => [name, 'max-parallel']),
  ['name', 'title'],
  ['tests', 'check'],
  ['acceptance-criteria', 'accept'],
]);

/** The key that is meant by a word that is none: another spelling, another tool's name for it, or a slip. */
export function meantKey(word: string, scope: Scope): string | undefined {
  const spelled = kebabCase(word);
  if (names[scope].includes(spelled)) return spelled;
  const ours = elsewhere.get(spelled) ?? elsewhereInYaml.get(spelled);
  if (ours !== undefined && names[scope].includes(ours)) return ours;
  const near = nearest(spelled, names[scope].includes('needs') ? [...names[scope], ...needAliases] : names[scope]);
  return near && findKey(near)!.name;
}

/** Stricter than `meantKey`: in markdown a word before a colon may be plain prose, so only a small slip counts. */
export function nearKey(word: string, scope: Scope): string | undefined {
  const place = `${scope} ${word}`;
  if (nearKeys.has(place)) return nearKeys.get(place);
  const found = findNear(kebabCase(word), scope);
  if (nearKeys.size >= 1_000) nearKeys.clear();
  nearKeys.set(place, found);
  return found;
}

/** The same few words stand before colons again and again. */
const nearKeys = new Map<string, string | undefined>();

function findNear(spelled: string, scope: Scope): string | undefined {
  const ours = elsewhere.get(spelled) ?? spelled;
  const candidates = names[scope].filter((name) => !findKey(name)!.yamlOnly);
  const exact = candidates.find((name) => name === ours);
  if (exact !== undefined) return exact;
  const letters = lettersOf(spelled);
  const isMeant = (name: string) => isNear(letters, lettersOf(name)) && isSlip(spelled, name);
  // `required:` is prose, `depend on:` hardly.
  const isNeed = candidates.includes('needs') && needAliases.some((name) => /^[db].{6}/.test(name) && isMeant(name));
  return candidates.find(isMeant) ?? (isNeed ? 'needs' : undefined);
}

/** A bit for each letter that is in the word. */
function lettersOf(word: string): number {
  let found = 0;
  for (let i = 0; i < word.length; i++) found |= 1 << (word.charCodeAt(i) & 31);
  return found;
}

/** Two slips change four letters at most. A million lines that are nearly keys would otherwise take minutes to compare. */
function isNear(a: number, b: number): boolean {
  let different = a ^ b;
  for (let n = 0; n < 4 && different !== 0; n++) different &= different - 1;
  return different === 0;
}

/** Short words have too many neighbours (`end:` is not `env:`), so those only count when letters changed places. */
function isSlip(word: string, name: string): boolean {
  if (name.length <= 3) return word.length === name.length && [...word].sort().join() === [...name].sort().join();
  return editDistance(word, name, 3) <= (name.length <= 6 ? 1 : 2);
}
