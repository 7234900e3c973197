// What comes of what people tell a plan and its tasks.
import { defined } from './defined.ts';
import { described, flag, list, object, type Shown, text } from './schema-words.ts';

export type SteerReport = Shown<typeof steerReport>;
export const steerReport = object({
  plan: text,
  events: described(list(defined('event')), 'What was recorded.'),
  running: described(flag, 'Whether a run goes on that will act on it.'),
});
