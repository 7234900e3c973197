// `graph`, `progress`, `status --watch` and times: what is printed, where, and when again.
import { describe, expect, it } from 'vitest';
import { aStatus, aTask, CliRig, happened, noTasks, path, startOfTime } from '../../../test/rigs/cli-rig.ts';
import type { LockDoor } from '../../api/locks/lock-door.ts';
import type { GraphReport, WaitGraphReport } from '../../api/reports/graph.ts';
import type { StatusReport } from '../../api/reports/status.ts';
import type { GraphOptions } from '../../api/signalbox.ts';

const iso = (ms: number) => new Date(startOfTime + ms).toISOString();

describe('graph', () => {
  const asked: GraphOptions[] = [];
  const drawing = (folded = 0) =>
    new CliRig({
      graph: async (_, options): Promise<GraphReport> => {
        asked.push(options);
        const { format, out } = options;
        const picture = format ? { format, text: `a ${format}\n`, file: out ?? null, folded } : null;
        return { plan: path, title: '', order: 'explicit', phases: [''], nodes: [], edges: [], barriers: [], picture };
      },
    });

  it.each([
    [[], { format: 'mermaid' }, 'a mermaid\n'],
    [['--format', 'dot'], { format: 'dot' }, 'a dot\n'],
    [['--out', 'x.svg'], { format: 'svg', out: 'x.svg' }, 'x.svg: 0 tasks, 0 edges\n'],
    [['--out', 'x.gv'], { format: 'dot', out: 'x.gv' }, 'x.gv: 0 tasks, 0 edges\n'],
    [['--out', 'x', '--format', 'svg'], { format: 'svg', out: 'x' }, 'x: 0 tasks, 0 edges\n'],
  ])('%j asks for %j', async (argv, options, text) => {
    const rig = drawing();
    expect(await rig.run('graph', ...argv)).toBe(0);
    expect(asked.at(-1)).toEqual(options);
    expect(rig.out).toBe(text);
    expect(rig.err).toBe('');
  });

  it('draws nothing for a program that did not ask for a picture', async () => {
    const rig = drawing();
    await rig.run('graph', '--json');
    expect(asked.at(-1)).toEqual({});
    expect(rig.json()).toMatchObject([{ nodes: [], edges: [], picture: null }]);
  });

  it('says when boxes are closed, and not into the picture', async () => {
    const rig = drawing(3);
    await rig.run('graph');
    expect(rig.out).toBe('a mermaid\n');
    expect(rig.err).toContain('3 closed boxes');
  });
});

describe('graph --waits', () => {
  const asked: GraphOptions[] = [];
  const drawing = (waiting: boolean, deadlocks: string[] = []) => {
    const party = { id: 'b', name: 'b', task: null, plan: null, title: null, holds: [], ending: false, inCycle: false };
    const parties = waiting ? [{ ...party, waitsFor: [{ resources: ['x'], since: iso(0), place: 1 }] }] : [];
    const waits = async (options: GraphOptions): Promise<WaitGraphReport> => {
      asked.push(options);
      const { format, out } = options;
      const picture = format ? { format, text: `a ${format}\n`, file: out ?? null } : null;
      return { parties, waits: [], deadlocks, picture };
    };
    return new CliRig({ locks: async () => ({ waits }) as LockDoor });
  };

  it.each([
    [[], { format: 'mermaid' }, true, 'a mermaid\n', ''],
    [[], { format: 'mermaid' }, false, 'a mermaid\n', 'Nobody waits for a lock.\n'],
    [['--out', 'x.svg'], { format: 'svg', out: 'x.svg' }, true, 'x.svg: 1 waits for locks\n', ''],
    [['--out', 'x.svg'], { format: 'svg', out: 'x.svg' }, false, 'x.svg: nobody waits for a lock\n', ''],
  ] as const)('%j asks for %j', async (argv, options, waiting, out, err) => {
    const rig = drawing(waiting);
    expect(await rig.run('graph', '--waits', ...argv)).toBe(0);
    expect(asked.at(-1)).toEqual(options);
    expect([rig.out, rig.err]).toEqual([out, err]);
  });

  it('tells a deadlock beside the picture', async () => {
    const rig = drawing(true, ['a waits for b\x1b[2J']);
    await rig.run('graph', '--waits');
    expect(rig.err).toMatch(/^deadlock: a waits for b/);
    expect(rig.err).not.toContain('\x1b');
  });

  it('is about the workspace, not about a plan', async () => {
    const rig = drawing(true);
    expect(await rig.run('graph', '--waits', 'plan.md')).toBe(2);
    expect(rig.err).toContain('whole workspace');
  });
});

describe('progress', () => {
  const shows = async (argv: string[], columns?: number) => {
    const summary = { ...noTasks, totalTasks: 8, completed: 3, in_progress: 1, failed: 1, pending: 3 };
    const progress = async () => ({ ...aStatus([], { running: true }), summary, percent: 37 });
    const rig = new CliRig({ progress }, columns === undefined ? {} : { columns });
    expect(await rig.run('progress', ...argv)).toBe(0);
    return rig.out;
  };

  it('is one line with a bar, a percentage and the counts', async () => {
    expect(await shows([])).toBe(
      '━━━━━━━━━─────────── 37% running · 3 of 8 tasks completed · 1 running · 1 failed · 3 pending\n',
    );
    expect(await shows(['--verbose'])).toContain(' · The plan (plan.md)\n');
  });

  it.each([30, 50, 80])('stays one line in %i columns', async (columns) => {
    const lines = (await shows(['--verbose'], columns)).trimEnd().split('\n');
    expect(lines).toHaveLength(1);
    expect(lines[0]!.length).toBeLessThanOrEqual(columns);
  });
});

describe('status --watch', () => {
  const reports = [
    aStatus([aTask('a'), aTask('b')]),
    aStatus([aTask('a', { status: 'in_progress', startedAt: iso(0) }), aTask('b')], { running: true }),
  ];
  /** Gives its reports and then waits to be sent away. */
  const watching = (seen: readonly StatusReport[], options: ConstructorParameters<typeof CliRig>[1] = {}) => {
    let shown: () => void = () => undefined;
    const allShown = new Promise<void>((done) => {
      shown = done;
    });
    const rig = new CliRig(
      {
        statusChanges: async function* (_, { signal }) {
          yield* seen;
          shown();
          await new Promise((done) => signal!.addEventListener('abort', done));
        },
      },
      options,
    );
    return { rig, allShown };
  };

  it('prints each status under the one before without a terminal, and ends like every follower', async () => {
    const { rig, allShown } = watching(reports);
    const ended = rig.run('status', '--watch');
    await allShown;
    rig.interrupt();
    expect(await ended).toBe(130);
    expect(rig.out.match(/^The plan/gm)).toHaveLength(2);
    expect(rig.out).toContain('pending\n\n  ○ a');
    expect(rig.out).not.toContain('\x1b');
  });

  it('is one object per line for programs', async () => {
    const { rig, allShown } = watching(reports);
    const ended = rig.run('status', '-w', '--json');
    await allShown;
    rig.terminate();
    expect(await ended).toBe(143);
    expect(rig.json()).toEqual(reports);
  });

  it('is redrawn in place on a terminal, with clocks that tick, and stays at the end', async () => {
    const { rig, allShown } = watching(reports, { live: true, columns: 80 });
    const ended = rig.run('status', '--watch');
    await allShown;
    rig.pass(5500);
    expect(rig.writes.at(-1)!.text).toMatch(/^\r\x1b\[\d+A\x1b\[J/);
    expect(rig.writes.at(-1)!.text).toContain('for 5 s');
    rig.interrupt();
    expect(await ended).toBe(130);
    expect(rig.writes.at(-1)!.text).toMatch(/^The plan[\s\S]*for 5 s\n/);
    expect(rig.pending).toBe(0);
  });

  it('shows what runs first when a terminal has no room for all', async () => {
    const many = Array.from({ length: 60 }, (_, i) => aTask(`t${i}`, i === 59 ? { status: 'in_progress' } : {}));
    const { rig, allShown } = watching([aStatus(many)], { live: true, columns: 80, rows: 10 });
    const ended = rig.run('status', '--watch');
    await allShown;
    const lines = rig.writes[0]!.text.split('\n');
    expect(lines.length).toBeLessThan(10);
    expect(lines[4]).toContain('t59');
    expect(lines.at(-1)).toBe('  and 56 more tasks');
    rig.interrupt();
    await ended;
  });
});

describe('--absolute', () => {
  const moment = String.raw`\d{4}-\d\d-\d\d \d\d:\d\d:\d\d [+-]\d\d:\d\d`;

  it('gives status dates and zones', async () => {
    const tasks = [
      aTask('a', { status: 'completed', startedAt: iso(0), endedAt: iso(1000) }),
      aTask('b', { status: 'in_progress', startedAt: iso(0) }),
      aTask('c', { retryAt: iso(5000) }),
    ];
    const rig = new CliRig({ status: async () => aStatus(tasks) });
    await rig.run('status', '--absolute');
    expect(rig.out).toMatch(new RegExp(`a  ${moment} to ${moment}\n`));
    expect(rig.out).toMatch(new RegExp(`b  since ${moment}\n`));
    expect(rig.out).toMatch(new RegExp(`c  again at ${moment}\n`));
  });

  it('gives events and plans the same', async () => {
    const rig = new CliRig({
      events: async function* () {
        yield happened.completed(0, 'a');
      },
      plans: async () => ({ current: null, plans: [{ ...aStatus([]), changedAt: iso(0) }] }),
    });
    await rig.run('events', '--absolute');
    expect(rig.out).toMatch(new RegExp(`^ +\\d+  ${moment}  a completed\n$`));
    await rig.run('plans', '--absolute');
    expect(rig.out).toMatch(new RegExp(`${moment}\n$`));
  });
});
