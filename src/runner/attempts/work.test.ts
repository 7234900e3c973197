import { expect, it } from 'vitest';
import { begin } from '../../../test/scenario.ts';
import { workOf } from './work.ts';

it('tells an attempt that the one before it was stopped, and no later one', () => {
  const s = begin('a').schedule('a').start('a').end('a', 1);
  s.task('a').stopped = { because: 'of b', saved: 'a-1' };
  s.again('a').schedule('a');
  expect(workOf(s.state, s.live('a')).stopped).toEqual({ because: 'of b', saved: 'a-1' });
  s.start('a').end('a', 1).again('a').schedule('a');
  expect(workOf(s.state, s.live('a')).stopped).toBeNull();
});
