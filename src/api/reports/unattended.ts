// A holder of a lock that nobody looks after any more.
import { described, object, one, text } from './schema-words.ts';

export const unattended = described(
  object({
    is: described(
      one('dead', 'alone', 'asked'),
      'dead: its runner is; alone: its own process may live; asked: it has ended, and a person is to say what becomes of it.',
    ),
    plan: text,
  }),
  'An attempt whose runner is dead. A run of the plan ends it or goes on with it, and so frees its locks.',
);
