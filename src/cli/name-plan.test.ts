import { expect, it } from 'vitest';
import { commandTable } from './command-table.ts';
import { namePlan, takesPlan } from './name-plan.ts';

it.each([
  ['to do it again: signalbox retry a --force', 'to do it again: signalbox retry --plan -p.md a --force'],
  ['see: signalbox why -- -d', 'see: signalbox why --plan -p.md -- -d'],
  ['one sees to it: signalbox run', 'one sees to it: signalbox run -p.md'],
  ['signalbox run plan.md', 'signalbox run plan.md'],
  ['watch it with: signalbox events --follow', 'watch it with: signalbox events -p.md --follow'],
  ['see "signalbox why --help"', 'see "signalbox why --help"'],
  ['see: signalbox lock list', 'see: signalbox lock list'],
  ['there is nothing left to skip', 'there is nothing left to skip'],
])('%s', (text, expected) => expect(namePlan(text, '-p.md')).toBe(expected.replace('-p.md', './-p.md')));

it.each(['argument', 'flag'] as const)('knows every command that takes its plan as %s', (where) => {
  const named = commandTable.filter(({ name, plan }) => plan === where && !name.includes(' ')).map(({ name }) => name);
  expect([...takesPlan[where]].sort()).toEqual(named.sort());
});
