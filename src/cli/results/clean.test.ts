// `clean` on a narrow terminal.
import { expect, it } from 'vitest';
import { CliRig } from '../../../test/rigs/cli-rig.ts';
import type { ResultsDoor } from '../../api/results/results-door.ts';

it('breaks no word at the edge of the terminal', async () => {
  const because = 'its run goes on, and every attempt of it may still be adopted by the next one';
  const name = 'signalbox/plan.1';
  const items = [
    { kind: 'branch', name, bytes: null, state: 'stays', because },
    { kind: 'branch', name, bytes: null, state: 'failed', because },
  ];
  const results = { clean: async () => ({ items }) } as unknown as ResultsDoor;
  const rig = new CliRig({ results: async () => results }, { columns: 40 });
  expect(await rig.run('clean')).toBe(1);
  for (const text of [rig.out, rig.err]) {
    expect(Math.max(...text.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(40);
    expect(text.replace(/\n +/g, ' ')).toContain(because);
  }
});
