// The checks of what is completed, run once more.
import { amount, count, described, flag, list, object, one, orNull, type Shown, text, texts } from './schema-words.ts';

export type VerifiedCheck = Shown<typeof verifiedCheck>;
const verifiedCheck = object({
  command: text,
  tasks: described(texts, 'The tasks that it belongs to.'),
  result: one('passed', 'failed', 'timed-out', 'interrupted'),
  code: orNull(count),
  durationMs: amount,
  log: text,
  tail: described(texts, 'The last lines of one that is not green, as they are.'),
});

export type VerifyReport = Shown<typeof verifyReport>;
export const verifyReport = object({
  plan: text,
  ok: described(flag, 'Every check was run and is green.'),
  total: described(count, 'Distinct commands; fewer are listed when it was interrupted.'),
  passed: count,
  checks: list(verifiedCheck),
});
