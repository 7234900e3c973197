// `signalbox.yaml` → `Settings`, as strict as plans. Keys that are known but have no capability yet are kept by name, so
// that a run can refuse them instead of passing over them.
import type { TaskKeys } from '../core/model/plan.ts';
import { type AgentSettings, emptySettings, type KindInSettings, type Settings } from '../core/model/settings.ts';
import { type Diagnostic, quoted } from './diagnostics/diagnostic.ts';
import { nearest } from './diagnostics/nearest.ts';
import type { Report } from './diagnostics/report.ts';
import type { Key } from './keys/keys.ts';
import { prepareText } from './read/prepare-text.ts';
import { readAgents } from './read/settings/read-agents.ts';
import { readDeadlock } from './read/settings/read-deadlock.ts';
import { readLivelock } from './read/settings/read-livelock.ts';
import { isBelow, readOutputs } from './read/settings/read-outputs.ts';
import { readPrices } from './read/settings/read-prices.ts';
import { parseYaml } from './read/yaml/parse-yaml.ts';
import { knownKey, readKeyValue } from './read/yaml/read-keys.ts';
import { readWorktree } from './read/yaml/read-worktree.ts';
import { describeNode, entriesOf, type YamlEntry, type YamlNode } from './read/yaml/yaml-node.ts';

export interface SettingsReading {
  /** Null if and only if there is an error among the diagnostics. */
  readonly settings: Settings | null;
  readonly diagnostics: readonly Diagnostic[];
}

export interface SettingsText {
  readonly text: string;
  readonly file: string;
  /** What `kind:` of an agent can name. */
  readonly kinds: readonly KindInSettings[];
}

export function readSettings(input: SettingsText): SettingsReading {
  const { text, report } = prepareText(input.text, input.file);
  const settings = report.failed ? emptySettings : read(text, input.kinds, report);
  return { settings: report.failed ? null : settings, diagnostics: report.diagnostics() };
}

function read(text: string, kinds: readonly KindInSettings[], report: Report): Settings {
  const node = parseYaml(text, { line: 1, column: 1 }, report);
  if (node === null) return emptySettings;
  if (node.kind !== 'map') {
    const message = `settings are a map of keys, not ${describeNode(node)}`;
    const help = 'a key ends with a colon and a space: `max-parallel: 4`';
    report.error({ code: 'bad-yaml', message, line: node.line, column: node.column, help });
    return emptySettings;
  }
  const found: Found = { kinds, agents: Object.create(null), defaults: {}, own: {}, unsupported: [] };
  for (const entry of entriesOf(node, report)) {
    const key = knownKey(entry.key, 'settings', report);
    if (key) readEntry(key, entry, found, report);
  }
  const { agents, defaults, own, unsupported } = found;
  return { ...own, agents, defaults: defaults as TaskKeys, unsupported };
}

interface Found {
  readonly kinds: readonly KindInSettings[];
  agents: Record<string, AgentSettings>;
  readonly defaults: Record<string, unknown>;
  readonly own: Record<string, unknown>;
  readonly unsupported: { key: string; line: number }[];
}

function readEntry(key: Key, { key: word, value: node }: YamlEntry, found: Found, report: Report): void {
  if (key.name === 'agents') {
    found.agents = readAgents(node, found.kinds, report);
    return;
  }
  if (key.name === 'deadlock') {
    found.own.deadlock = readDeadlock(node, report);
    return;
  }
  if (key.name === 'livelock') {
    found.own.livelock = readLivelock(node, report);
    return;
  }
  if (key.name === 'prices') {
    found.own.prices = readPrices(node, report);
    return;
  }
  if (key.name === 'outputs') {
    found.own.outputs = readOutputs(node, report);
    return;
  }
  if (key.name === 'worktree') {
    found.own.worktree = readWorktree(node, 'settings', report);
    return;
  }
  // As a list it is a default for tasks.
  if (key.name === 'locks' && node.kind === 'text' && /^[\w-]+$/.test(node.text)) {
    found.own.locks = readLockMode(node.text, node, report);
    return;
  }
  const value = key.value.kind === 'structure' ? true : readKeyValue(key, node, report);
  if (value === undefined) return;
  if (key.name === 'prompt-template') {
    found.own.promptTemplate = readTemplatePlace(value as string, node, report);
    return;
  }
  if (limits.has(key.name)) found.own[key.field] = value;
  else if (hasPlace(key)) found.defaults[key.field] = value;
  else if (harmless.get(key.name)?.(value) !== true) found.unsupported.push({ key: word.text, line: word.line });
}

/** What is in the file is looked at by those who need it: reading settings reads no other file. */
function readTemplatePlace(file: string, { line, column }: YamlNode, report: Report): Settings['promptTemplate'] {
  if (isBelow(file)) return { file, line, column };
  const message = `\`prompt-template\` takes a file inside the workspace, not ${quoted(file)}`;
  const help =
    'name a file below the folder of signalbox.yaml, such as `docs/prompt.md`, and not in .git or .signalbox';
  report.error({ code: 'bad-value', message, line, column, length: Math.max(1, file.length), help });
  return undefined;
}

export const lockModes = ['enforced', 'advisory'] as const;

/** A word is no name of a lock here: a typing mistake would be one for every task, and leave the mode as it is. */
function readLockMode(word: string, { line, column }: YamlNode, report: Report): Settings['locks'] {
  const mode = lockModes.find((known) => known === word);
  if (mode !== undefined) return mode;
  const meant = nearest(word, lockModes);
  const list = 'a lock that every task takes stands in a list: `locks: [db:test]`';
  report.error({
    code: 'bad-value',
    message: `\`locks\` takes ${lockModes.join(', ')} or a list, not ${quoted(word)}`,
    ...{ line, column, length: word.length },
    help: meant ? `did you mean ${quoted(meant)}? Else: ${list}` : list,
  });
  return undefined;
}

const limits = new Set([
  'max-parallel',
  'pools',
  'max-attempts',
  'budget-usd',
  'review-agent',
  'escalation-agent',
  'finish',
  'baseline',
  'isolation',
  'land',
  'refresh-after',
  'quota',
  'audit',
]);

/** A default prompt has no place among the keys of a task. */
const hasPlace = (key: Key): boolean => key.where.includes('task') && key.name !== 'prompt';

/** What changes nothing, because this version does it that way. */
const harmless: ReadonlyMap<string, (value: unknown) => boolean> = new Map<string, (value: unknown) => boolean>([
  ['store', (value) => value === 'sqlite'],
  ['workspace', () => true],
]);
