import { expect, it } from 'vitest';
import { namePlan } from './show-error.ts';

it.each([
  ['do it again: signalbox retry a --force', 'do it again: signalbox retry --plan -p.md a --force'],
  ['see: signalbox why -- -d', 'see: signalbox why --plan -p.md -- -d'],
  ['start one: signalbox run', 'start one: signalbox run -p.md'],
  ['signalbox run plan.md', 'signalbox run plan.md'],
  ['watch it: signalbox events --follow', 'watch it: signalbox events -p.md --follow'],
  ['see "signalbox why --help"', 'see "signalbox why --help"'],
  ['see: signalbox lock list', 'see: signalbox lock list'],
  ['there is nothing left to skip', 'there is nothing left to skip'],
])('%s', (text, expected) => expect(namePlan(text, '-p.md')).toBe(expected.replace('-p.md', './-p.md')));
