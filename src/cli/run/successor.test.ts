// The process that waits for its successor leaves the terminal to it: two live blocks would be drawn over each other.
import { expect, it } from 'vitest';
import { Refusal } from '../../api/refusal.ts';
import { Successor } from './successor.ts';

it('leaves the terminal before it waits, and ends with the exit code of the successor', async () => {
  const successor = new Successor({ plan: 'plan.md', flags: {} });
  let end: (code: number) => void = () => undefined;
  successor.refresh.onSuccessor(
    new Promise((resolve) => {
      end = resolve;
    }),
  );
  // Without this it would wait for ever.
  const leave = async () => end(4);
  expect(await successor.outlive(Promise.reject(new Refusal(8, 'taken over')), leave)).toBe(4);
});
