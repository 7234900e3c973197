// YAML plans. In their native form: keys at the top level, then `tasks: {id: {title, needs, …, subtasks: {…}}}`.
import { quoted } from '../../diagnostics/diagnostic.ts';
import type { Report } from '../../diagnostics/report.ts';
import { keyNames } from '../../keys/keys.ts';
import { mostTasks } from '../../limits.ts';
import type { RawPlan, RawTask, Reference } from '../raw-plan.ts';
import { parseYaml } from './parse-yaml.ts';
import { knownKey, readKeyValue } from './read-keys.ts';
import { isSectionsForm, readSections } from './read-sections.ts';
import { readTop } from './read-top.ts';
import { describeNode, entriesOf, isEmpty, type YamlEntry, type YamlMap, type YamlNode } from './yaml-node.ts';

/** Null when there is nothing to go on with; what is wrong is in the report. */
export function readYaml(text: string, report: Report): RawPlan | null {
  const start = { line: 1, column: 1 };
  const node = parseYaml(text, start, report);
  if (node === null) return report.failed ? null : { ...nothing, phases: [], tasks: [], top: { defaults: {} } };
  if (node.kind !== 'map') {
    const message = `a plan is a map with \`tasks:\`, not ${describeNode(node)}`;
    const help = 'it starts with keys at the margin, each with a colon and a space: `tasks:`';
    report.error({ code: 'bad-yaml', message, line: node.line, column: node.column, help });
    return null;
  }
  const entries = entriesOf(node, report);
  if (isSectionsForm(entries)) return readSections(entries, report);
  const tasks: RawTask[] = [];
  const top = readTop(entries, report, (_, entry) => readTasks(entry, tasks, report));
  return { ...nothing, title: top.title ?? null, phases: [{ name: '' }], tasks, top };
}

const nothing = { title: null, specKit: null, kiro: null, saysPhase: null } as const;

interface Level {
  readonly map: YamlMap;
  readonly parent: number;
}

/** Depth first without recursion: subtasks must come directly behind their group. */
function readTasks(tasksEntry: YamlEntry, tasks: RawTask[], report: Report): void {
  const first = asTaskMap(tasksEntry.key.text, tasksEntry.value, report);
  if (!first) return;
  const levels: { entries: readonly YamlEntry[]; next: number; parent: number }[] = [];
  const enter = ({ map, parent }: Level) => levels.push({ entries: entriesOf(map, report), next: 0, parent });
  enter({ map: first, parent: -1 });
  while (levels.length > 0 && tasks.length <= mostTasks) {
    const level = levels[levels.length - 1]!;
    const entry = level.entries[level.next++];
    if (entry === undefined) levels.pop();
    else {
      const subtasks = readTask(entry, level.parent, tasks, report);
      if (subtasks) enter({ map: subtasks, parent: tasks.length - 1 });
    }
  }
}

/** Adds the task; returns its subtasks. */
function readTask({ key: id, value }: YamlEntry, parent: number, tasks: RawTask[], report: Report): YamlMap | null {
  let title = id.text;
  let subtasks: YamlMap | null = null;
  const draft: Record<string, unknown> = {};
  let references: Reference[] | null = null;
  let usesAt: RawTask['usesAt'] = null;
  let prompt: string | null = null;
  const entries = value.kind === 'map' ? entriesOf(value, report) : [];
  if (value.kind !== 'map' && !isEmpty(value)) notATask(id.text, value, report);
  for (const entry of entries) {
    const key = knownKey(entry.key, 'task', report);
    if (!key) continue;
    if (key.name === 'subtasks') subtasks = asTaskMap('subtasks', entry.value, report);
    const read = readKeyValue(key, entry.value, report);
    if (read === undefined) continue;
    if (key.name === 'uses') usesAt = { line: entry.value.line, column: entry.value.column };
    if (key.name === 'title') title = read as string;
    else if (key.name === 'prompt') prompt = read as string;
    else if (key.value.kind === 'references')
      references = references ? [...references, ...(read as Reference[])] : (read as Reference[]);
    else draft[key.field] = read;
  }
  tasks.push({
    id: id.text,
    title,
    line: id.line,
    column: id.column,
    phase: 0,
    parent,
    box: 'open',
    optional: false,
    parallel: false,
    keys: Object.keys(draft).length > 0 ? draft : null,
    references,
    prompt,
    usesAt,
  });
  return subtasks;
}

function asTaskMap(name: string, node: YamlNode, report: Report): YamlMap | null {
  if (node.kind === 'map') return node;
  if (isEmpty(node)) return null;
  report.error({
    code: 'bad-value',
    message: `${quoted(name)} takes a map from id to task, not ${describeNode(node)}`,
    line: node.line,
    column: node.column,
    help: node.kind === 'list' ? 'write the id of each task as its key: `api: { title: … }`' : undefined,
  });
  return null;
}

function notATask(id: string, node: YamlNode, report: Report): void {
  report.error({
    code: 'bad-value',
    message: `task ${quoted(id)} takes a map of keys, not ${describeNode(node)}`,
    line: node.line,
    column: node.column,
    length: node.kind === 'text' ? Math.max(1, node.text.length) : 1,
    help: keyNames('task').includes(id)
      ? `${quoted(id)} is a key: indent it further than the task it belongs to`
      : `known keys: ${keyNames('task').join(', ')}`,
  });
}
