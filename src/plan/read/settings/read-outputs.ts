// `outputs: { folder: docs/plan-outputs, current-plan: .claude/current-plan.txt }` of the settings.
import type { Settings } from '../../../core/model/settings.ts';
import { quoted } from '../../diagnostics/diagnostic.ts';
import { nearest } from '../../diagnostics/nearest.ts';
import type { Report } from '../../diagnostics/report.ts';
import { describeNode, entriesOf, type YamlNode } from '../yaml/yaml-node.ts';

export const outputKeys = { folder: 'folder', 'current-plan': 'currentPlan' } as const;

export function readOutputs(node: YamlNode, report: Report): NonNullable<Settings['outputs']> {
  const outputs: { folder?: string; currentPlan?: string } = {};
  const wrong = (at: YamlNode, message: string, help: string) => {
    const length = at.kind === 'text' ? Math.max(1, at.text.length) : 1;
    report.error({ code: 'bad-value', message, line: at.line, column: at.column, length, help });
  };
  if (node.kind !== 'map') {
    const help = 'write `outputs: { folder: docs/plan-outputs }`';
    wrong(node, `\`outputs\` takes a map of keys, not ${describeNode(node)}`, help);
    return outputs;
  }
  for (const { key, value } of entriesOf(node, report)) {
    if (!Object.hasOwn(outputKeys, key.text)) {
      const meant = nearest(key.text, Object.keys(outputKeys));
      report.error({
        code: 'unknown-key',
        message: `there is no key ${quoted(key.text)} in \`outputs\``,
        line: key.line,
        column: key.column,
        length: Math.max(1, key.text.length),
        help: meant ? `did you mean ${quoted(meant)}?` : 'its keys are folder and current-plan',
      });
    } else if (value.kind === 'text' && isBelow(value.text)) {
      outputs[outputKeys[key.text as keyof typeof outputKeys]] = value.text;
    } else {
      const help =
        'name a place below the folder of signalbox.yaml, such as `docs/plan-outputs`, and not in .git or .signalbox';
      wrong(value, `\`${key.text}\` takes a path inside the workspace, not ${describeNode(value)}`, help);
    }
  }
  return outputs;
}

/** What is written there is replaced again and again: it stays inside, and has a name of its own. */
export const isBelow = (path: string): boolean =>
  path.trim() !== '' && !path.startsWith('/') && path.split('/').every((name) => !reserved.test(name));

/** `.git` and `.signalbox` also as file systems see them that do not tell cases apart. */
const reserved = /^(\.|\.\.|\.git|\.signalbox)$/i;
