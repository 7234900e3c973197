// The first line of a run: what there is to do, and what was done before it.
import { expect, it } from 'vitest';
import { aPlan, aReport, aStatus, aTask, CliRig, happened } from '../../../test/rigs/cli-rig.ts';
import type { Signalbox } from '../../api/signalbox.ts';

it('counts as done before it only what was, also where a task ends before anybody could ask how the plan stands', async () => {
  const box: Partial<Signalbox> = {
    status: async () =>
      aStatus([
        aTask('a', { status: 'completed' }),
        aTask('b', { status: 'completed' }),
        aTask('c', { status: 'pending' }),
      ]),
    run: async (_, { onEvents }) => {
      onEvents?.([
        happened.loaded(0, aPlan(['a', 'b', 'c'])),
        happened.runStarted(0),
        happened.scheduled(1, 'b'),
        happened.completed(3, 'b'),
      ]);
      return aReport();
    },
  };
  const rig = new CliRig(box);
  await rig.run('run');
  expect(rig.out.split('\n')[0]).toContain('3 tasks · 1 already done · ');
  expect(rig.out).toMatch(/✔ {2}b /);
});
