// What tokens cost, where the program does not say: by the prices of the settings.
import type { ModelUsage } from '../../core/model/agent-result.ts';
import type { Price } from '../../core/model/settings.ts';

/** Usage that names no model is of the one that the program was started with. */
export const withModel = (usage: readonly ModelUsage[], model: string): ModelUsage[] =>
  usage.map((one) => ({ ...one, model: one.model || model }));

/** USD; null: one of the models has no price, or nothing is known. */
export function priced(usage: readonly ModelUsage[], prices: Readonly<Record<string, Price>>): number | null {
  if (usage.length === 0) return null;
  let usd = 0;
  for (const { model, input, output, cached, cacheWrite } of usage) {
    const price = Object.hasOwn(prices, model) ? prices[model]! : null;
    if (price === null) return null;
    usd += input * price.input + output * price.output + cached * price.cached + cacheWrite * price.cacheWrite;
  }
  return usd / 1e6;
}
