import { expect, it } from 'vitest';
import { impossible } from './impossible.ts';

it('dies with the value it was given', () => {
  expect(() => impossible({ type: 'from-the-future' } as never)).toThrow('impossible: {"type":"from-the-future"}');
});
