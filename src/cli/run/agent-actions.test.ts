import { expect, it } from 'vitest';
import { aPlan, aReport, aStatus, aTask, CliRig, happened } from '../../../test/rigs/cli-rig.ts';
import type { RunReport } from '../../api/reports/run.ts';
import type { Signalbox } from '../../api/signalbox.ts';

/** A run that goes on until it is told its end, with an agent that does something from the second look on. */
function working() {
  const asked: object[] = [];
  const run = { end: (_: RunReport): void => undefined };
  const box: Partial<Signalbox> = {
    status: async (_, options) => {
      if (options) asked.push(options);
      return aStatus([aTask('a', asked.length > 1 ? { action: 'Edit a.ts' } : {})]);
    },
    run: (_, { onEvents }) => {
      onEvents?.([happened.loaded(0, aPlan(['a'])), happened.runStarted(0), happened.started(5, 'a')]);
      return new Promise((done) => {
        run.end = done;
      });
    },
  };
  return { asked, run, box };
}
const begun = (rig: CliRig) => expect.poll(() => rig.out, { interval: 2 }).toContain('a  Title of a');

it('asks once a second what agents do, and shows it', async () => {
  const { asked, run, box } = working();
  const rig = new CliRig(box, { live: true, columns: 60 });
  const done = rig.run('run');
  await begun(rig);
  for (const [times, line] of [
    [1, /^ {2}▸ a {2}Title of a {2}\d s$/],
    [2, /^ {2}▸ a {2}Title of a {2}\d s · Edit a\.ts$/],
  ] as const) {
    rig.pass(1_000);
    await expect.poll(() => asked.length, { interval: 2 }).toBe(times);
    rig.pass(125);
    expect(rig.out.split('\n').at(-1)).toMatch(line);
  }
  expect(asked[0]).toEqual({ underWay: true });
  run.end(aReport());
  expect(await done).toBe(0);
  expect(rig.pending).toBe(0);
});

it('does not ask where there is no terminal', async () => {
  const { asked, run, box } = working();
  const rig = new CliRig(box);
  const done = rig.run('run');
  await begun(rig);
  rig.pass(5_000);
  run.end(aReport());
  expect(await done).toBe(0);
  expect(asked).toEqual([]);
});
