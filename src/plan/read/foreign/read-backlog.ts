// Backlog.md's task files: YAML front matter, then chapters between markers that the tool puts in as comments.
import { printable, quoted } from '../../diagnostics/diagnostic.ts';
import type { Report } from '../../diagnostics/report.ts';
import { unwrapCode } from '../../keys/value.ts';
import { parseYaml } from '../yaml/parse-yaml.ts';
import { entriesOf, type YamlNode } from '../yaml/yaml-node.ts';
import type { ForeignTask, Losses } from './foreign-task.ts';

/** One file; null after an error. */
export function readBacklog(text: string, losses: Losses, report: Report): ForeignTask | null {
  const close = /^---[ \t]*\n/.test(text) ? text.indexOf('\n---', 3) : -1;
  const head = close < 0 ? null : parseYaml(text.slice(4, close + 1), { line: 2, column: 1 }, report);
  const fields = new Map<string, YamlNode>();
  if (head?.kind === 'map') for (const { key, value } of entriesOf(head, report)) fields.set(key.text, value);
  const id = one(fields, 'id');
  if (report.failed) return null;
  if (id === '') {
    report.error({
      code: 'wrong-tool',
      message: 'this is not a task file of Backlog.md',
      line: 1,
      column: 1,
      help: 'it starts with `---` and has an `id:` and a `title:`',
    });
    return null;
  }
  const status = one(fields, 'status');
  const state = states.get(status.toLowerCase()) ?? 'open';
  if (!states.has(status.toLowerCase())) losses.add(`the status ${quoted(status)}: it starts as pending`, id);
  for (const [name, node] of fields) {
    const says = node.kind === 'text' ? node.text !== '' : node.kind === 'map' || node.items.length > 0;
    if (!known.has(name) && says) losses.add(`the field ${quoted(name)}`, id);
  }
  const { prompt, accept } = chaptersOf(text.slice(text.indexOf('\n', close + 1) + 1));
  const parent = one(fields, 'parent_task_id');
  return {
    id,
    title: one(fields, 'title'),
    state,
    parent: parent === '' ? null : parent,
    needs: many(fields, 'dependencies'),
    prompt,
    accept,
    labels: many(fields, 'labels'),
    priority: priorities.get(one(fields, 'priority').toLowerCase()) ?? 0,
  };
}

const known = new Set(['id', 'title', 'status', 'labels', 'dependencies', 'priority', 'parent_task_id', 'ordinal']);
const states: ReadonlyMap<string, ForeignTask['state']> = new Map([
  ['', 'open'],
  ['to do', 'open'],
  ['done', 'completed'],
]);
const priorities: ReadonlyMap<string, number> = new Map([
  ['high', 1],
  ['medium', 0],
  ['low', -1],
]);

function one(fields: ReadonlyMap<string, YamlNode>, name: string): string {
  const node = fields.get(name);
  return node?.kind === 'text' ? printable(node.text).trim() : '';
}

function many(fields: ReadonlyMap<string, YamlNode>, name: string): string[] {
  const node = fields.get(name);
  const items = node?.kind === 'list' ? node.items : node ? [node] : [];
  return items.flatMap((item) => (item.kind === 'text' && item.text !== '' ? [item.text.trim()] : []));
}

/** Criteria are boxes; everything else goes to the agent, under its heading unless that is "Description". */
function chaptersOf(body: string): { prompt: string[]; accept: string[] } {
  const prompt: string[] = [];
  const accept: string[] = [];
  for (const chapter of body.replace(/^<!-- [A-Z:]+ -->[ \t]*\n?/gm, '').split(/^(?=## )/m)) {
    const [, heading = '', rest = ''] = /^## (.*)\n?([\s\S]*)$/.exec(chapter) ?? [null, '', chapter];
    if (/^(acceptance criteria|definition of done)$/i.test(heading.trim())) {
      for (const [, text] of rest.matchAll(/^[-*] \[[ xX]\] (?:#\d+ )?(.*)$/gm)) accept.push(unwrapCode(text!.trim()));
    } else if (rest.trim() !== '') {
      const isPlain = heading === '' || /^description$/i.test(heading.trim());
      prompt.push(isPlain ? rest.trim() : `${heading.trim()}:\n\n${rest.trim()}`);
    }
  }
  return { prompt, accept };
}
