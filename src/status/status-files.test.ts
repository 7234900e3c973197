// When the files are written, with a clock that the test holds in its hand.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { begin } from '../../test/scenario.ts';
import type { Event } from '../core/model/event.ts';
import { attemptId, planPath, taskId } from '../core/model/ids.ts';
import type { Store } from '../store/store.ts';
import { type AttemptTimes, attemptTimes } from './attempt-times.ts';
import { changesStatus, StatusFiles, type StatusParts } from './status-files.ts';

const path = planPath('plan.md');
let workspace: StatusParts['workspace'];
let clock = 0;
let cost = 10;
const warnings: string[] = [];
const nothing = (): void => undefined;
let onWarning = nothing;
/** What others do before it is placed. */
const meanwhile: (() => unknown)[] = [];
const place = () => join(workspace.root, 'docs/plan-outputs/plan/status.json');
const written = () => (existsSync(place()) ? JSON.parse(readFileSync(place(), 'utf8')).seq : 0);

const timesFile = (task: string) => join(workspace.root, `docs/plan-outputs/plan/timestamps/${task}%231.json`);
const timesOf = (task: string): AttemptTimes => ({
  attempt: `${task}#1`,
  task,
  plan: path,
  run: null,
  scheduledAt: '',
  startedAt: null,
  endedAt: '',
  duration: null,
  parked: 0,
});

function filesOf(scenario: ReturnType<typeof begin>): StatusFiles {
  const { state } = scenario;
  const store = {
    workspace: '0123456789',
    read: async (look: (of: typeof state) => unknown) => look(state),
    transact: async (work: (tx: { state: typeof state }) => unknown) => {
      for (const step of meanwhile.splice(0)) step();
      return work({ state });
    },
  } as unknown as Store;
  return new StatusFiles({
    workspace,
    store,
    isRunning: () => {
      clock += cost;
      return true;
    },
    describeFailure: ({ kind }) => kind,
    warn: (text) => {
      warnings.push(text);
      onWarning();
    },
  });
}

const turn = () => new Promise((done) => setImmediate(done));
const pass = async (ms: number) => {
  clock += ms;
  vi.advanceTimersByTime(ms);
  await turn();
};
/** What is being written is on disk. */
const done = async (files: StatusFiles) => {
  await files.flush();
  await turn();
};
const until = async (isSo: () => boolean) => {
  for (const end = Date.now() + 5000; !isSo() && Date.now() < end; ) await turn();
  expect(isSo()).toBe(true);
};

beforeEach(() => {
  const root = mkdtempSync(join(tmpdir(), 'signalbox-files-'));
  workspace = { root, stateFolder: join(root, '.signalbox'), outputsFolder: join(root, 'docs/plan-outputs') };
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const hrtime: unknown = () => [Math.floor(clock / 1000), (clock % 1000) * 1e6];
  vi.spyOn(process, 'hrtime').mockImplementation(hrtime as typeof process.hrtime);
  warnings.length = 0;
  onWarning = nothing;
  cost = 10;
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  rmSync(workspace.root, { recursive: true, force: true });
});

describe('status.json', () => {
  it('is written before a command goes on', async () => {
    const scenario = begin('a, b');
    await filesOf(scenario).committed([path], []);
    expect(written()).toBe(scenario.state.seq);
  });

  it('is spaced in a run by twenty times what it took, and written at its end', async () => {
    const scenario = begin('a, b, c');
    const files = filesOf(scenario);
    await files.spaced(async () => {
      await files.committed([path], []);
      expect(written()).toBe(0);
      await pass(0);
      await done(files);
      const first = written();
      expect(first).toBe(scenario.state.seq);
      scenario.schedule('a');
      await files.committed([path], []);
      scenario.schedule('b');
      await files.committed([path], []);
      await pass(199);
      expect(written()).toBe(first);
      await pass(1);
      await done(files);
      expect(written()).toBe(scenario.state.seq);
      scenario.schedule('c');
      await files.committed([path], []);
      expect(written()).toBeLessThan(scenario.state.seq);
    });
    expect(written()).toBe(scenario.state.seq);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('waits as long for what is committed while it is being written', async () => {
    const scenario = begin('a, b, c');
    const files = filesOf(scenario);
    await files.spaced(async () => {
      meanwhile.push(() => {
        scenario.schedule('a');
        void files.committed([path], []);
      });
      await files.committed([path], []);
      await pass(0);
      await until(() => vi.getTimerCount() === 1);
      const first = written();
      expect(first).toBe(scenario.state.seq - 1);
      await pass(199);
      expect([written(), vi.getTimerCount()]).toEqual([first, 1]);
      await pass(1);
      await done(files);
      expect(written()).toBe(scenario.state.seq);
    });
  });

  it('is not waited for by a run, and neither are times: both come between two turns', async () => {
    const scenario = begin('a');
    const files = filesOf(scenario);
    await files.spaced(async () => {
      await files.committed([path], [timesOf('a')]);
      expect([written(), existsSync(timesFile('a'))]).toEqual([0, false]);
      await pass(0);
      expect([written(), existsSync(timesFile('a'))]).toEqual([scenario.state.seq, true]);
      await files.committed([path], [timesOf('b')]);
      await pass(0);
      expect(existsSync(timesFile('b'))).toBe(false);
    });
    expect(existsSync(timesFile('b'))).toBe(true);
  });

  it('that cannot be written is told once, and tried again', async () => {
    writeFileSync(join(workspace.root, 'docs'), 'in its way');
    const scenario = begin('a');
    const files = filesOf(scenario);
    await files.spaced(async () => {
      await files.committed([path], [timesOf('a')]);
      await pass(0);
      await until(() => warnings.length > 0);
      rmSync(join(workspace.root, 'docs'));
    });
    expect(written()).toBe(scenario.state.seq);
    // And so are the times that were to come with it.
    expect(existsSync(timesFile('a'))).toBe(true);
    expect(warnings).toEqual([
      expect.stringMatching(/^the status\.json of plan\.md could not be written \(.*docs is a link/),
    ]);
  });

  it('that cannot be written when the run ends is tried once more', async () => {
    writeFileSync(join(workspace.root, 'docs'), 'in its way');
    const scenario = begin('a');
    const files = filesOf(scenario);
    await files.spaced(async () => {
      await files.committed([path], [timesOf('a')]);
      vi.advanceTimersByTime(0);
      onWarning = () => rmSync(join(workspace.root, 'docs'));
    });
    expect([written(), existsSync(timesFile('a'))]).toEqual([scenario.state.seq, true]);
  });

  it('is about plans, and not about locks or those whom Signalbox did not start', () => {
    const about = (type: string, plan: string) => changesStatus({ type, plan } as Event);
    expect([about('task-skipped', 'p'), about('lock-acquired', 'p'), about('task-skipped', '')]).toEqual([
      true,
      false,
      false,
    ]);
  });
});

describe('the times of an attempt', () => {
  it('are those of its schedule, its start, its end, and its waiting for locks', () => {
    const scenario = begin('a, b').schedule('a').after(5).start('a').after(10);
    const live = scenario.live('a');
    live.parkedMs = 3;
    live.parkedSince = live.startedAt + 6;
    const { plan, task, attempt, token, run } = live;
    const end = {
      type: 'attempt-ended',
      v: 1,
      plan,
      task,
      attempt,
      token,
      run,
      end: { kind: 'exited', code: 0 },
    } as const;
    const now = live.startedAt + 10;
    expect(attemptTimes(scenario.state, end, now)).toMatchObject({ attempt: 'a#1', duration: 10, parked: 7, run });
    expect(attemptTimes(scenario.state, { ...end, token: 99 }, now)).toBeNull();
  });

  it('of one that never started have no duration', () => {
    const scenario = begin('a').schedule('a');
    const { plan, task, attempt, token, run } = scenario.live('a');
    const end = {
      type: 'attempt-ended',
      v: 1,
      plan,
      task,
      attempt,
      token,
      run,
      end: { kind: 'never-started' },
    } as const;
    expect(attemptTimes(scenario.state, end, 2_000_000)).toMatchObject({ startedAt: null, duration: null });
  });

  it('by hand begin when it was started, and end when it is handed in or fails', () => {
    const scenario = begin('a, b');
    const about = {
      v: 1,
      plan: path,
      task: taskId('a'),
      attempt: attemptId(taskId('a'), 1),
      token: 1,
      by: 'ann',
    } as const;
    const handIn = { type: 'task-handed-in', ...about, checks: 0 } as const;
    expect(attemptTimes(scenario.state, handIn, 1)).toBeNull();
    scenario.record({ type: 'task-started', ...about });
    const { startedAt } = scenario.task('a').hand!;
    expect(attemptTimes(scenario.state, handIn, startedAt + 50)).toMatchObject({
      attempt: 'a#1',
      duration: 50,
      run: null,
    });
    expect(attemptTimes(scenario.state, { type: 'task-seen', ...about }, startedAt)).toBeNull();
  });
});
