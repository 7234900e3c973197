// What `--json` prints, as one published JSON Schema: under `$defs` an entry for every command, one line of a stream for those that
// have many, and `error` for what any of them prints when it refuses. A test runs every command and holds its output against this.
import { decisionShapes, verifyReasons } from './decision-shapes.ts';
import { eventShapes } from './event-shapes.ts';
import { handShapes } from './hand-shapes.ts';
import { lockShapes, waitGraph } from './lock-shapes.ts';
import {
  amount,
  count,
  defined,
  either,
  flag,
  type JsonSchema,
  list,
  mapOf,
  object,
  one,
  orNull,
  text,
  texts,
  time,
  yes,
} from './shape.ts';

const status = one('pending', 'in_progress', 'completed', 'failed', 'blocked', 'suspended', 'skipped');
const outcome = one('complete', 'failed', 'stuck', 'waiting', 'paused', 'aborted');
const inTheWay = object({ task: text, status });
const example = object({ file: text, text });
const picture = { format: one('mermaid', 'dot', 'svg'), text, file: orNull(text) };
const steering = object({ plan: text, events: list(defined('event')), running: flag });
const saved = { id: text, task: text, attempt: text, plan: text, at: time, reason: text };
const planChanges = list(one('title', 'phases', 'order', 'keys'));
const standing = {
  plan: text,
  title: text,
  outcome: orNull(outcome),
  running: flag,
  paused: flag,
  planStatus: status,
  lastRun: one('none', 'running', 'ended', 'cut-off', 'by-hand'),
  summary: defined('summary'),
};

const shared: Readonly<Record<string, JsonSchema>> = {
  ...eventShapes,
  'outcome-word': outcome,
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
  diagnostic: object({
    severity: one('error', 'warning'),
    code: text,
    message: text,
    file: text,
    line: count,
    column: count,
    length: count,
    excerpt: text,
    'help?': text,
  }),
  error: object({
    type: one('error'),
    exitCode: count,
    message: text,
    instead: orNull(text),
    diagnostics: list(defined('diagnostic')),
    'stack?': text,
  }),
  /** The last line of `run --json`. */
  outcome: object({
    type: one('outcome'),
    seq: count,
    at: time,
    outcome,
    exitCode: count,
    summary: defined('summary'),
    blocked: list(object({ task: text, causes: list(defined('cause')) })),
    decisions: list(defined('decision')),
    plan: text,
    run: text,
    failed: list(object({ task: text, failure: defined('failure'), optional: flag, log: orNull(text), tail: texts })),
    skipped: texts,
    durationMs: amount,
  }),
  'dry-run': object({
    plan: text,
    order: text,
    limits: object({ plan: count, 'workspace?': count, pools: mapOf(count) }),
    criticalPath: object({ tasks: texts, estimateMs: orNull(amount) }),
    estimate: orNull(object({ wallMs: orNull(amount), measured: count, ownKind: count })),
    waves: list(
      object({
        tasks: list(
          object({
            id: text,
            title: text,
            command: text,
            pools: texts,
            locks: object({ exclusive: texts, shared: texts }),
            estimateMs: orNull(amount),
          }),
        ),
        conflicts: list(object({ keys: texts, tasks: texts })),
        moreConflicts: flag,
      }),
    ),
  }),
  reason: either(
    object({ kind: one('need'), task: text, status, causes: list(defined('cause')), 'via?': text, 'part?': yes }),
    object({ kind: one('preference'), task: text, status, 'via?': text }),
    object({ kind: one('phase'), phase: text, tasks: list(inTheWay), 'step?': yes }),
    object({ kind: one('slot'), pool: text, limit: count, running: count }),
    object({ kind: one('backoff'), until: time, failure: orNull(defined('failure')) }),
    object({
      kind: one('lock'),
      resource: text,
      holder: text,
      task: orNull(text),
      how: one('held', 'behind', 'after'),
      'unattended?': object({ is: one('dead', 'alone', 'asked'), plan: text }),
      since: orNull(time),
    }),
    object({ kind: one('paused'), by: text, 'reason?': text }),
    object({ kind: one('suspended', 'skipped'), by: text, reason: orNull(text) }),
    object({ kind: one('failed'), failure: defined('failure'), attempts: count, 'left?': count, 'again?': yes }),
    object({ kind: one('done'), at: orNull(time), by: orNull(text) }),
    object({ kind: one('running'), attempt: text, since: time, ending: flag, 'check?': text, 'by?': text }),
    ...verifyReasons,
  ),
};

export const commandShapes: Readonly<Record<string, JsonSchema>> = {
  run: either(defined('event'), defined('outcome'), defined('dry-run')),
  check: object({
    plan: text,
    ok: flag,
    title: text,
    tasks: count,
    groups: count,
    phases: count,
    order: text,
    orderAssumed: flag,
    diagnostics: list(defined('diagnostic')),
    unsupported: list(object({ key: text, 'task?': text, line: count })),
  }),
  fmt: object({
    plan: text,
    changed: flag,
    written: flag,
    untouched: flag,
    hindrance: orNull(object({ line: count, message: text, help: text })),
    ids: texts,
    'text?': text,
  }),
  import: object({
    tool: text,
    source: text,
    plan: orNull(text),
    tasks: count,
    groups: count,
    losses: list(object({ what: text, tasks: texts })),
    'text?': text,
  }),
  explain: either(
    object({ kind: one('diagnostic'), code: text, about: text, wrong: example, right: example }),
    object({ kind: one('exit'), code: count, word: text, about: text, ways: texts }),
  ),
  status: object({
    ...standing,
    tasks: list(
      object({
        id: text,
        title: text,
        phase: text,
        'parent?': text,
        'group?': yes,
        'optional?': yes,
        'closes?': one('group', 'phase', 'plan'),
        status,
        stage: orNull(one('running', 'checking', 'reviewing')),
        attempts: count,
        needs: texts,
        prefers: texts,
        blockedBy: texts,
        startedAt: orNull(time),
        endedAt: orNull(time),
        retryAt: orNull(time),
        failure: orNull(defined('failure')),
        'notes?': text,
        'finding?': text,
        by: orNull(text),
        reason: orNull(text),
      }),
    ),
    decisions: list(defined('decision')),
  }),
  progress: object({ ...standing, percent: count }),
  graph: either(
    object({
      plan: text,
      title: text,
      order: text,
      phases: texts,
      nodes: list(
        object({ id: text, title: text, phase: count, 'parent?': text, 'group?': yes, 'optional?': yes, status }),
      ),
      edges: list(object({ from: text, to: text, kind: one('need', 'preference') })),
      picture: orNull(object({ ...picture, folded: count })),
    }),
    object({ ...waitGraph, picture: orNull(object(picture)) }),
  ),
  next: object({
    plan: text,
    tasks: list(object({ id: text, title: text, phase: text, status: one('pending', 'failed'), waitsFor: texts })),
  }),
  why: object({
    task: text,
    status,
    reasons: list(defined('reason')),
    'notes?': text,
    'finding?': text,
    'unlogged?': texts,
    plan: text,
    title: text,
    running: flag,
  }),
  verify: object({
    plan: text,
    ok: flag,
    total: count,
    passed: count,
    checks: list(
      object({
        command: text,
        tasks: texts,
        result: one('passed', 'failed', 'timed-out', 'interrupted'),
        code: orNull(count),
        durationMs: amount,
        log: text,
        tail: texts,
      }),
    ),
  }),
  events: defined('event'),
  logs: object({ attempt: text, text }),
  plans: object({ current: orNull(text), plans: list(object({ ...standing, changedAt: time })) }),
  set: object({ plan: text, file: text }),
  retry: steering,
  skip: steering,
  suspend: steering,
  resume: steering,
  pause: steering,
  stop: steering,
  reload: object({
    plan: text,
    ...{ added: texts, removed: texts, kept: texts, changed: texts, planChanges, rewritten: texts },
  }),
  'saved list': object({ saved: list(object({ ...saved, files: count })) }),
  'saved show': object({
    ...saved,
    files: list(
      object({
        path: text,
        was: one('changed', 'new', 'deleted'),
        mode: orNull(text),
        bytes: orNull(count),
        target: orNull(text),
        diff: orNull(text),
        without: orNull(one('same', 'binary', 'large', 'deleted', 'no-file')),
      }),
    ),
  }),
  'saved restore': object({
    id: text,
    to: text,
    written: texts,
    deleted: texts,
    same: texts,
    left: list(object({ path: text, why: text })),
  }),
  doctor: object({
    root: text,
    ok: flag,
    checks: list(
      object({ id: text, status: one('ok', 'warning', 'broken'), message: text, 'help?': text, 'fixed?': yes }),
    ),
  }),
  validate: object({
    root: text,
    ok: flag,
    events: count,
    plans: texts,
    problems: list(
      object({
        about: one(
          ...(['database', 'log', 'snapshot', 'locks', 'attempts'] as const),
          ...(['status', 'backup', 'summary', 'findings', 'timestamps'] as const),
        ),
        plan: orNull(text),
        message: text,
        help: text,
        fixed: flag,
      }),
    ),
  }),
  'sync-check': object({
    plan: text,
    loaded: flag,
    inSync: flag,
    running: flag,
    added: texts,
    removed: texts,
    kept: texts,
    changed: texts,
    planChanges,
    renamed: list(object({ from: text, to: text })),
    conflicts: list(object({ task: text, what: one('changed', 'removed') })),
    run: one('nothing', 'takes', 'refuses', 'waits'),
  }),
  ...lockShapes,
  ...decisionShapes,
  ...handShapes,
  completion: object({ shell: text, script: text }),
};

/** Commands have a prefix, because some are called like what they print. */
export const outputSchema = (): JsonSchema => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'What signalbox --json prints',
  description: 'command:NAME is one object, or one line of a stream; error is what any command prints when it refuses',
  $defs: {
    ...shared,
    ...Object.fromEntries(Object.entries(commandShapes).map(([name, shape]) => [`command:${name}`, shape])),
  },
});
