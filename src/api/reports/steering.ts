// What comes of what people tell a plan and its tasks.
import { defined } from './defined.ts';
import { count, described, flag, list, object, one, orNull, type Shown, text } from './schema-words.ts';

export type SteerReport = Shown<typeof steerReport>;
export const steerReport = object({
  plan: text,
  events: described(list(defined('event')), 'What was recorded.'),
  running: described(flag, 'Whether a run goes on that will act on it.'),
});

export type ResetReport = Shown<typeof resetReport>;
export const resetReport = object({
  plan: text,
  result: described(
    one('reset', 'would-reset', 'nothing'),
    '`would-reset`: a person has to confirm it. `nothing`: nothing is recorded that a new round would not have.',
  ),
  round: described(count, 'How often the plan was started over, this time included.'),
  summary: described(defined('summary'), 'The tasks of the round that ends.'),
  attempts: described(count, 'How many it had. Their logs and saved work stay, and their numbers are not used again.'),
  decisions: described(count, 'Open ones, which are closed.'),
  ticked: described(
    count,
    'Tasks that the plan file says are done or skipped: they count as that in the new round too.',
  ),
  results: described(
    orNull(
      object({
        branch: text,
        kept: described(orNull(text), 'The branch that keeps them; null: your branch has them all.'),
        commits: described(orNull(count), 'That your branch does not have.'),
      }),
    ),
    'Of runs with worktrees.',
  ),
  outputs: described(orNull(text), 'The folder that keeps status.json, findings and times of the round that ends.'),
});
