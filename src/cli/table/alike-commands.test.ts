import { expect, it } from 'vitest';
import { CliRig } from '../../../test/rigs/cli-rig.ts';
import { alikeCommands } from './alike-commands.ts';
import { commandTable } from './command-table.ts';

const named = alikeCommands.flatMap(({ uses }) => Object.keys(uses).map((name) => [name, uses] as const));

it('are commands, and each is in one set', () => {
  const names = named.map(([name]) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(commandTable.map(({ name }) => name)).toEqual(expect.arrayContaining(names));
  expect(names).toEqual(
    expect.arrayContaining(['check', 'validate', 'verify', 'sync-check', 'doctor', 'skip', 'mark-skipped']),
  );
});

it.each(named)('%s says in its help which one is for what', async (name, uses) => {
  const rig = new CliRig({}, { columns: 80 });
  expect(await rig.run(name, '--help')).toBe(0);
  const text = rig.out.replaceAll('\n', ' ');
  for (const [other, use] of Object.entries(uses)) expect(text).toContain(`${other} ${use}`);
  for (const line of rig.out.split('\n').filter((one) => !one.includes('$')))
    expect(line.length).toBeLessThanOrEqual(80);
});
