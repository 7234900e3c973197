import { expect, it } from 'vitest';
import { anEnd } from '../../../test/rigs/agent-log-samples.ts';
import { CliRig } from '../../../test/rigs/cli-rig.ts';
import type { LogPiece } from '../../api/signalbox.ts';

async function* stream<T>(...items: T[]) {
  yield* items;
}

it('--raw changes nothing in a file, and is harmless on a terminal', async () => {
  const text = '{"text":"\u2028\u202e"}\r\n\x1b[31m';
  const logs = () => stream({ attempt: 'a#1', text });
  const file = new CliRig({ logs });
  await file.run('logs', 'a', '--raw');
  expect(file.out).toBe(text);
  const terminal = new CliRig({ logs }, { columns: 80 });
  await terminal.run('logs', 'a', '--raw');
  expect(terminal.out).toBe('{"text":"\n"}\n');
});

it('tells at the end of a stream what it amounts to, unless the person has left', async () => {
  const logs = () =>
    stream<LogPiece>({ attempt: 'a#1', text: 'Hi.\n' }, { attempt: 'a#1', text: 'Bye.\n', end: anEnd() });
  const rig = new CliRig({ logs });
  await rig.run('logs', 'a');
  expect(rig.out).toBe('Hi.\nBye.\n\nEnded: it says that it is done.\nTool calls: 2\nTokens: unknown\nCost: unknown\n');
  let begin = (): void => undefined;
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const left = new CliRig({
    logs: async function* (_, __, { signal }) {
      begin();
      await new Promise((resolve) => signal!.addEventListener('abort', resolve));
      yield { attempt: 'a#1', text: 'Bye.\n', end: anEnd() };
    },
  });
  const done = left.run('logs', 'a', '-f');
  await begun;
  left.interrupt();
  expect([await done, left.out]).toEqual([130, 'Bye.\n']);
});
