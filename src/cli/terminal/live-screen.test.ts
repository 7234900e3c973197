import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { aPlan, aStatus, aTask, CliRig, happened, startOfTime, stored, theRun } from '../../../test/rigs/cli-rig.ts';
import { attemptId, taskId } from '../../core/model/ids.ts';
import { liveBlock } from '../run/live-block.ts';
import { RunProgress } from '../run/run-progress.ts';
import { displayWidth } from './display-width.ts';
import { LiveScreen } from './live-screen.ts';
import { paintFor } from './paint.ts';

describe('the screen', () => {
  const screenWith = (rig: CliRig, lines: string[] = ['bar', 'row']) => new LiveScreen(rig.io, () => lines);

  it('writes lines above the block, which it erases and draws again in one write', () => {
    const rig = new CliRig({}, { live: true, columns: 80 });
    const screen = screenWith(rig);
    screen.print(['one']);
    rig.pass(500);
    screen.print(['two']);
    expect(rig.writes.map(({ text }) => text)).toEqual(['one\nbar\nrow', '\r\x1b[1A\x1b[Jtwo\nbar\nrow']);
  });

  it('draws at most eight times a second however much happens, and loses no line', () => {
    const rig = new CliRig({}, { live: true, columns: 80 });
    const screen = screenWith(rig);
    for (let i = 0; i < 1000; i++) {
      screen.print([`line ${i}`]);
      rig.pass(1);
    }
    screen.close();
    expect(rig.writes.length).toBeLessThanOrEqual(10);
    const printed = stripVTControlCharacters(rig.out).match(/line \d+/g);
    expect(printed).toEqual(Array.from({ length: 1000 }, (_, i) => `line ${i}`));
  });

  it('draws once a second when only the clock moves', () => {
    const rig = new CliRig({}, { live: true, columns: 80 });
    new LiveScreen(rig.io, () => [`for ${rig.now - startOfTime} ms`]).changed();
    rig.pass(5_000);
    expect(rig.writes.map(({ at }) => at - startOfTime)).toEqual([0, 1000, 2000, 3000, 4000, 5000]);
  });

  it('leaves alone what has not changed, but draws it again in a terminal of another size', () => {
    const rig = new CliRig({}, { live: true, columns: 80 });
    screenWith(rig).changed();
    rig.pass(5_000);
    expect(rig.writes).toHaveLength(1);
    rig.resize();
    rig.resize();
    rig.pass(5_000);
    expect(rig.writes).toHaveLength(3);
  });

  it('erases all rows of a block that a narrower terminal has wrapped', () => {
    const rig = new CliRig({}, { live: true, columns: 40 });
    const screen = screenWith(rig, ['x'.repeat(39), 'y'.repeat(10)]);
    screen.changed();
    rig.pass(500);
    rig.columns = 20;
    rig.resize();
    expect(rig.writes.at(-1)!.text.startsWith('\r\x1b[2A\x1b[J')).toBe(true);
  });

  it('leaves nothing behind: no block, no timer', () => {
    const rig = new CliRig({}, { live: true, columns: 80 });
    const screen = screenWith(rig);
    screen.print(['one']);
    screen.close();
    expect(rig.out.endsWith('\r\x1b[1A\x1b[J')).toBe(true);
    expect(rig.pending).toBe(0);
  });

  it('writes lines only, at once, where there is no terminal', () => {
    const rig = new CliRig();
    const screen = screenWith(rig);
    screen.print(['one']);
    screen.print(['two']);
    screen.changed();
    screen.close();
    expect(rig.writes.map(({ text }) => text)).toEqual(['one\n', 'two\n']);
    expect(rig.pending).toBe(0);
  });
});

describe('the block', () => {
  const shown = (progress: RunProgress, columns: number, rows = 24) =>
    liveBlock(progress, { columns, rows, now: startOfTime + 8_400, paint: paintFor(false) });

  function running(ids: readonly string[], title?: string): RunProgress {
    const progress = new RunProgress();
    progress.apply(happened.loaded(0, aPlan(ids, title === undefined ? {} : { title })));
    progress.apply(happened.runStarted(0));
    for (const id of ids) progress.apply(happened.started(1_000, id));
    return progress;
  }

  it('has a bar, counts and what runs for how long', () => {
    const progress = running(['a', 'b', 'c']);
    progress.apply(happened.ended(2_000, 'a'));
    progress.apply(happened.completed(2_000, 'a'));
    expect(shown(progress, 60)).toEqual([
      '━━━━━━───────────── 1 of 3 done · 2 running · 8 s',
      '  ▸ b  Title of b  7 s',
      '  ▸ c  Title of c  7 s',
    ]);
  });

  it('shows what agents do, and cuts it to the terminal', () => {
    const progress = running(['a', 'b', 'c'], 'Write all of the many tests of the parser');
    const action = 'Edit src/a/long/way/down/to/the/parser/parse.ts';
    const acting = (id: string, what: string) => aTask(id, { action: what });
    expect(progress.act(aStatus([acting('a', action), acting('b', 'Bash\x1b[2J ls')]))).toBe(true);
    expect(progress.act(aStatus([acting('a', action), acting('b', 'Bash\x1b[2J ls')]))).toBe(false);
    expect(shown(progress, 80).slice(1)).toEqual([
      '  ▸ a  Write all of the many tests of the…  7 s · Edit …/to/the/parser/parse.ts',
      '  ▸ b  Write all of the many tests of the parser  7 s · Bash ls',
      '  ▸ c  Write all of the many tests of the parser  7 s',
    ]);
    for (let columns = 11; columns < 80; columns++)
      for (const line of shown(progress, columns)) expect(displayWidth(line)).toBeLessThan(columns);
    expect(progress.act(aStatus([]))).toBe(true);
    expect(shown(progress, 80)[1]).toMatch(/parser {2}7 s$/);
  });

  it('shows no action beside a check: that was the attempt before', () => {
    const progress = running(['a']);
    progress.act(aStatus([aTask('a', { action: 'Bash ls' })]));
    progress.running.set('a', { attempt: 'a#1', since: startOfTime, stage: 'checking' });
    expect(shown(progress, 80)[1]).toBe('  ▸ a  Title of a  checking 8 s');
  });

  describe('an attempt that waits for a lock is not running', () => {
    const who = (task: string) => ({
      owner: `#${task}`,
      task: taskId(task),
      attempt: attemptId(taskId(task), 1),
      run: theRun,
    });
    const process = { host: 'h' as never, pid: 1, startTime: '1' };
    const waits = (task: string, resource: string) =>
      stored(2_000, { type: 'lock-waiting', ...who(task), resource, wants: [], blockedBy: ['c#1'], process });
    const waiting = [`${'─'.repeat(26)} 0 of 2 done · 1 running · 1 waits for a lock · 8 s`];
    const rows = ['  ▸ a  Title of a  7 s', '  ‖ b  Title of b  waits for x.txt 7 s'];

    it('until it gets it, or gives up', () => {
      const ends = [
        (ticket: number) =>
          stored(3_000, { type: 'lock-acquired', ...who('b'), resource: 'x.txt', mode: 'exclusive', ticket }),
        (ticket: number) => stored(3_000, { type: 'lock-wait-ended', ...who('b'), ticket, because: 'timeout' }),
      ];
      for (const end of ends) {
        const progress = running(['a', 'b']);
        const wait = waits('b', 'x.txt');
        progress.apply(wait);
        expect(shown(progress, 80)).toEqual([...waiting, ...rows]);
        progress.apply(end(wait.seq));
        expect(shown(progress, 60)[0]).toContain(' · 2 running · ');
        progress.apply(waits('b', 'y.txt'));
        progress.apply(happened.ended(3_000, 'b'));
        expect(shown(progress, 60)[0]).toContain(' · 1 running · ');
        progress.apply(happened.started(3_000, 'b'));
        expect(shown(progress, 60)[0]).toContain(' · 2 running · ');
      }
    });

    it('also when it waited before this process began to watch', () => {
      const progress = running(['a', 'b']);
      const waitsFor = [{ resource: 'x.txt', holder: 'c#1' }];
      progress.learn(aStatus([aTask('a', { status: 'in_progress' }), aTask('b', { status: 'in_progress', waitsFor })]));
      expect(shown(progress, 80)).toEqual([...waiting, ...rows]);
      progress.apply(stored(3_000, { type: 'lock-wait-ended', ...who('b'), ticket: 7, because: 'died' }));
      expect(shown(progress, 60)[0]).toContain(' · 2 running · ');
    });
  });

  it('counts down to the next attempt when nothing runs', () => {
    const progress = running(['a']);
    const attempt = attemptId(taskId('a'), 1);
    progress.apply(happened.ended(2_000, 'a', 1));
    progress.apply(
      stored(2_000, {
        type: 'retry-scheduled',
        run: theRun,
        task: taskId('a'),
        attempt,
        because: 'failed',
        notBefore: startOfTime + 10_000,
      }),
    );
    expect(shown(progress, 60)[1]).toBe('  ↻ a  Title of a  in 2 s');
  });

  it('says how many more run than are shown', () => {
    const lines = shown(running(Array.from({ length: 40 }, (_, i) => `t${i}`)), 60);
    expect(lines).toHaveLength(19);
    expect(lines.slice(-2)).toEqual(['  ▸ t16  Title of t16  7 s', '    … and 23 more']);
  });

  it.each([
    [24, 12, 13],
    [40, 12, 13],
    [40, 33, 34],
    [40, 34, 35],
    [40, 35, 35],
    [9, 6, 4],
    [5, 2, 3],
  ])(
    'of a terminal with %i rows and %i agents has %i: all that fit, and something above stays',
    (rows, agents, height) => {
      const progress = running(Array.from({ length: agents }, (_, i) => `t${i}`));
      expect(shown(progress, 60, rows)).toHaveLength(height);
    },
  );

  it('leaves whole parts of the counts out where there is no room', () => {
    const progress = running(Array.from({ length: 12 }, (_, i) => `t${i}`));
    progress.apply(stored(5_000, { type: 'plan-paused', by: 'ann' }));
    expect(shown(progress, 80)[0]).toBe(`${'─'.repeat(26)} 0 of 12 done · 12 running · paused · 8 s`);
    expect(shown(progress, 40)[0]).toBe(`${'─'.repeat(13)} 0 of 12 done · 8 s`);
  });

  const titles = [
    'x',
    'A title that is much longer than any terminal is wide '.repeat(5),
    '日本語のとても長い題名'.repeat(9),
    '👩‍🚀'.repeat(50),
  ];
  it.each(titles.flatMap((title) => [12, 20, 40, 41, 80, 200].map((columns) => [columns, title] as const)))(
    'is never as wide as a terminal of %i columns (%s)',
    (columns, title) => {
      for (const line of shown(running(['a', 'a-long-identifier-日本', 'c'], title), columns)) {
        expect(displayWidth(line)).toBeLessThan(columns);
      }
    },
  );

  it('is not drawn at all where there is no room', () => expect(shown(running(['a']), 8)).toEqual([]));
});

describe('the progress', () => {
  it('comes to the same whether the plan is learned before or after its events', () => {
    const events = [
      happened.runStarted(0),
      happened.scheduled(1, 'a'),
      happened.started(1, 'a'),
      happened.ended(5, 'a'),
      happened.completed(5, 'a'),
    ];
    const early = new RunProgress();
    early.learn(aStatus([aTask('a'), aTask('b')]));
    const late = new RunProgress();
    late.learn(aStatus([aTask('a', { status: 'completed', attempts: 1 }), aTask('b')]));
    for (const event of events) for (const progress of [early, late]) progress.apply(event);
    expect(late.counts()).toEqual(early.counts());
    expect(late.counts()).toEqual({ totalTasks: 2, completed: 1, failed: 0, skipped: 0 });
    expect(late.running.size).toBe(0);
  });

  it('takes over attempts that ran before this run began', () => {
    const progress = new RunProgress();
    const startedAt = new Date(startOfTime - 60_000).toISOString();
    progress.learn(aStatus([aTask('a', { status: 'in_progress', attempts: 2, startedAt })]));
    expect(progress.running.get('a')).toEqual({ attempt: 'a#2', since: startOfTime - 60_000 });
  });
});
