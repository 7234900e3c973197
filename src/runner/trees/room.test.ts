// A disk that is nearly full: no attempt begins in a tree.
import { afterAll, expect, it } from 'vitest';
import { removeRepositories, TestRepository } from '../../../test/rigs/repository.ts';
import { begin } from '../../../test/scenario.ts';
import { emptySettings } from '../../core/model/settings.ts';
import { workOf } from '../attempts/work.ts';
import { NoRoom } from '../machine.ts';
import { TreesOfRun } from './trees-of-run.ts';

afterAll(removeRepositories);

it.each([
  [100_000_000, 'only 100 MB are left'],
  [300_000_000, null],
])('with %d bytes left an attempt begins or not', async (free, words) => {
  const { root, beside, caller, head } = new TestRepository();
  await caller.run({ args: ['update-ref', 'refs/heads/signalbox/plan', head] });
  const isolation = { branch: 'signalbox/plan', base: head, trees: beside, prefix: '' };
  const scenario = begin('a').schedule('a');
  const trees = new TreesOfRun({
    site: { ...places(root), settings: emptySettings },
    store: { workspace: 'w', read: async (look) => look(scenario.state, scenario.time) },
    environment: caller.place.environment,
    tell: () => undefined,
    logs: root,
    freeBytes: () => free,
  });
  const begun = trees.before({ ...workOf(scenario.state, scenario.live('a')), isolation })!;
  if (words === null) await expect(begun).resolves.toBeUndefined();
  else {
    await expect(begun).rejects.toBeInstanceOf(NoRoom);
    await expect(begun).rejects.toThrow(words);
  }
});

const places = (root: string) => ({
  root,
  stateFolder: `${root}/.signalbox`,
  attemptsFolder: root,
  journalsFolder: root,
  commandFolder: root,
  userFolder: root,
  outputsFolder: `${root}/docs`,
});
