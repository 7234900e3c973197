// What is told about plan files: checked, rewritten, made from another tool's, taken, and compared with what was loaded.
import { defined } from './defined.ts';
import {
  amount,
  count,
  described,
  flag,
  instant,
  list,
  maybe,
  object,
  one,
  orNull,
  type Shown,
  text,
  texts,
} from './schema-words.ts';

export type RunHindrance = Shown<typeof runHindrance>;
/** Why a run of the plan would be refused with exit code 7; work by hand is not. */
export const runHindrance = object({ task: text, line: count, message: text, help: text });

/** Left out where no agent wrote the plan. */
export const approval = maybe(
  described(
    one('approved', 'unapproved'),
    'Of a plan that an agent wrote: nothing of it runs until a person approves it.',
  ),
);

export type CheckReport = Shown<typeof checkReport>;
export const checkReport = object({
  plan: text,
  ok: flag,
  title: text,
  tasks: count,
  groups: count,
  phases: count,
  order: text,
  orderAssumed: described(flag, 'The order was not written in the plan.'),
  diagnostics: list(defined('diagnostic')),
  unsupported: described(
    list(object({ key: text, task: maybe(text), line: count })),
    'Keys that `run` refuses because this version cannot do them.',
  ),
  hindrances: described(list(runHindrance), 'Why `run` refuses to start it here; it can still be worked on by hand.'),
  notes: described(texts, 'What `run` warns of here: where attempts work, versions of agents, logins that they share.'),
  approval,
});

const formatted = {
  plan: text,
  changed: described(flag, 'The file is, or was, not in this form.'),
  written: flag,
  untouched: described(flag, 'It cannot be rewritten without changing what it means, so it stays as it is.'),
  hindrance: described(orNull(object({ line: count, message: text, help: text })), 'Why not.'),
  ids: described(texts, 'Ids that were given.'),
};
export type FormatReport = Shown<typeof formatReport>;
const formatReport = object({ ...formatted, text });
/** With `--check` and `--write` the text is left out. */
export const printedFormat = object({ ...formatted, text: maybe(text) });

const imported = {
  tool: text,
  source: text,
  plan: described(orNull(text), 'The file that was written.'),
  tasks: count,
  groups: count,
  losses: described(
    list(object({ what: text, tasks: texts })),
    'What could not be carried over, with the tasks that had it.',
  ),
};
export type ImportReport = Shown<typeof importReport>;
const importReport = object({ ...imported, text });
/** With `--out` the text is left out. */
export const printedImport = object({ ...imported, text: maybe(text) });

export type SetReport = Shown<typeof setReport>;
export const setReport = object({ plan: text, file: text });

const planChanges = described(
  list(one('title', 'phases', 'order', 'keys')),
  'What is different about the plan itself, beside its tasks.',
);

/** What an edit changes. */
const difference = {
  added: texts,
  removed: described(texts, 'Never ran, and go.'),
  kept: described(texts, 'Have ended, and are kept in the record.'),
  changed: described(texts, 'Say something else now, and nothing of them is running.'),
  nextAttempt: described(texts, 'Say something else now, and are running: their next attempt has the new text.'),
  ticked: described(texts, 'Their boxes were ticked, so they count as ended.'),
  planChanges,
};

/** Lists that are empty are left out. */
export const optionalDifference = {
  added: maybe(difference.added),
  removed: maybe(difference.removed),
  kept: maybe(difference.kept),
  changed: maybe(difference.changed),
  nextAttempt: maybe(difference.nextAttempt),
  ticked: maybe(difference.ticked),
  planChanges: maybe(difference.planChanges),
};

export type ReloadReport = Shown<typeof reloadReport>;
export const reloadReport = object({
  plan: text,
  ...difference,
  rewritten: described(texts, 'Changed although they have a history.'),
});

export type SyncReport = Shown<typeof syncReport>;
export const syncReport = object({
  plan: text,
  loaded: described(flag, 'Whether the log knows the plan at all.'),
  inSync: flag,
  running: described(flag, 'Attempts run.'),
  ...difference,
  renamed: described(
    list(object({ from: text, to: text })),
    'The same words under another id: for Signalbox one that is gone and a new one.',
  ),
  conflicts: described(
    list(object({ task: text, what: one('changed', 'removed'), line: count })),
    'Have a history that the file contradicts.',
  ),
  run: described(
    one('nothing', 'takes', 'refuses', 'waits'),
    'What `run` does about it, also one that goes on: `waits` means that an agent could have written it, so a person has to reload it.',
  ),
});

const planCommand = object({
  key: one('run', 'check', 'finish', 'setup', 'generated', 'env'),
  command: text,
  of: described(texts, 'The tasks, phases or files that it is for; none: the plan itself.'),
});

export type ApprovalReport = Shown<typeof approvalReport>;
export const approvalReport = object({
  plan: text,
  standing: described(one('own', 'approved', 'unapproved'), 'own: no work of an agent.'),
  agent: described(orNull(text), 'Who wrote it.'),
  approved: described(orNull(object({ by: text, at: instant })), 'Who approved this text.'),
  digest: described(text, 'Of the text that this is about.'),
  commands: described(list(planCommand), 'What it makes a shell do, each command once.'),
});

export type PlanReport = Shown<typeof planReport>;
export const planReport = object({
  outcome: described(
    one('written', 'draft', 'failed', 'quota'),
    'draft: it still had mistakes after the last round; failed: the agent gave no plan; quota: its account has to wait.',
  ),
  plan: described(orNull(text), 'The file that was written; with draft, the one with the mistakes.'),
  failure: described(orNull(defined('failure')), 'Why the agent gave no plan.'),
  said: described(texts, 'The last lines of an agent that failed.'),
  until: described(orNull(instant), 'With quota: when its account may go on, if it says so.'),
  agent: text,
  rounds: count,
  costUsd: described(orNull(amount), 'Null: the agent does not say.'),
  tasks: count,
  diagnostics: list(defined('diagnostic')),
  hindrances: described(list(runHindrance), 'Why `run` refuses to start it here.'),
  commands: described(list(planCommand), 'What it would make a shell do, each command once.'),
  approved: described(flag, 'Always false: only a person approves a plan.'),
  notes: described(texts, 'What a person should know: files that the agent changed, for example.'),
});
