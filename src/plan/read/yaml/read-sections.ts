// YAML plans made of sections: `meta`, then `sections[].tasks[]`. A section is a phase. The tool that writes them keeps its
// books in the same file; those keys are known and mean nothing here.
import { quoted } from '../../diagnostics/diagnostic.ts';
import { nearest } from '../../diagnostics/nearest.ts';
import type { Place, Report } from '../../diagnostics/report.ts';
import { findKey, keyNames } from '../../keys/keys.ts';
import { needAliases, needKey } from '../../keys/need-words.ts';
import { startingStatus, startingStatuses } from '../../keys/starting-status.ts';
import type { Draft, RawPhase, RawPlan, RawTask, Reference, TopKeys } from '../raw-plan.ts';
import { readKeyValue } from './read-keys.ts';
import { readTop } from './read-top.ts';
import {
  describeNode,
  entriesOf,
  isEmpty,
  type YamlEntry,
  type YamlMap,
  type YamlNode,
  type YamlText,
} from './yaml-node.ts';

export const metaKeys = ['name', 'title', 'description', 'status', 'max_attempts_default', 'validation'];
export const metaRecords = [
  'created',
  'updated',
  'author',
  'version',
  'source_item',
  'work_item',
  'plan_doc',
  'design_doc',
];
export const sectionKeys = ['id', 'name', 'title', 'description', 'status', 'tasks', 'check', 'batch'];
export const sectionTaskKeys = ['id', 'name', 'title', 'description', 'status'];
export const taskRecords = [
  'attempts',
  'last_attempt',
  'started_at',
  'completed_at',
  'failed_at',
  'model_used',
  'result_message',
  'validation_findings',
  'validation_attempts',
  'parallel_group',
];

export const isSectionsForm = (entries: readonly YamlEntry[]): boolean =>
  entries.some(({ key }) => key.text === 'sections' || key.text === 'meta') &&
  !entries.some(({ key }) => key.text === 'tasks');

export function readSections(entries: readonly YamlEntry[], report: Report): RawPlan {
  const own = (name: string) => entries.find(({ key }) => key.text === name)?.value;
  const rest = entries.filter(({ key }) => key.text !== 'meta' && key.text !== 'sections');
  const reader = new SectionsReader(report);
  const top = readTop(rest, report, () => undefined);
  const meta = reader.meta(own('meta'));
  reader.sections(own('sections'));
  const { retries } = meta;
  const defaults = retries === undefined ? top.defaults : { retries, ...top.defaults };
  const { phases, tasks, saysPhase } = reader;
  const title = top.title ?? meta.title ?? null;
  return { title, phases, tasks, top: { ...top, defaults } satisfies TopKeys, specKit: null, kiro: null, saysPhase };
}

class SectionsReader {
  readonly phases: RawPhase[] = [];
  readonly tasks: RawTask[] = [];
  saysPhase: Place | null = null;
  private readonly report: Report;

  constructor(report: Report) {
    this.report = report;
  }

  /** `status` and the books of the tool are informational. */
  meta(node: YamlNode | undefined): { title?: string | undefined; retries?: number } {
    const found: { title?: string | undefined; retries?: number } = {};
    for (const { key, value } of this.entries('meta', node)) {
      if (key.text === 'name' || key.text === 'title') found.title ??= this.text(value);
      else if (key.text === 'max_attempts_default') found.retries = this.retries(value);
      else if (key.text === 'validation') this.notCarriedOver(key);
      else this.known(key, allMetaKeys);
    }
    return found;
  }

  sections(node: YamlNode | undefined): void {
    for (const item of this.items('sections', node)) {
      const phase: Draft<RawPhase> = { name: '' };
      this.phases.push(phase);
      const entries = this.entries('a section', item);
      const text = (name: string) => entries.find(({ key }) => key.text === name)?.value;
      const name = text('name') ?? text('title') ?? text('id');
      if (name) phase.name = this.text(name) ?? '';
      if (name && /\bphase\b/i.test(phase.name)) this.saysPhase ??= { line: name.line, column: name.column };
      for (const { key, value } of entries) {
        if (!this.known(key, sectionKeys)) continue;
        if (key.text === 'tasks') for (const task of this.items('tasks', value)) this.task(task);
        else if (key.text === 'check') phase.check = this.value('check', value) as string[];
        else if (key.text === 'batch') phase.batch = this.value('batch', value) as boolean;
      }
    }
  }

  private task(node: YamlNode): void {
    const entries = this.entries('a task', node);
    if (node.kind !== 'map' && !isEmpty(node)) return;
    const id = entries.find(({ key }) => key.text === 'id')?.value;
    const keys: Record<string, unknown> = {};
    const references: Reference[] = [];
    const prose: string[] = [];
    let title: string | undefined;
    let box: RawTask['box'] = 'open';
    let usesAt: Place | null = null;
    for (const { key, value } of entries) {
      const name = key.text === 'name' ? 'title' : key.text;
      if (name === 'id') continue;
      if (name === 'title') title ??= this.text(value);
      else if (name === 'status') box = this.status(value);
      else if (needKey(name)) references.push(...this.references(needKey(name)!, value));
      else if (name === 'description' || name === 'prompt') prose.push(...this.prose(value));
      else if (!taskRecords.includes(name) && this.known(key, allTaskKeys)) {
        const read = this.value(name, value);
        if (read !== undefined) keys[findKey(name)!.field] = read;
        if (name === 'uses') usesAt = { line: value.line, column: value.column };
      }
    }
    if (id && id.kind !== 'text') this.wrong(`\`id\` takes a text, not ${describeNode(id)}`, id);
    const { line, column } = id ?? entries[0]?.key ?? node;
    this.tasks.push({
      id: id?.kind === 'text' && id.text !== '' ? id.text : null,
      title: title ?? (id?.kind === 'text' ? id.text : ''),
      line,
      column,
      phase: this.phases.length - 1,
      parent: -1,
      box,
      optional: false,
      parallel: false,
      keys: Object.keys(keys).length > 0 ? keys : null,
      references: references.length > 0 ? references : null,
      prompt: prose.length > 0 ? prose.join('\n\n') : null,
      usesAt,
    });
  }

  private status(node: YamlNode): RawTask['box'] {
    const word = node.kind === 'text' ? node.text : '';
    const box = startingStatus(word);
    if (box === undefined) {
      const meant = nearest(word, startingStatuses);
      const expected = `one of ${startingStatuses.map((status) => `\`${status}\``).join(', ')}`;
      const help = meant === undefined ? undefined : `did you mean \`${meant}\`?`;
      this.wrong(`\`status\` takes ${expected}, not ${describeNode(node)}`, node, help);
    } else if (word === 'failed') {
      this.report.warning({
        code: 'failed-before',
        message: 'this task has failed elsewhere: it starts as pending here, and a run tries it again',
        line: node.line,
        column: node.column,
        length: word.length,
        help: 'write `status: skipped` to leave it out',
      });
    }
    return box ?? 'open';
  }

  private references(key: 'needs' | 'prefers', node: YamlNode): readonly Reference[] {
    return isEmpty(node) ? [] : ((this.value(key, node) as Reference[] | undefined) ?? []);
  }

  private prose(node: YamlNode): string[] {
    const text = isEmpty(node) ? undefined : this.value('prompt', node);
    return text === undefined ? [] : [text as string];
  }

  private text(node: YamlNode): string | undefined {
    return this.value('title', node) as string | undefined;
  }

  /** So many attempts are one less of retries. */
  private retries(node: YamlNode): number {
    return Math.max(0, ((this.value('retries', node) as number | undefined) ?? 1) - 1);
  }

  private value(name: string, node: YamlNode): unknown {
    return readKeyValue(findKey(name)!, node, this.report);
  }

  private known({ text, line, column }: YamlText, names: readonly string[]): boolean {
    if (names.includes(text)) return true;
    const meant = nearest(text, names);
    this.report.error({
      code: 'unknown-key',
      message: `there is no key ${quoted(text)}`,
      line,
      column,
      length: Math.max(1, text.length),
      help: meant === undefined ? 'take it out, or make it a comment with `#`' : `did you mean \`${meant}\`?`,
    });
    return false;
  }

  private notCarriedOver({ text, line, column }: YamlText): void {
    this.report.warning({
      code: 'not-carried-over',
      message: `${quoted(text)} is not read: nothing here will validate the tasks`,
      line,
      column,
      length: text.length,
      help: 'a command that proves a task is its `check:`; an agent that looks at it is `review: agent`',
    });
  }

  private items(name: string, node: YamlNode | undefined): readonly YamlNode[] {
    if (node === undefined || isEmpty(node)) return [];
    if (node.kind === 'list') return node.items;
    this.wrong(`${quoted(name)} takes a list, not ${describeNode(node)}`, node);
    return [];
  }

  private entries(name: string, node: YamlNode | undefined): readonly YamlEntry[] {
    if (node === undefined || isEmpty(node)) return [];
    if (node.kind === 'map') return entriesOf(node satisfies YamlMap, this.report);
    const what = name.startsWith('a ') ? name : quoted(name);
    this.wrong(
      `${what} is a map of keys, not ${describeNode(node)}`,
      node,
      'write `name: …`, and further keys below it',
    );
    return [];
  }

  private wrong(message: string, node: YamlNode, help?: string): void {
    const length = node.kind === 'text' ? Math.max(1, node.text.length) : 1;
    this.report.error({ code: 'bad-value', message, line: node.line, column: node.column, length, help });
  }
}

const allMetaKeys = [...metaKeys, ...metaRecords];

/** Those of ours too. */
const allTaskKeys = [...sectionTaskKeys, ...keyNames('task').filter((name) => name !== 'subtasks'), ...needAliases];
