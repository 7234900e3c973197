// When the files are written, with a clock that the test holds in its hand.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { begin } from '../../../test/scenario.ts';
import type { Event } from '../../core/event.ts';
import { attemptId, planPath, taskId } from '../../core/ids.ts';
import type { Store } from '../../store/store.ts';
import { openWorkspace, type Workspace } from '../workspace.ts';
import { attemptTimes } from './attempt-times.ts';
import { StatusFiles } from './status-files.ts';

const path = planPath('plan.md');
let workspace: Workspace;
let clock = 0;
let cost = 10;
const warnings: string[] = [];
/** What others do as soon as the log was asked for what is new. */
const meanwhile: (() => unknown)[] = [];
const place = () => join(workspace.root, 'docs/plan-outputs/plan/status.json');
const written = () => (existsSync(place()) ? JSON.parse(readFileSync(place(), 'utf8')).seq : 0);

function filesOf(scenario: ReturnType<typeof begin>): StatusFiles {
  const { state } = scenario;
  const store = {
    workspace: '0123456789',
    read: async (look: (of: typeof state) => unknown) => look(state),
    events: async ({ after }: { after: number }) => {
      const found = scenario.events.filter(({ seq }) => seq > after);
      for (const step of meanwhile.splice(0)) step();
      return found;
    },
    transact: async (work: (tx: { state: typeof state }) => unknown) => {
      clock += cost;
      return work({ state });
    },
  } as unknown as Store;
  return new StatusFiles({ workspace, store, isRunning: () => true, warn: (text) => warnings.push(text) });
}

/** Until nothing is left to be done but what waits for a time. */
const rest = async () => {
  for (let i = 0; i < 20; i++) await Promise.resolve();
};
const pass = async (ms: number) => {
  clock += ms;
  vi.advanceTimersByTime(ms);
  await rest();
};

beforeEach(async () => {
  workspace = await openWorkspace(mkdtempSync(join(tmpdir(), 'signalbox-files-')), {});
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const hrtime: unknown = () => [Math.floor(clock / 1000), (clock % 1000) * 1e6];
  vi.spyOn(process, 'hrtime').mockImplementation(hrtime as typeof process.hrtime);
  warnings.length = 0;
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

  it('has what others did while it was made, though only what changed is made anew', async () => {
    const scenario = begin('a, b, c, d');
    const files = filesOf(scenario);
    await files.committed([path], []);
    scenario.schedule('a');
    meanwhile.push(() => scenario.schedule('b'));
    await files.committed([path], []);
    const { tasks } = JSON.parse(readFileSync(place(), 'utf8'));
    expect(tasks.map(({ status }: { status: string }) => status)).toEqual([
      ...['in_progress', 'in_progress', 'pending', 'pending'],
    ]);
  });

  it('is spaced in a run by twenty times what it took, and written at its end', async () => {
    const scenario = begin('a, b, c');
    const files = filesOf(scenario);
    await files.spaced(async () => {
      await files.committed([path], []);
      expect(written()).toBe(0);
      await pass(0);
      const first = written();
      expect(first).toBe(scenario.state.seq);
      scenario.schedule('a');
      await files.committed([path], []);
      scenario.schedule('b');
      await files.committed([path], []);
      await pass(199);
      expect(written()).toBe(first);
      await pass(1);
      expect(written()).toBe(scenario.state.seq);
      scenario.schedule('c');
      await files.committed([path], []);
      expect(written()).toBeLessThan(scenario.state.seq);
    });
    expect(written()).toBe(scenario.state.seq);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('that cannot be written is told once, and tried again', async () => {
    writeFileSync(join(workspace.root, 'docs'), 'in its way');
    const scenario = begin('a');
    const files = filesOf(scenario);
    const times = { attempt: 'a#1', task: 'a', plan: path, run: null, scheduledAt: '', startedAt: null, endedAt: '' };
    await files.spaced(async () => {
      await files.committed([path], [{ ...times, duration: null, parked: 0 }]);
      await pass(0);
      rmSync(join(workspace.root, 'docs'));
    });
    expect(written()).toBe(scenario.state.seq);
    // And so are the times that were to come with it.
    expect(existsSync(join(workspace.root, 'docs/plan-outputs/plan/timestamps/a%231.json'))).toBe(true);
    expect(warnings).toEqual([expect.stringMatching(/^the status\.json of plan\.md could not be written \(E/)]);
  });

  it('is about plans, and not about locks or those whom Signalbox did not start', () => {
    const about = (type: string, plan: string) => StatusFiles.isAbout({ type, plan } as Event);
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
