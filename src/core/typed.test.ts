import { expect, it } from 'vitest';
import { quoted, typed, typedPath } from './typed.ts';

it.each([
  [typed('why', 'a'), 'signalbox why a'],
  [typed('retry', ['a', '1.2'], '--force'), 'signalbox retry a 1.2 --force'],
  [typed('why', '-d'), 'signalbox why -- -d'],
  [typed('retry', ['a', '-d'], '--force --reason TEXT'), 'signalbox retry --force --reason TEXT -- a -d'],
  [typed('why', '-d;x'), "signalbox why -- '-d;x'"],
  [typedPath('plans/a.md'), 'plans/a.md'],
  [typedPath('-dash.md'), './-dash.md'],
  [typedPath('- a.md'), "'./- a.md'"],
  [quoted("it's"), "'it'\\''s'"],
])('%s', (made, expected) => expect(made).toBe(expected));
