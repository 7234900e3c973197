// Schemas of what the layers below say inside of reports and events.
import { type CoreTypes, type Differing, defined, type None } from './defined.ts';
import { incidents } from './incidents.ts';

import {
  amount,
  count,
  described,
  either,
  flag,
  instant,
  list,
  mapOf,
  maybe,
  object,
  one,
  orNull,
  text,
  texts,
  yes,
} from './schema-words.ts';
import { reason } from './why.ts';

const status = one('pending', 'in_progress', 'completed', 'failed', 'blocked', 'suspended', 'skipped');

const choice = one(
  'retry',
  'retry-with-note',
  'other-agent',
  'fix',
  'skip-all',
  'treat-as-done',
  'restructure',
  'escalate',
  'accept',
  'go-on',
  'approve',
  'reject',
  'skip-blocked',
  'details',
  'abort',
);

const limited = { limitMs: amount };
const idle = object({ kind: one('idle'), ...limited, last: maybe(described(text, 'What it last said.')) });

const mute = object({ kind: one('mute'), ...limited });

const doom = either(
  object({ kind: one('timeout'), ...limited }),
  idle,
  mute,
  object({ kind: one('finished') }),
  object({ kind: one('stop') }),
  object({ kind: one('withdrawn'), asked: maybe(described(yes, 'The task was suspended with a question.')) }),
  object({ kind: one('looping'), call: text, times: count }),
  object({ kind: one('ungoverned') }),
  object({ kind: one('deadlock'), words: text, blocker: object({ owner: text, name: text, resource: text }) }),
);

const attemptEnd = either(
  object({ kind: one('exited'), code: count }),
  object({ kind: one('killed'), code: orNull(count) }),
  object({ kind: one('lost') }),
  object({ kind: one('never-started') }),
  object({
    kind: one('unstartable'),
    message: text,
    permanent: flag,
    setup: maybe(described(text, 'The command that sets up trees; it failed.')),
  }),
);

const agentTroubles = [
  'refused-tools',
  'max-turns',
  'budget',
  'overload',
  'billing',
  'authentication',
  'context',
  'crash',
  'ungoverned',
  'killed',
  'no-result',
] as const;
const agentTrouble = one(...agentTroubles);

const agentReport = object({
  by: text,
  class: one('done', 'rate-limit', 'asks', 'no-conversation', ...agentTroubles),
  version: maybe(described(text, 'Of its program.')),
  said: maybe(text),
  session: maybe(described(text, 'The conversation, by the name under which the program resumes it.')),
  folder: maybe(described(text, 'Where it ran: the conversation is found again from there only.')),
  told: maybe(described(text, 'A short name for the task as it was told.')),
  resumed: maybe(described(yes, 'It was to go on in the conversation of an earlier attempt.')),
  resetsAt: maybe(described(instant, 'When its account may go on.')),
  loaded: maybe(
    described(texts, 'Plugins, MCP servers, skills and hooks that come neither with the program nor from Signalbox.'),
  ),
  waits: maybe(described(text, 'What its last message says that it waits for: nothing calls it back.')),
  denied: maybe(texts),
  writes: maybe(texts),
  usage: maybe(
    list(
      object({
        model: described(text, 'Empty: the program does not say.'),
        input: count,
        output: count,
        cached: count,
        cacheWrite: count,
        costUsd: maybe(amount),
      }),
    ),
  ),
  costUsd: maybe(described(amount, 'Absent: unknown.')),
  unread: maybe(
    object({
      lines: described(count, 'Lines of its stream that are too long or no JSON.'),
      preview: described(text, 'The beginning of the first one.'),
    }),
  ),
});

export const writeFindings = list(
  object({ path: text, finding: one('late', 'unlocked', 'foreign', 'suspect'), holder: maybe(text) }),
);

const mergeFailure = object({
  kind: one('merge'),
  result: one('conflict', 'red'),
  files: texts,
  token: described(count, 'Of the merge, whose log has the output of a red check.'),
  command: maybe(text),
  problem: maybe(text),
});

const failure = either(
  object({ kind: one('exit'), code: count, command: maybe(text) }),
  object({ kind: one('timeout'), ...limited }),
  idle,
  mute,
  object({ kind: one('lost'), times: count }),
  object({ kind: one('unstartable'), message: text }),
  object({
    kind: one('check'),
    command: text,
    code: described(orNull(count), 'Null: it took too long.'),
    token: count,
    before: maybe(described(yes, 'It was not green before the plan began either.')),
  }),
  object({ kind: one('agent'), class: agentTrouble, message: text }),
  object({ kind: one('audit'), files: texts }),
  object({ kind: one('nothing-done'), lacks: maybe(one('calls', 'change', 'proof', 'owner', 'text')) }),
  object({ kind: one('rejected'), severity: defined('severity'), times: count, issue: maybe(text) }),
  mergeFailure,
  object({ kind: one('unfit'), message: text }),
  object({ kind: one('review'), message: text }),
  object({ kind: one('said'), message: text }),
);

const issues = list(defined('issue'));
const evidence = either(
  object({ kind: one('rejected'), severity: defined('severity'), issues }),
  object({ kind: one('same-rejection'), times: count, issues }),
  object({ kind: one('circular-rejection'), circle: texts, times: count }),
  object({ kind: one('no-progress'), attempts: texts }),
  object({ kind: one('same-calls'), call: text, times: count }),
  object({ kind: one('undoing'), file: text, tasks: texts, times: count }),
  object({ kind: one('silence'), times: count, last: maybe(text) }),
  object({ kind: one('question'), question: text }),
  object({ kind: one('unmerged'), failure: mergeFailure }),
  object({ kind: one('held'), because: defined('merge-obstacle') }),
  object({ kind: one('preferred'), tasks: texts }),
  object({
    kind: one('batch'),
    phase: text,
    completed: defined('task-names'),
    rest: defined('task-names'),
  }),
);

/** Of a decision, and of the event that opens it. */
export const question = {
  kind: defined('decision-kind'),
  task: maybe(described(text, 'What it is about; absent: the plan.')),
  attempt: maybe(described(text, 'The attempt that raised it.')),
  blocks: described(defined('task-names'), 'What cannot go on until it is answered.'),
  goesOn: described(defined('task-names'), 'What goes on in the meantime.'),
  options: list(defined('choice')),
  default: maybe(described(defined('choice'), 'What happens without an answer; absent: it stays open.')),
  deadline: maybe(described(instant, 'When the default is taken.')),
  evidence: maybe(defined('evidence')),
};

export const coreSchemas = {
  status,
  'outcome-word': one('complete', 'failed', 'stuck', 'waiting', 'paused', 'aborted'),
  summary: object({
    totalTasks: count,
    completed: count,
    pending: count,
    in_progress: count,
    failed: count,
    blocked: count,
    suspended: count,
    skipped: count,
  }),
  process: object({ host: text, pid: count, startTime: text }),
  limits: object({
    workspace: maybe(count),
    plan: count,
    pools: mapOf(count),
    maxAttempts: maybe(count),
    accounts: maybe(described(mapOf(text), 'By the name of an agent: whose limits it runs into.')),
    budgetUsd: maybe(described(amount, 'What the coding agents of the run may cost.')),
    attemptUsd: maybe(described(mapOf(amount), 'By the name of an agent: what one attempt or review may cost.')),
  }),
  selection: either(object({ only: texts }), object({ from: text })),
  cause: object({
    task: text,
    status: one('failed', 'suspended', 'skipped', 'pending'),
    limit: maybe(described(text, 'With `pending`: the limit of 0 that never admits it.')),
  }),
  doom,
  'attempt-end': attemptEnd,
  'agent-report': agentReport,
  'attempt-evidence': object({
    toolCalls: maybe(count),
    changed: maybe(described(flag, 'Whether it changed anything in the workspace.')),
    unclear: maybe(described(yes, 'Something changed while others were at work too: nobody can tell whose it is.')),
    answered: maybe(flag),
    output: maybe(flag),
    files: maybe(list(object({ file: text, before: text, after: text }))),
    finding: maybe(text),
    audit: maybe(object({ files: writeFindings, fails: maybe(described(yes, 'The settings do not let that pass.')) })),
    agent: maybe(defined('agent-report')),
    work: maybe(
      described(
        object({ branch: text, base: text, head: text }),
        'What it left on its branch, in a run with worktrees; base: where the results stood when it began.',
      ),
    ),
    unfit: maybe(described(text, 'Why its tree cannot be merged as it is.')),
    flags: maybe(described(texts, 'Changes that whoever takes its work should look at.')),
    left: maybe(
      described(
        list(object({ path: text, because: one('repository', 'link', 'secret') })),
        'New files that are never committed.',
      ),
    ),
    incidents: maybe(incidents),
    repeated: maybe(object({ call: text, times: count })),
  }),
  'merge-obstacle': either(
    object({ kind: one('red-branch'), command: text }),
    object({ kind: one('checked-out'), folder: text }),
  ),
  isolation: object({
    branch: described(text, 'Where results gather.'),
    base: described(text, 'The commit that it stood at when the run began.'),
    trees: described(text, 'The folder of the trees.'),
    prefix: described(text, 'The workspace inside of a tree; empty: the whole tree.'),
    onto: maybe(described(text, "The person's branch when the run began.")),
    committer: maybe(described(object({ name: text, email: text }), 'In whose name Signalbox commits.')),
  }),
  failure,
  severity: one('low', 'medium', 'high'),
  issue: object({
    message: text,
    file: maybe(text),
    task: maybe(described(text, 'The task that is to blame, if it is another one.')),
  }),
  choice,
  'on-failure': one('ask', 'retry', 'skip', 'escalate', 'abort'),
  'livelock-rules': object({
    sameRejections: maybe(count),
    circularRejections: maybe(count),
    noProgress: maybe(count),
    sameCalls: maybe(count),
    undoing: maybe(count),
    silence: maybe(count),
  }),
  'task-names': object({
    count: described(count, 'How many there are.'),
    tasks: described(texts, 'The first of them.'),
  }),
  evidence,
  'decision-kind': one(
    'failure',
    'rejection',
    'review',
    'soft-failure',
    'livelock',
    'batch',
    'stuck',
    'question',
    'conflict',
    'merge',
    'override',
  ),
  decision: object({ id: text, openedAt: instant, ...question }),
  reason,
  diagnostic: object({
    severity: one('error', 'warning'),
    code: text,
    message: text,
    file: text,
    line: count,
    column: count,
    length: count,
    excerpt: text,
    help: maybe(text),
  }),
};

export type Checked = None<Differing<typeof coreSchemas, CoreTypes>>;
