// Whatever a plan, an agent or a person's reason contains, nothing of it acts on the terminal.
import { expect, it } from 'vitest';
import { aPlan, aReport, aStatus, aTask, CliRig, happened, noTasks, stored } from '../../../test/rigs/cli-rig.ts';
import { locked } from '../../../test/rigs/lock-rig.ts';
import type { FilesDoor } from '../../api/files/files-door.ts';
import { drawGraph } from '../../api/graph/draw-graph.ts';
import { drawWaits } from '../../api/graph/draw-waits.ts';
import type { HandDoor } from '../../api/hand/hand-door.ts';
import type { LockDoor } from '../../api/locks/lock-door.ts';
import { waitReport } from '../../api/locks/wait-report.ts';
import { Refusal } from '../../api/refusal.ts';
import type { LockReport } from '../../api/reports/locks.ts';
import type { Signalbox } from '../../api/signalbox.ts';
import { attemptId, runId, taskId } from '../../core/model/ids.ts';

const evil = 'x\x1b]0;title\x07\x1b[31m\x1b[2J\u009b5A\u202egnp\r\nsecond line\x07\x00';
const task = taskId(evil);
const failure = { kind: 'unstartable', message: evil } as const;
const causes = [{ task, status: 'failed' as const }];
const about = { run: runId(evil), task, attempt: attemptId(task, 1), token: 1 };

async function* stream<T>(...items: T[]) {
  yield* items;
}

const events = [
  happened.loaded(0, { ...aPlan([evil], { title: evil }), title: evil }),
  happened.runStarted(0),
  happened.scheduled(1, evil),
  happened.started(1, evil),
  stored(2, {
    type: 'retry-scheduled',
    run: about.run,
    task,
    attempt: about.attempt,
    because: 'failed',
    failure,
    notBefore: 0,
  }),
  stored(2, { type: 'task-failed', task, failure }),
  stored(3, { type: 'task-skipped', task, by: evil, reason: evil }),
  stored(3, { type: 'plan-paused', by: evil, reason: evil }),
  stored(3, { type: 'task-retried', task, by: evil, note: evil }),
];
const who = { owner: evil, task: evil, plan: evil };
const since = '2026-01-01T00:00:00.000Z';
const holders = [{ ...who, resource: evil, does: 'holds' as const, since }];
const refused = (answer: LockReport['answer']) => async (): Promise<LockReport> => ({
  ...{ answer, owner: evil, resources: [evil], holders, reason: evil, release: [evil], waitedMs: 0 },
});
const released = async () => ({ owner: evil, released: [evil], notHeld: [evil] });
const locks: LockDoor = {
  try: refused('granted'),
  wait: refused('deadlock'),
  release: released,
  releaseAll: released,
  signOfLife: async () => false,
  leave: released,
  check: async () => ({ resource: evil, free: false, holders }),
  list: async () => ({
    holds: [{ ...who, resource: evil, mode: 'shared', since, fence: 1, heldMs: 1, until: null, leftMs: null }],
    waits: [{ ...who, resources: [evil], since, waitedMs: 1, blockedBy: [evil] }],
    deadlocks: [evil],
  }),
  waits: async ({ format }) => {
    const report = waitReport(locked([evil, 'holds', evil], ['b', 'waits', evil]));
    return { ...report, picture: format ? { format, text: drawWaits(report, format), file: null } : null };
  },
};
const steered = async () => ({ plan: evil, events, running: false });
const diagnostic = {
  severity: 'error',
  code: 'x',
  message: evil,
  file: evil,
  line: 1,
  column: 1,
  length: 1,
  excerpt: evil,
  help: evil,
} as const;

const savedAbout = { id: evil, task: evil, attempt: evil, plan: evil, at: '2026-01-01T00:00:00.000Z', reason: evil };

const red = { command: evil, green: false, exitCode: 1, because: 'ended', durationMs: 1, tail: evil } as const;
const marked =
  (ok: boolean): HandDoor['markStarted'] =>
  async (_, __, options) => {
    const { onCheck, onOutput } = options as { onCheck?: (text: string) => void; onOutput?: (text: string) => void };
    onCheck?.(evil);
    onOutput?.(evil);
    return {
      ...({ plan: evil, task: evil, ok, status: 'completed', attempt: evil, running: false } as const),
      ...{ checks: ok ? [] : [red], events },
    };
  };
const found = async () => ({ plan: evil, task: evil, file: evil, text: evil });
const handRun = async () => ({
  ...{ plan: evil, run: 'x', startedAt: '2026-01-01T00:00:00Z', completedAt: null, completed: 1, failed: 1 },
});

const box: Partial<Signalbox> = {
  locks: async () => locks,
  files: async () => ({
    check: async () => ({
      ...{ plan: evil, ok: true, title: evil, tasks: 1, groups: 0, phases: 1, order: evil, orderAssumed: true },
      diagnostics: [diagnostic],
      hindrances: [{ task: evil, line: 1, message: evil, help: evil }],
      unsupported: [{ key: evil, task: evil, line: 1 }],
      notes: [evil],
    }),
    set: async () => ({ plan: evil, file: evil }),
    reload: async () => ({
      plan: evil,
      ...{
        added: [evil],
        removed: [evil],
        kept: [],
        changed: [evil],
        nextAttempt: [],
        ticked: [],
        planChanges: [],
        rewritten: [evil],
      },
    }),
    ...({} as Pick<FilesDoor, 'format' | 'import' | 'syncCheck'>),
  }),
  status: async () =>
    aStatus(
      [
        aTask(evil, { title: evil, phase: evil, status: 'failed', failure }),
        aTask(`${evil}2`, { status: 'blocked', blockedBy: [evil] }),
      ],
      { title: evil, plan: evil },
    ),
  progress: async () => ({ ...aStatus([]), title: evil, plan: evil, percent: 0 }),
  graph: async (_, { format }) => {
    const node = { id: evil, title: evil, phase: 0, status: 'failed' as const };
    const report = {
      plan: evil,
      title: evil,
      order: evil,
      phases: [evil],
      nodes: [node],
      edges: [],
      barriers: [],
      picture: null,
    };
    return format === undefined ? report : { ...report, picture: { format, ...drawGraph(report, format), file: evil } };
  },
  run: async (_, { onEvents, onNotice }) => {
    onNotice?.(evil, 'warning');
    onNotice?.(evil, 'remark');
    onEvents?.(events);
    return aReport({
      outcome: 'stuck',
      exitCode: 5,
      blocked: [{ task: taskId(`${evil}2`), causes }],
      failed: [{ task: evil, failure, optional: false, log: evil, tail: [evil] }],
      skipped: [evil],
    });
  },
  runs: async () => ({
    attach: async (plan, { onBegin, onEvents }) => {
      await onBegin?.({ run: evil, pid: 7, begunAt: 0 });
      onEvents?.(events);
      const report = aReport({ plan: evil, decisions: [], skipped: [evil] });
      if (plan === 'left.md') return { kind: 'left', plan: evil };
      return { kind: plan === 'died.md' ? 'died' : 'ended', run: evil, pid: 7, begunAt: 0, report };
    },
    detach: async () => ({ kind: 'begun', report: { plan: evil, run: evil, pid: 7, log: evil, exitCode: null } }),
  }),
  dryRun: async () => ({
    plan: evil,
    order: evil,
    summary: { ...noTasks, totalTasks: 1, pending: 1 },
    limits: { plan: 1, pools: { [evil]: 1 } },
    criticalPath: { tasks: [evil, evil], estimateMs: null },
    estimate: null,
    isolation: { kind: 'worktree', because: evil, branch: evil, notes: [evil] },
    hindrances: [{ task: evil, line: 1, message: evil, help: evil }],
    notes: [evil],
    waves: Array.from({ length: 2 }, () => ({
      tasks: [
        {
          id: evil,
          title: evil,
          command: evil,
          pools: [evil],
          locks: { exclusive: [evil], shared: [evil] },
          estimateMs: null,
        },
      ],
      conflicts: [{ keys: [evil], tasks: [evil, evil] }],
      moreConflicts: false,
    })),
  }),
  next: async () => ({
    plan: evil,
    tasks: [{ id: evil, title: evil, phase: evil, status: 'failed', waitsFor: [evil] }],
  }),
  why: async () => ({
    plan: evil,
    task: evil,
    title: evil,
    status: 'blocked',
    reasons: [{ kind: 'need', task, status: 'failed', causes }],
    running: false,
  }),
  plans: async () => ({
    current: evil,
    plans: [
      {
        plan: evil,
        title: evil,
        outcome: null,
        running: false,
        paused: false,
        planStatus: 'pending',
        lastRun: 'none',
        summary: noTasks,
        changedAt: '2026-01-01T00:00:00Z',
      },
    ],
  }),
  events: () => stream(...events),
  logs: () => stream({ attempt: evil, text: evil }),
  results: async () => ({
    land: async () => ({
      ...({
        plan: evil,
        branch: evil,
        onto: evil,
        result: 'landed',
        how: 'merge',
        before: evil,
        commit: evil,
      } as const),
      ...{ commits: 1, files: [evil], because: null, instead: null },
    }),
    diff: async () => ({
      ...({ plan: evil, task: evil, attempt: evil, source: 'branch', base: evil, head: evil, cut: true } as const),
      files: [
        {
          ...({ path: evil, from: evil, was: 'renamed', modeBefore: '100644', mode: '100755' } as const),
          ...{ added: 1, removed: 0, bytesBefore: null, bytes: null, diff: `@@ -0,0 +1,2 @@\n+${evil}` },
        },
      ],
      notes: [evil],
    }),
    clean: async () => ({
      plan: evil,
      items: (['would-go', 'stays', 'failed'] as const).map((state) => ({
        ...({ kind: 'tree', name: evil, task: evil, bytes: 1, state, because: evil } as const),
      })),
    }),
    savedList: async () => ({ saved: [{ ...savedAbout, files: 1 }] }),
    savedShow: async () => ({
      ...savedAbout,
      files: [
        {
          path: evil,
          was: 'new',
          mode: '0644',
          bytes: 1,
          target: null,
          diff: `@@ -0,0 +1,2 @@\n+${evil}`,
          without: null,
        },
        { path: evil, was: 'changed', mode: null, bytes: null, target: evil, diff: null, without: 'no-file' },
      ],
    }),
    savedRestore: async () => ({
      ...{ id: evil, to: evil, written: [evil], deleted: [evil], same: [evil] },
      left: [{ path: evil, why: evil }],
    }),
  }),
  steering: async () => ({
    ...{ retry: steered, skip: steered, suspend: steered },
    ...{ resume: steered, pause: steered, stop: steered },
    reset: async () => ({
      ...{ plan: evil, result: 'reset', round: 1, attempts: 1, decisions: 1, ticked: 1, outputs: evil },
      ...{ summary: noTasks, results: { branch: evil, kept: evil, commits: 1 } },
    }),
  }),
  hand: async () => ({
    ...{ markStarted: marked(true), markCompleted: marked(false), markFailed: marked(true), markSkipped: marked(true) },
    ...{ writeFindings: found, readFindings: found, startRun: handRun, completeRun: handRun },
    detectStuck: async () => ({
      ...{ plan: evil, limitMs: 1, watched: 1 },
      stuck: [
        {
          ...({ task: evil, attempt: evil, kind: 'hand', by: evil, lastSign: '2026-01-01T00:00:00Z' } as const),
          ...{ silentMs: 1, message: evil, waitsForRun: false, marked: true, filesLeft: true },
        },
      ],
    }),
    planFiles: async () => [evil],
    ...({} as Pick<HandDoor, 'outputs' | 'load' | 'statusFile' | 'findFindings'>),
  }),
};

const commands = [
  ['mark-started', 'x'],
  ['mark-failed', evil, '--error', evil],
  ['mark-skipped', 'x'],
  ['write-findings', 'x'],
  ['read-findings', 'x'],
  ['start-run', 'x'],
  ['complete-run', 'x'],
  ['detect-stuck'],
  ['run'],
  ['run', '--verbose'],
  ['run', '--dry-run'],
  ['check', 'p'],
  ['status'],
  ['status', '--verbose'],
  ['progress', '--verbose'],
  ['graph'],
  ['graph', '--waits'],
  ['lock', 'try', 'x'],
  ['lock', 'release', 'x'],
  ['lock', 'release-all'],
  ['lock', 'check', 'x'],
  ['lock', 'list'],
  ['next'],
  ['why', 'x'],
  ['events'],
  ['events', '--verbose'],
  ['logs', 'x'],
  ['plans'],
  ['saved', 'list'],
  ['saved', 'show', 'x'],
  ['saved', 'restore', 'x', '--verbose'],
  ['set', 'p'],
  ['retry', 'x'],
  ['skip', 'x'],
  ['suspend', evil],
  ['resume', evil],
  ['pause', evil],
  ['stop'],
  ['reload'],
  ['reset'],
  ['attach'],
  ['attach', 'left.md'],
  ['attach', 'died.md'],
  ['run', '--detach'],
];
const active = /[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/;

it.each(commands.flatMap((argv) => [[argv], [[...argv, '--json']]]))('%j prints nothing that acts', async (argv) => {
  const rig = new CliRig(box);
  await rig.run(...argv);
  expect(rig.out).toContain('x');
  expect(rig.out).not.toMatch(active);
  expect(rig.err).not.toMatch(active);
  // Only what an attempt printed or wrote itself may begin a new line.
  if (!['logs', 'read-findings'].includes(argv[0]!) && argv[1] !== 'show') expect(rig.out).not.toMatch(/^second line/m);
});

it('a red check prints nothing that acts', async () => {
  const rig = new CliRig(box);
  expect(await rig.run('mark-complete', 'x')).toBe(1);
  expect(rig.err).toContain('x');
  expect(rig.err).not.toMatch(active);
});

it('neither does a choice of plans', async () => {
  const rig = new CliRig(box);
  expect(await rig.run('set')).toBe(2);
  expect(rig.err).not.toMatch(active);
});

it.each([
  ['a refusal', new Refusal(3, evil, { instead: evil, diagnostics: [diagnostic] })],
  ['a bug', new Error(evil)],
])('%s prints nothing that acts', async (_, error) => {
  const rig = new CliRig({ status: async () => Promise.reject(error) });
  await rig.run('status', '--verbose');
  expect(rig.err).not.toMatch(active);
});

it('a refused lock prints nothing that acts', async () => {
  const rig = new CliRig(box);
  expect(await rig.run('lock', 'wait', evil, '--agent', evil)).toBe(5);
  expect(rig.err).not.toMatch(active);
  expect(rig.err).not.toMatch(/^second line/m);
});

it('neither does what was typed', async () => {
  const rig = new CliRig(box);
  expect(await rig.run(evil)).toBe(2);
  expect(await rig.run('run', '--max-parallel', evil)).toBe(2);
  expect(rig.err).not.toMatch(active);
});
