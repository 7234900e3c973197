// What holds tasks back, at the start of a run, below its bar and on the page of `status`: with a countdown that ticks.
import { expect, it } from 'vitest';
import { aPlan, aReport, aStatus, aTask, CliRig, happened, startOfTime, stored } from '../../../test/rigs/cli-rig.ts';
import type { RunReport } from '../../api/reports/run.ts';
import type { StatusReport } from '../../api/reports/status.ts';
import type { Signalbox } from '../../api/signalbox.ts';

const until = startOfTime + 2_040_000;
const quota = { kind: 'quota', account: 'claude login', until: new Date(until).toISOString(), tasks: 5 } as const;
const limited = { type: 'quota-paused', run: 'r', task: 'a', attempt: 'a#1', account: 'claude login', until } as const;

/** A run in which nothing runs, because of a limit that is known from the second look on. */
function waiting(heldBack: () => StatusReport['heldBack']) {
  const looks: object[] = [];
  const run = { end: (_: RunReport): void => undefined };
  const box: Partial<Signalbox> = {
    status: async (_, options) => {
      if (options) looks.push(options);
      const held = looks.length > 0 ? heldBack() : undefined;
      return aStatus([aTask('a', { status: 'pending' })], held ? { heldBack: held } : {});
    },
    run: (_, { onEvents }) => {
      onEvents?.([happened.loaded(0, aPlan(['a'])), happened.runStarted(0), stored(5, limited as never)]);
      return new Promise((done) => {
        run.end = done;
      });
    },
  };
  return { looks, run, box };
}

it('counts down while an account is at its limit, and ends when nothing is held back', async () => {
  let held: StatusReport['heldBack'] = [quota];
  const { looks, run, box } = waiting(() => held);
  const rig = new CliRig(box, { live: true, columns: 120 });
  const done = rig.run('run');
  await expect.poll(() => rig.out, { interval: 2 }).toContain('has reached the limit of claude login');
  const look = async (times: number, ms: number) => {
    rig.pass(ms);
    await expect.poll(() => looks.length, { interval: 2 }).toBe(times);
    rig.pass(125);
  };
  await look(1, 1_000);
  const clock = new Date(until).toTimeString().slice(0, 8);
  expect(rig.out.split('\n').at(-1)).toMatch(
    new RegExp(`‖ claude login is at its usage limit until .*${clock}, in 33 min 5\\d s; 5 tasks wait$`),
  );
  const before = rig.out.split('\n').at(-1);
  await look(2, 1_000);
  expect(rig.out.split('\n').at(-1)).not.toBe(before);
  held = [{ ...quota, until: null, tasks: 1 }];
  await look(3, 1_000);
  expect(rig.out.split('\n').at(-1)).toContain(
    'the usage limit of claude login should be over, and one attempt finds out; 1 task waits',
  );
  held = undefined;
  await look(4, 1_000);
  expect(rig.out.split('\n').at(-1)).toMatch(/─ 0 of 1 done · \d s$/);
  run.end(aReport());
  expect(await done).toBe(0);
});

it('is told at the start of a run, also where nothing counts down', async () => {
  const budget = { kind: 'budget', budgetUsd: 5, spentUsd: 5, reservedUsd: 0, tasks: 1 } as const;
  const box: Partial<Signalbox> = {
    status: async () => aStatus([aTask('a', { status: 'pending' })], { heldBack: [quota, budget] }),
    run: async (_, { onEvents }) => {
      onEvents?.([happened.loaded(0, aPlan(['a'])), happened.runStarted(0)]);
      return aReport();
    },
  };
  const rig = new CliRig(box);
  await rig.run('run');
  expect(rig.out.split('\n')[1]).toMatch(
    /^‖ {2}claude login is at its usage limit until .*, in 34 min.*; 5 tasks wait$/,
  );
  expect(rig.out).not.toContain('budget');
});

it('is on the page of status, with the moment if that is asked for', async () => {
  const budget = { kind: 'budget', budgetUsd: 5, spentUsd: 4.97, reservedUsd: 0.03, tasks: 1000 } as const;
  const box: Partial<Signalbox> = { status: async () => aStatus([aTask('a')], { heldBack: [quota, budget] }) };
  const rig = new CliRig(box);
  await rig.run('status');
  expect(rig.out).toMatch(/‖ claude login is at its usage limit until .*, in 3\d min.*; 5 tasks wait\n/);
  expect(rig.out).toContain(
    '‖ the budget of the run is used up ($4.97 of $5.00 spent, $0.03 reserved for what runs); 1,000 tasks wait\n',
  );
  const absolute = new CliRig(box);
  await absolute.run('status', '--absolute');
  expect(absolute.out).toMatch(/at its usage limit until \d{4}-\d\d-\d\d \d\d:\d\d:\d\d [+-]\d\d:\d\d; 5 tasks wait/);
});
