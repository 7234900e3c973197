import { described, maybe, object, one, orNull, type Shown, text } from './schema-words.ts';

export type PromptReport = Shown<typeof promptReport>;
export const promptReport = object({
  plan: text,
  task: text,
  attempt: described(text, 'The one that would get it.'),
  agent: described(orNull(text), 'Null: nobody here could perform it.'),
  text,
});

/** As coding agents understand it. Nothing is printed for a call that may pass. */
export const hookReport = object({
  decision: maybe(one('block')),
  reason: maybe(text),
  hookSpecificOutput: object({
    hookEventName: one('PreToolUse', 'PostToolUse'),
    permissionDecision: maybe(one('deny')),
    permissionDecisionReason: maybe(text),
    additionalContext: maybe(described(text, 'What the agent should know.')),
  }),
});
