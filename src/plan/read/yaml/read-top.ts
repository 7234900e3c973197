// The keys at the top of a plan: YAML's top level and markdown's front matter are the same thing.
import type { TaskKeys } from '../../../core/model/plan.ts';
import type { Place, Report } from '../../diagnostics/report.ts';
import type { Key } from '../../keys/keys.ts';
import type { Draft, TopKeys } from '../raw-plan.ts';
import { knownKey, readKeyValue } from './read-keys.ts';
import { readWorktree } from './read-worktree.ts';
import type { YamlEntry, YamlNode } from './yaml-node.ts';

/** `structure` gets what is none of the keys with values: the tasks. */
export function readTop(
  entries: readonly YamlEntry[],
  report: Report,
  structure: (key: Key, entry: YamlEntry) => void,
): TopKeys {
  const top: Record<string, unknown> = {};
  const defaults: Record<string, unknown> = {};
  for (const entry of entries) {
    const key = knownKey(entry.key, 'plan', report);
    if (!key) continue;
    if (key.name === 'worktree') top.worktree = readWorktree(entry.value, 'plan', report);
    else if (key.value.kind === 'structure') structure(key, entry);
    else read(key, entry.value, { top, defaults }, report);
  }
  return { ...top, defaults: defaults as Draft<TaskKeys> };
}

interface Drafts {
  readonly top: Record<string, unknown>;
  readonly defaults: Record<string, unknown>;
}

function read(key: Key, node: YamlNode, { top, defaults }: Drafts, report: Report): void {
  const value = readKeyValue(key, node, report);
  if (value === undefined) {
    // Nothing is to be assumed where the author said something.
    if (key.name === 'order') top.order = { value: 'explicit', at: node };
    return;
  }
  const at: Place = { line: node.line, column: node.column };
  if (key.name === 'uses') top.usesAt = at;
  if (key.name === 'order') top.order = { value, at };
  // `budget-usd` at the top is that of the run; a default prompt is no key of the task.
  else if (!key.where.includes('task') || ['budget-usd', 'prompt', 'title'].includes(key.name)) top[key.field] = value;
  else defaults[key.field] = value;
}
