// The agents of the settings: which program performs what `agent:` names.
import type { AgentSettings, KindInSettings } from '../../../core/model/settings.ts';
import { quoted } from '../../diagnostics/diagnostic.ts';
import { nearest } from '../../diagnostics/nearest.ts';
import type { Place, Report } from '../../diagnostics/report.ts';
import { findKey } from '../../keys/keys.ts';
import { readKeyValue } from '../yaml/read-keys.ts';
import {
  describeNode,
  entriesOf,
  isEmpty,
  looksTyped,
  type YamlEntry,
  type YamlNode,
  type YamlText,
} from '../yaml/yaml-node.ts';

/**
 * By name; an object without a prototype, so that no name means more than it says.
 * @param kinds that an agent can be of
 */
export function readAgents(
  node: YamlNode,
  kinds: readonly KindInSettings[],
  report: Report,
): Record<string, AgentSettings> {
  const agents: Record<string, AgentSettings> = Object.create(null);
  if (node.kind !== 'map') {
    wrong(node, `\`agents\` takes a map from name to agent, not ${describeNode(node)}`, report);
    return agents;
  }
  for (const entry of entriesOf(node, report)) {
    const agent = readAgent(entry, kinds, report);
    if (agent) agents[entry.key.text] = agent;
  }
  return agents;
}

export const agentKeys = ['kind', 'command', 'args', 'env', 'model', 'effort', 'budget-usd'] as const;

function readAgent(
  { key: name, value: node }: YamlEntry,
  kinds: readonly KindInSettings[],
  report: Report,
): AgentSettings | null {
  if (node.kind !== 'map' && !isEmpty(node)) {
    wrong(node, `agent ${quoted(name.text)} takes a map of keys, not ${describeNode(node)}`, report);
    return null;
  }
  let kind: YamlText | null = null;
  let program: readonly string[] = [];
  let args: readonly string[] = [];
  let env: Readonly<Record<string, string>> = Object.create(null);
  let model: string | undefined;
  let effort: YamlText | null = null;
  let budgetUsd: number | undefined;
  let isSure = true;
  for (const { key, value } of node.kind === 'map' ? entriesOf(node, report) : []) {
    if (key.text === 'kind') {
      kind = value.kind === 'text' ? value : wrong(value, '`kind` takes a name', report);
      if (kind === null) isSure = false;
    } else if (key.text === 'command' && value.kind === 'map') isSure = readArgv(key.text, value, report).length > 0;
    else if (key.text === 'command') program = readArgv(key.text, value, report);
    else if (key.text === 'args') args = readArgv(key.text, value, report);
    else if (key.text === 'env') env = (readKeyValue(findKey('env')!, value, report) as typeof env | undefined) ?? env;
    else if (key.text === 'model') model = readKeyValue(findKey('model')!, value, report) as string | undefined;
    else if (key.text === 'effort') effort = readEffort(value, report);
    else if (key.text === 'budget-usd')
      budgetUsd = readKeyValue(findKey('budget-usd')!, value, report) as number | undefined;
    else {
      unknown(key, report);
      isSure = false;
    }
  }
  const { line } = name;
  // After another mistake a missing command or kind is only what follows from it.
  const read = {
    kind: isSure ? kindOf({ name, said: kind, program, kinds }, report) : name.text,
    command: program,
    args,
    env,
    line,
  };
  if (effort !== null && isSure) refuseEffort(effort, name, read.kind, kinds, report);
  return {
    ...read,
    ...(model === undefined ? {} : { model }),
    ...(effort === null ? {} : { effort: effort.text }),
    ...(budgetUsd === undefined ? {} : { budgetUsd }),
  };
}

/** Each program has words of its own, and new ones with new models. */
function readEffort(node: YamlNode, report: Report): YamlText | null {
  if (node.kind === 'text' && /^[A-Za-z][\w-]*$/.test(node.text) && !looksTyped(node)) return node;
  return wrong(node, `\`effort\` takes a word, such as high, not ${describeNode(node)}`, report);
}

function refuseEffort(
  effort: YamlText,
  name: YamlText,
  kind: string,
  kinds: readonly KindInSettings[],
  report: Report,
) {
  if (kinds.find((one) => one.name === kind)?.takesEffort !== false) return;
  const help = `kinds with one are ${kinds.flatMap((one) => (one.takesEffort ? one.name : [])).join(', ')}`;
  wrong(effort, `agent ${quoted(name.text)} is of kind ${kind}, which has no \`effort\``, report, help);
}

interface Named {
  readonly name: YamlText;
  readonly said: YamlText | null;
  readonly program: readonly string[];
  readonly kinds: readonly KindInSettings[];
}

/** The kind is the agent's name unless it is said; a name that is no kind, with a command, is a mistake to point out. */
function kindOf({ name, said, program, kinds }: Named, report: Report): string {
  const kind = said?.text ?? name.text;
  const known = kinds.find((one) => one.name === kind);
  if (!known) {
    const all = kinds.map((one) => one.name);
    const meant = nearest(kind, all);
    const help = said ? `kinds are ${all.join(', ')}` : 'any program can be an agent with `kind: command`';
    wrong(said ?? name, `${quoted(kind)} is not a kind of agent`, report, meant ? `did you mean \`${meant}\`?` : help);
  } else if (known.needsCommand && program.length === 0) {
    wrong(
      said ?? name,
      `agent ${quoted(name.text)} has no \`command\``,
      report,
      'write `command: [program, argument]`',
    );
  }
  return kind;
}

/** A program, or a program with its arguments. */
function readArgv(key: string, node: YamlNode, report: Report): readonly string[] {
  const items = node.kind === 'list' ? node.items : [node];
  const argv: string[] = [];
  for (const item of items) {
    if (item.kind === 'text' && !isEmpty(item) && !looksTyped(item)) argv.push(item.text);
    else {
      const help = item.kind === 'text' && looksTyped(item) ? `write it in quotes: '${item.text}'` : undefined;
      wrong(item, `\`${key}\` takes a text, or a list of texts, not ${describeNode(item)}`, report, help);
    }
  }
  return argv;
}

function unknown(key: YamlText, report: Report): void {
  const meant = nearest(key.text, agentKeys);
  report.error({
    code: 'unknown-key',
    message: `there is no key ${quoted(key.text)} of an agent`,
    line: key.line,
    column: key.column,
    length: Math.max(1, key.text.length),
    help: meant === undefined ? `an agent has ${agentKeys.join(', ')}` : `did you mean \`${meant}\`?`,
  });
}

function wrong(at: Place & { readonly text?: string }, message: string, report: Report, help?: string): null {
  const { line, column } = at;
  report.error({ code: 'bad-value', message, line, column, length: Math.max(1, at.text?.length ?? 1), help });
  return null;
}
