import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import {
  aPlan,
  aReport,
  aStatus,
  aTask,
  CliRig,
  happened,
  noTasks,
  startOfTime,
  stored,
  theRun,
} from '../../../test/rigs/cli-rig.ts';
import { Refusal } from '../../api/refusal.ts';
import type { RunReport } from '../../api/reports/run.ts';
import type { RunOptions, Signalbox } from '../../api/signalbox.ts';
import type { StoredEvent } from '../../core/model/event.ts';
import { attemptId, taskId } from '../../core/model/ids.ts';

const [a, b, c] = ['a', 'b', 'c'].map(taskId) as [
  ReturnType<typeof taskId>,
  ReturnType<typeof taskId>,
  ReturnType<typeof taskId>,
];
const status: Signalbox['status'] = async () => aStatus([aTask('a'), aTask('b'), aTask('lint', { optional: true })]);

/** A run that tells these events and ends with this report. */
function telling(events: readonly StoredEvent[], report: RunReport = aReport()): Partial<Signalbox> {
  return {
    status,
    run: async (_, { onEvents }) => {
      for (const event of events) onEvents?.([event]);
      return report;
    },
  };
}

const retry = stored(700, {
  type: 'retry-scheduled',
  run: theRun,
  task: b,
  attempt: attemptId(b, 1),
  because: 'failed',
  failure: { kind: 'exit', code: 1 },
  notBefore: startOfTime + 1900,
});

const story: StoredEvent[] = [
  happened.loaded(0, aPlan(['a', 'b', 'lint'])),
  happened.runStarted(0),
  happened.scheduled(0, 'a'),
  happened.started(5, 'a'),
  happened.started(5, 'b'),
  happened.ended(700, 'b', 1),
  retry,
  happened.ended(1200, 'a'),
  happened.completed(1200, 'a'),
  stored(1900, { type: 'backoff-ended', task: b }),
  { ...happened.scheduled(1900, 'b', 2), warnings: [{ task: taskId('lint'), status: 'failed' }] } as StoredEvent,
  happened.started(1901, 'b', 2),
  { ...happened.started(2000, 'b', 2), type: 'attempt-doomed', doom: { kind: 'timeout', limitMs: 100 } } as StoredEvent,
  happened.failed(2500, 'b'),
  { ...happened.failed(2600, 'lint'), optional: true } as StoredEvent,
  stored(2700, { type: 'task-skipped', task: c, by: 'ann', reason: 'by hand' }),
  stored(2800, { type: 'plan-paused', by: 'ann' }),
];

describe('a run that is watched', () => {
  it('prints one line for each happening', async () => {
    const rig = new CliRig(telling(story));
    expect(await rig.run('run')).toBe(0);
    expect(rig.out.split('\n\n')[0]).toBe(
      `The plan  3 tasks · at most 3 at once
▸  a     Title of a
▸  b     Title of b
↻  b     Title of b  exited with code 1; again in 1.2 s (attempt 2 of 3)
✔  a     Title of a  1.2 s
⚠  b     Title of b  goes on without the preferred lint: lint failed
▸  b     Title of b  attempt 2
■  b     Title of b  ran longer than 100 ms and is being stopped
✖  b     Title of b  failed: exited with code 3
⚠  lint  Title of lint  failed (optional): exited with code 3
–  c was skipped by ann: by hand
‖  the plan was paused by ann`,
    );
  });

  it('tells once what changed outside of the trees, though every attempt of that time saw it', async () => {
    const evidence = { incidents: [{ kind: 'shared', what: 'the stash changed' }] };
    const ends = ['a', 'b'].map((task) => ({ ...happened.ended(9, task), evidence }) as StoredEvent);
    const rig = new CliRig(telling([happened.runStarted(0), ...ends]));
    await rig.run('run');
    expect(rig.out.match(/.*stash.*/g)).toEqual(['⚠  a     Title of a  while it worked, the stash changed']);
  });

  it('prints every event with all its numbers when asked for more', async () => {
    const rig = new CliRig(telling(story));
    await rig.run('run', '--verbose');
    expect(rig.out).toContain('attempt-started: b#2 started [run r1, token 2, supervisor 42]\n');
    expect(rig.out.split('\n\n')[0]!.split('\n')).toHaveLength(story.length);
  });

  it('prints only warnings, failures and the summary with --quiet, also on a terminal', async () => {
    const quiet = `⚠  a database was kept aside
↻  b     Title of b  exited with code 1; again in 1.2 s (attempt 2 of 3)
⚠  b     Title of b  goes on without the preferred lint: lint failed
■  b     Title of b  ran longer than 100 ms and is being stopped
✖  b     Title of b  failed: exited with code 3
⚠  lint  Title of lint  failed (optional): exited with code 3

✔ complete: 7 tasks in 12 s
`;
    const run: Signalbox['run'] = async (_, { onEvents, onNotice }) => {
      onNotice?.('order: explicit is assumed', 'remark');
      onNotice?.('a database was kept aside', 'warning');
      for (const event of story) onEvents?.([event]);
      return aReport();
    };
    for (const live of [false, true]) {
      const rig = new CliRig({ status, run }, { live });
      expect(await rig.run('run', '-q')).toBe(0);
      expect(rig.out).toBe(quiet);
      expect(rig.pending).toBe(0);
    }
  });

  it.each(['--dry-run', '--verbose', '--json'])('refuses --quiet with %s', async (flag) => {
    const rig = new CliRig({ status });
    expect(await rig.run('run', '--quiet', flag)).toBe(2);
    expect(rig.out + rig.err).toContain('contradict each other');
  });

  it('is shown without titles when they cannot be had', async () => {
    const box = telling([happened.runStarted(0), happened.started(1, 'a')]);
    const rig = new CliRig({ ...box, status: async () => Promise.reject(new Error('busy')) });
    expect(await rig.run('run')).toBe(0);
    expect(rig.out).toContain('▸  a\n');
  });

  it('shows notices', async () => {
    const run: Signalbox['run'] = async (_, { onNotice }) => {
      onNotice?.('order: explicit is assumed', 'remark');
      onNotice?.('a database was kept aside', 'warning');
      return aReport();
    };
    const rig = new CliRig({ status, run });
    await rig.run('run');
    expect(rig.out).toMatch(/^order: explicit is assumed\n⚠ {2}a database was kept aside\n/);
  });

  it('has a live block on a terminal, and leaves only lines behind', async () => {
    const rig = new CliRig(telling(story), { live: true, columns: 60, color: true });
    await rig.run('run');
    expect(rig.out).toContain('━');
    const screen = replay(rig.out);
    expect(screen.join('\n')).not.toMatch(/[━─]{3}|running/);
    expect(screen).toContain('✔  a     Title of a  1.2 s');
    expect(screen.at(-2)).toBe('✔ complete: 7 tasks in 12 s');
    expect(rig.pending).toBe(0);
  });

  it('takes the block away before a refusal is told', async () => {
    const run: Signalbox['run'] = async (_, { onEvents }) => {
      onEvents?.([happened.runStarted(0), happened.started(1, 'a')]);
      await new Promise((resolve) => setTimeout(resolve, 5));
      throw new Refusal(8, 'already being run');
    };
    const rig = new CliRig({ status, run }, { live: true, columns: 60 });
    expect(await rig.run('run')).toBe(8);
    expect(replay(rig.out).join('\n')).not.toContain('running');
    expect(rig.pending).toBe(0);
  });

  it('has no escape sequence without a terminal', async () => {
    const rig = new CliRig(telling(story));
    await rig.run('run');
    expect(rig.out).not.toContain('\x1b');
  });
});

describe('a run that a program reads', () => {
  it('is one event per line, and the outcome last, as the contract has it', async () => {
    const report = aReport({
      outcome: 'stuck',
      exitCode: 5,
      summary: { ...noTasks, totalTasks: 2, failed: 1, blocked: 1 },
      blocked: [{ task: c, causes: [{ task: a, status: 'failed' }] }],
      failed: [{ task: 'a', failure: { kind: 'exit', code: 3 }, optional: false, log: 'x.log', tail: [] }],
    });
    const rig = new CliRig(telling(story, report));
    expect(await rig.run('run', '--json')).toBe(5);
    const lines = rig.json() as Record<string, unknown>[];
    expect(lines).toHaveLength(story.length + 1);
    for (const line of lines) {
      expect(line).toMatchObject({
        type: expect.any(String),
        seq: expect.any(Number),
        at: expect.stringMatching(/^2026-.*Z$/),
      });
    }
    expect(lines[3]).toMatchObject({ type: 'attempt-started', run: 'r1', task: 'a', attempt: 'a#1' });
    expect(rig.out.trimEnd().split('\n').at(-1)).toMatch(
      /^\{"type":"outcome","seq":41,"at":"2026-11-15T12:00:12.000Z","outcome":"stuck","exitCode":5,"summary":\{.*\},"blocked":\[\{"task":"c","causes":\[\{"task":"a","status":"failed"\}\]\}\],"decisions":\[\]/,
    );
    expect(rig.err).toBe('');
  });

  it('keeps notices out of the stream', async () => {
    const run: Signalbox['run'] = async (_, { onNotice }) => {
      onNotice?.('order: explicit is assumed', 'remark');
      onNotice?.('a database was kept aside', 'warning');
      return aReport();
    };
    const rig = new CliRig({ run });
    await rig.run('run', '--json');
    expect(rig.json()).toHaveLength(1);
    expect(rig.err).toBe('a database was kept aside\n');
  });
});

describe('interrupts', () => {
  /** A run that goes on until it is told to stop as hard as `until`. */
  function endless(until: string) {
    const asked: [string, number][] = [];
    let started: () => void = () => undefined;
    const going = new Promise<void>((resolve) => {
      started = resolve;
    });
    const run: Signalbox['run'] = (_, { onEvents, onInterruptible }: RunOptions) => {
      onEvents?.([happened.runStarted(0), happened.started(0, 'a'), happened.started(0, 'b')]);
      return new Promise((resolve) => {
        onInterruptible?.((mode, exitCode) => {
          asked.push([mode, exitCode]);
          if (mode === until) resolve(aReport({ outcome: 'aborted', exitCode }));
        });
        setTimeout(started, 5);
      });
    };
    return { box: { status, run }, asked, going };
  }

  const runAfter = async (until: string, signals: readonly ('interrupt' | 'terminate')[], argv: string[] = []) => {
    const { box, asked, going } = endless(until);
    const rig = new CliRig(box);
    const done = rig.run('run', ...argv);
    await going;
    for (const signal of signals) rig[signal]();
    return { exitCode: await done, asked, rig };
  };

  it('the first drains and says what the next will do', async () => {
    const { exitCode, asked, rig } = await runAfter('drain', ['interrupt']);
    expect(exitCode).toBe(130);
    expect(asked).toEqual([['drain', 130]]);
    expect(rig.out).toContain('■  letting 2 attempts end; Ctrl-C again stops them\n');
  });

  it('the second stops, the third kills', async () => {
    const { exitCode, asked } = await runAfter('kill', ['interrupt', 'interrupt', 'interrupt']);
    expect(exitCode).toBe(130);
    expect(asked).toEqual([
      ['drain', 130],
      ['stop', 130],
      ['kill', 130],
    ]);
  });

  it('a fourth does not wait any longer', async () => {
    const { exitCode } = await runAfter('never', ['interrupt', 'interrupt', 'interrupt', 'interrupt']);
    expect(exitCode).toBe(130);
  });

  it.each([[[]], [['--json']]])('a termination signal stops, a second one kills %j', async (argv) => {
    const { exitCode, asked } = await runAfter('kill', ['terminate', 'terminate'], argv);
    expect(exitCode).toBe(143);
    expect(asked).toEqual([
      ['stop', 143],
      ['kill', 143],
    ]);
  });

  it('a closed terminal stops, however often and by whatever other signal it is told', async () => {
    const { box, asked, going } = endless('kill');
    const rig = new CliRig(box);
    const done = rig.run('run');
    await going;
    for (const signal of ['SIGTERM', 'SIGHUP', 'SIGHUP']) rig.terminate(signal);
    expect(asked).toEqual([['stop', 143]]);
    expect(rig.out).toContain('received SIGTERM: stopping attempts');
    rig.terminate('SIGTERM');
    expect(await done).toBe(143);
    expect(asked).toEqual([
      ['stop', 143],
      ['kill', 143],
    ]);
  });

  it('one that comes before the run can be stopped is passed on', async () => {
    const asked: string[] = [];
    let rig: CliRig;
    const run: Signalbox['run'] = async (_, { onInterruptible }) => {
      rig.interrupt();
      onInterruptible?.((mode) => asked.push(mode));
      return aReport();
    };
    rig = new CliRig({ status, run });
    await rig.run('run');
    expect(asked).toEqual(['drain']);
  });
});

/** What a terminal shows in the end: knows the three sequences the screen uses. */
function replay(output: string): string[] {
  const rows: string[] = [''];
  let row = 0;
  for (const [, up, erase, text] of output.matchAll(/\r?\x1b\[(\d+)A|\r?(\x1b\[J)|([^\r\x1b]+|\x1b\[[\d;]*m)/g)) {
    if (up !== undefined) row -= Number(up);
    else if (erase !== undefined) rows.splice(row, rows.length, '');
    else {
      const [first = '', ...rest] = stripVTControlCharacters(text ?? '').split('\n');
      rows[row] += first;
      for (const line of rest) rows[++row] = line;
    }
  }
  return rows;
}
