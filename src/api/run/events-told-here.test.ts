import { expect, it } from 'vitest';
import type { StoredEvent } from '../../core/model/event.ts';
import { runId } from '../../core/model/ids.ts';
import { EventsToldHere } from './events-told-here.ts';

const event = (text: string, seq: number) => {
  const [type, run, to] = text.split(' ');
  return { type, run, to, seq } as unknown as StoredEvent;
};
const log = [
  ...['run-started r1', 'attempt-started r1', 'run-handed-over r1 r2', 'run-started r2', 'attempt-started r2'],
  ...['run-handed-over r2 r3', 'run-started r3', 'run-ended r3'],
].map(event);

it.each([2, 3, 8])('every event is told by one process, heard in pieces of %i', (size) => {
  const told = (run: string, succeeds: boolean) => {
    const own = new EventsToldHere(runId(run), succeeds);
    const seqs: number[] = [];
    for (let at = 0; at < log.length; at += size)
      seqs.push(...own.of(log.slice(at, at + size), true).map(({ seq }) => seq));
    return seqs;
  };
  expect([told('r1', false), told('r2', true), told('r3', true)]).toEqual([
    [0, 1, 2],
    [3, 4, 5],
    [6, 7],
  ]);
});

it('who is taken over by a stranger tells on', () => {
  const own = new EventsToldHere(runId('r1'), false);
  expect(own.of(log, false)).toEqual(log);
});
