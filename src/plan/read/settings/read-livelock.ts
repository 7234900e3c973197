// `livelock: { same-rejections: 3, … }` of the settings: when loops without progress are stopped.
import type { LivelockRules } from '../../../core/model/run-event.ts';
import { quoted } from '../../diagnostics/diagnostic.ts';
import { nearest } from '../../diagnostics/nearest.ts';
import type { Report } from '../../diagnostics/report.ts';
import { describeNode, entriesOf, type YamlNode } from '../yaml/yaml-node.ts';

export const livelockKeys = {
  'same-rejections': 'sameRejections',
  'circular-rejections': 'circularRejections',
  'no-progress': 'noProgress',
  'same-calls': 'sameCalls',
  undoing: 'undoing',
  silence: 'silence',
} as const satisfies Record<string, keyof LivelockRules>;

const names = Object.keys(livelockKeys) as (keyof typeof livelockKeys)[];

export function readLivelock(node: YamlNode, report: Report): Partial<LivelockRules> {
  const rules: { -readonly [key in keyof LivelockRules]?: number } = {};
  if (node.kind !== 'map') {
    const message = `\`livelock\` takes a map of keys, not ${describeNode(node)}`;
    const help = 'write `livelock: { same-rejections: 3 }`';
    report.error({ code: 'bad-value', message, line: node.line, column: node.column, help });
    return rules;
  }
  for (const { key, value } of entriesOf(node, report)) {
    const name = names.find((known) => known === key.text);
    const length = Math.max(1, key.text.length);
    if (name === undefined) {
      const meant = nearest(key.text, names);
      const help = meant ? `did you mean ${quoted(meant)}?` : `its keys are ${names.join(', ')}`;
      const message = `there is no key ${quoted(key.text)} in \`livelock\``;
      report.error({ code: 'unknown-key', message, line: key.line, column: key.column, length, help });
    } else if (value.kind === 'text' && /^\d{1,6}$/.test(value.text)) {
      rules[livelockKeys[name]] = Number(value.text);
    } else {
      const message = `\`${name}\` takes a whole number, not ${describeNode(value)}`;
      const help = 'how often is too often; 0 switches it off';
      report.error({ code: 'bad-value', message, line: value.line, column: value.column, help });
    }
  }
  return rules;
}
