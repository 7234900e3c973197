// `deadlock: { detect: true, victim: youngest }` of the settings.
import type { DeadlockRules } from '../../../core/model/run-event.ts';
import { quoted } from '../../diagnostics/diagnostic.ts';
import { nearest } from '../../diagnostics/nearest.ts';
import type { Report } from '../../diagnostics/report.ts';
import { describeNode, entriesOf, type YamlNode } from '../yaml/yaml-node.ts';

export const deadlockKeys = ['detect', 'victim'] as const;
export const victimPolicies = ['youngest', 'least-progress'] as const;

export function readDeadlock(node: YamlNode, report: Report): Partial<DeadlockRules> {
  const rules: { detect?: boolean; victim?: DeadlockRules['victim'] } = {};
  const wrong = (at: YamlNode, message: string, help: string) =>
    report.error({ code: 'bad-value', message, line: at.line, column: at.column, length: lengthOf(at), help });
  if (node.kind !== 'map') {
    wrong(
      node,
      `\`deadlock\` takes a map of keys, not ${describeNode(node)}`,
      'write `deadlock: { detect: true, victim: youngest }`',
    );
    return rules;
  }
  for (const { key, value } of entriesOf(node, report)) {
    const text = value.kind === 'text' ? value.text : null;
    if (key.text === 'detect') {
      if (text === 'true' || text === 'false') rules.detect = text === 'true';
      else
        wrong(
          value,
          `\`detect\` takes true or false, not ${describeNode(value)}`,
          'write `detect: false` to let agents that wait for each other wait',
        );
    } else if (key.text === 'victim') {
      const policy = victimPolicies.find((name) => name === text);
      if (policy) rules.victim = policy;
      else
        wrong(
          value,
          `\`victim\` takes ${victimPolicies.join(' or ')}, not ${describeNode(value)}`,
          'youngest is whose first attempt started last, least-progress whose present one did',
        );
    } else {
      const meant = nearest(key.text, deadlockKeys);
      report.error({
        code: 'unknown-key',
        message: `there is no key ${quoted(key.text)} in \`deadlock\``,
        line: key.line,
        column: key.column,
        length: Math.max(1, key.text.length),
        help: meant ? `did you mean ${quoted(meant)}?` : 'its keys are detect and victim',
      });
    }
  }
  return rules;
}

/** As it stands there, without its quotes. */
const lengthOf = (node: YamlNode) => (node.kind === 'text' ? Math.max(1, node.text.length) : 1);
