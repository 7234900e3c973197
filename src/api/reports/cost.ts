import { amount, count, described, list, maybe, object, orNull, type Shown, text, time, yes } from './schema-words.ts';

const tokens = { input: count, output: count, cached: count, cacheWrite: count };
const usd = described(orNull(amount), 'Null: unknown.');

export type CostReport = Shown<typeof costReport>;
export type CostOfAttempt = CostReport['attempts'][number];
export const costReport = object({
  plan: text,
  usd: described(amount, 'Of all attempts and reviews whose cost is known.'),
  unpriced: described(count, 'Attempts and reviews whose cost is not known.'),
  attempts: described(
    list(
      object({
        task: text,
        attempt: text,
        review: maybe(described(yes, 'It is a review of that attempt.')),
        agent: text,
        endedAt: time,
        usd,
        models: list(object({ model: described(text, 'Empty: the program does not say.'), ...tokens, usd })),
      }),
    ),
    'Attempts and reviews of coding agents that have ended, oldest first.',
  ),
});
