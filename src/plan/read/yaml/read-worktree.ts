// `worktree: { setup: npm ci, include: [.env], generated: { package-lock.json: … }, at: ../trees }`, of a plan or of the settings.
import type { WorktreeKeys } from '../../../core/model/plan.ts';
import { quoted } from '../../diagnostics/diagnostic.ts';
import { nearest } from '../../diagnostics/nearest.ts';
import type { Report } from '../../diagnostics/report.ts';
import type { Key, Scope, ValueKind } from '../../keys/keys.ts';
import type { Draft } from '../raw-plan.ts';
import { isBelow } from '../settings/read-outputs.ts';
import { readKeyValue } from './read-keys.ts';
import { describeNode, entriesOf, type YamlNode } from './yaml-node.ts';

export const worktreeKeys = {
  setup: { kind: 'text' },
  include: { kind: 'names' },
  generated: { kind: 'structure' },
  at: { kind: 'text' },
} as const satisfies Record<keyof WorktreeKeys, ValueKind>;

const names = Object.keys(worktreeKeys) as (keyof typeof worktreeKeys)[];

export function readWorktree(node: YamlNode, scope: 'plan' | 'settings', report: Report): WorktreeKeys {
  const found: Draft<WorktreeKeys> = {};
  if (node.kind !== 'map') {
    const message = `\`worktree\` takes a map of keys, not ${describeNode(node)}`;
    tell(report, node, message, 'write `worktree: { setup: "npm ci" }`');
    return found;
  }
  for (const { key, value } of entriesOf(node, report)) {
    const name = names.find((known) => known === key.text);
    if (name === undefined) {
      const meant = nearest(key.text, names);
      report.error({
        code: 'unknown-key',
        message: `there is no key ${quoted(key.text)} in \`worktree\``,
        line: key.line,
        column: key.column,
        length: Math.max(1, key.text.length),
        help: meant ? `did you mean ${quoted(meant)}?` : `its keys are ${names.join(', ')}`,
      });
      continue;
    }
    if (name === 'generated') {
      found.generated = readGenerated(value, report);
      continue;
    }
    const read = readKeyValue(keyOf(name, worktreeKeys[name], scope), value, report);
    if (name === 'include' && read !== undefined) checkPatterns(read as readonly string[], value, report);
    if (name === 'at' && read !== undefined && scope === 'plan') checkPlace(read as string, value, report);
    if (read !== undefined) Object.assign(found, { [name]: read });
  }
  return found;
}

function readGenerated(node: YamlNode, report: Report): NonNullable<WorktreeKeys['generated']> {
  const commands: Record<string, string> = Object.create(null);
  if (node.kind !== 'map') {
    const message = `\`generated\` takes files with commands, not ${describeNode(node)}`;
    tell(report, node, message, 'write `generated: { package-lock.json: "npm install --package-lock-only" }`');
    return commands;
  }
  for (const { key, value } of entriesOf(node, report)) {
    if (!isInside(key.text)) tellOutside(report, key, 'generated', key.text);
    const command = readKeyValue(keyOf(key.text, { kind: 'text' }, 'plan'), value, report);
    if (typeof command === 'string') commands[key.text] = command;
  }
  return commands;
}

const keyOf = (name: string, value: ValueKind, scope: Scope): Key => ({ name, value, where: [scope], field: name });

function checkPatterns(patterns: readonly string[], node: YamlNode, report: Report): void {
  patterns.forEach((pattern, i) => {
    const at = node.kind === 'list' ? node.items[i]! : node;
    if (!isInside(pattern.replace(/^!/, ''))) tellOutside(report, at, 'include', pattern);
  });
}

const isInside = (path: string): boolean => isBelow(path) && !path.includes('\0');

function tellOutside(report: Report, at: YamlNode, key: string, path: string): void {
  const message = `\`${key}\` takes paths inside the workspace, not ${quoted(path)}`;
  tell(
    report,
    at,
    message,
    'name it from the root of the workspace, without a slash first, and not in .git or .signalbox',
  );
}

/** A plan comes with the repository: it may not choose any place of the machine. */
function checkPlace(place: string, node: YamlNode, report: Report): void {
  if (!/^[/~]/.test(place)) return;
  const message = `\`at\` of a plan is relative to the workspace, not ${quoted(place)}`;
  tell(
    report,
    node,
    message,
    'name a folder beside the repository, such as `../trees`; any other place stands in signalbox.yaml',
  );
}

function tell(report: Report, at: YamlNode, message: string, help: string): void {
  const length = at.kind === 'text' ? Math.max(1, at.text.length) : 1;
  report.error({ code: 'bad-value', message, line: at.line, column: at.column, length, help });
}
