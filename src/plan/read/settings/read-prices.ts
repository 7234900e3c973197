// `prices: { gpt-5.5: { input: 1.25, output: 10, cached: 0.13 } }` of the settings: USD for a million tokens.
import type { Price } from '../../../core/model/settings.ts';
import { quoted } from '../../diagnostics/diagnostic.ts';
import { nearest } from '../../diagnostics/nearest.ts';
import type { Report } from '../../diagnostics/report.ts';
import { describeNode, entriesOf, type YamlNode, type YamlText } from '../yaml/yaml-node.ts';

export const priceKeys = ['input', 'output', 'cached', 'cache-write'] as const;
const required = ['input', 'output'] as const;
const fields = { input: 'input', output: 'output', cached: 'cached', 'cache-write': 'cacheWrite' } as const;

export function readPrices(node: YamlNode, report: Report): Readonly<Record<string, Price>> {
  const prices: Record<string, Price> = Object.create(null);
  if (node.kind !== 'map') {
    wrong(report, node, `\`prices\` takes a map of models, not ${describeNode(node)}`);
    return prices;
  }
  for (const { key, value } of entriesOf(node, report)) {
    if (value.kind !== 'map')
      wrong(report, value, `the price of ${quoted(key.text)} is a map, not ${describeNode(value)}`);
    else prices[key.text] = readPrice(key, value, report);
  }
  return prices;
}

function readPrice(model: YamlText, node: YamlNode & { kind: 'map' }, report: Report): Price {
  const price: Partial<Record<keyof Price, number>> = {};
  let isSound = true;
  for (const { key, value } of entriesOf(node, report)) {
    const name = priceKeys.find((one) => one === key.text);
    if (name === undefined) {
      isSound = false;
      const meant = nearest(key.text, priceKeys);
      report.error({
        code: 'unknown-key',
        message: `there is no key ${quoted(key.text)} of a price`,
        line: key.line,
        column: key.column,
        length: Math.max(1, key.text.length),
        help: meant ? `did you mean ${quoted(meant)}?` : `its keys are ${priceKeys.join(', ')}`,
      });
      continue;
    }
    const amount = value.kind === 'text' && /^\d+(\.\d+)?$/.test(value.text) ? Number(value.text) : null;
    if (amount === null) {
      isSound = false;
      wrong(report, value, `\`${name}\` takes an amount in USD, not ${describeNode(value)}`);
    } else price[fields[name]] = amount;
  }
  const missing = required.filter((name) => price[name] === undefined).map((name) => `\`${name}\``);
  if (isSound && missing.length > 0)
    wrong(report, model, `the price of ${quoted(model.text)} lacks ${missing.join(' and ')}: it would count as 0`);
  const { input = 0, output = 0 } = price;
  // Rather too high than too low.
  return { input, output, cached: price.cached ?? input, cacheWrite: price.cacheWrite ?? input };
}

function wrong(report: Report, at: YamlNode, message: string): void {
  const length = at.kind === 'text' ? Math.max(1, at.text.length) : 1;
  const help = 'write `prices: { gpt-5.5: { input: 1.25, output: 10, cached: 0.13 } }`: USD for a million tokens';
  report.error({ code: 'bad-value', message, line: at.line, column: at.column, length, help });
}
