import { expect, it } from 'vitest';
import { commandLine, pathArgument, quoted } from './command-line.ts';

it.each([
  [commandLine('why', 'a'), 'signalbox why a'],
  [commandLine('retry', ['a', '1.2'], '--force'), 'signalbox retry a 1.2 --force'],
  [commandLine('why', '-d'), 'signalbox why -- -d'],
  [commandLine('retry', ['a', '-d'], '--force --reason TEXT'), 'signalbox retry --force --reason TEXT -- a -d'],
  [commandLine('why', '-d;x'), "signalbox why -- '-d;x'"],
  [pathArgument('plans/a.md'), 'plans/a.md'],
  [pathArgument('-dash.md'), './-dash.md'],
  [pathArgument('- a.md'), "'./- a.md'"],
  [quoted("it's"), "'it'\\''s'"],
])('%s', (made, expected) => expect(made).toBe(expected));
