import { expect, it } from 'vitest';
import { CliRig } from '../../../test/rigs/cli-rig.ts';

it.each([
  ['why', 'ID is missing'],
  ['why a b c', 'why takes one argument at most, not 3'],
  ['plans a', 'plans takes no arguments, not 1'],
  ['decide d1 retry x', 'decide takes 2 arguments at most, not 3'],
  ['run --max-parallel', 'a value is missing: --max-parallel <N>'],
  ['run -x', "unknown flag '-x'"],
  ['runn', "unknown command 'runn'"],
])('%s: %s', async (line, message) => {
  const rig = new CliRig();
  expect(await rig.run(...line.split(' '))).toBe(2);
  expect(rig.err.split('\n')[0]).toBe(`signalbox: ${message}`);
});
