// A task that somebody starts by hand, and what they have locked by name before: it is theirs, so it is not in the way.
//
//   who has it                              mark-started
//   the same person, by name                starts; the task has it too, and by name it stays theirs when the task has ended
//   another task of the same person         refused: tasks keep away from each other, whoever works on them
//   somebody else, also only to read        refused, with who has it
//   nobody, but somebody waits for          starts, and passes them: they cannot go on before the person does
//   what the person has
import { describe, expect, it } from 'vitest';
import { since } from '../../../test/lock-stories.ts';
import { log, planOf, type Scenario } from '../../../test/scenario.ts';
import type { Answer } from '../commands/accept-or-refuse.ts';
import { markCompleted, markFailed, markStarted } from '../commands/mark-task.ts';

const ann = { by: 'ann' };

function does(s: Scenario, answer: Answer): Scenario {
  if (!answer.ok) throw new Error(answer.because);
  return s.record(...answer.events).settle();
}

const story = (keys = {}) =>
  log(planOf('a, b, r', { keys: { a: { files: ['x'] }, b: { reads: ['x'] }, ...keys } })).load();
const mayStart = (s: Scenario, id = 'a', by = 'ann') => markStarted(s.state, s.plan, s.index(id), { by });
const start = (s: Scenario, id?: string) => does(s, mayStart(s, id));
const refusal = (answer: Answer) => (answer.ok ? null : answer.because);

describe('what somebody has by name', () => {
  it.each([
    ['handed in', (s: Scenario) => markCompleted(s.state, s.plan, 0, { ...ann, checks: 0 })],
    ['failed', (s: Scenario) => markFailed(s.state, s.plan, 0, { ...ann, error: 'no', now: s.time })],
  ])('is the task’s too until it is %s, and theirs before and after', (_, end) => {
    const s = start(story().lock('ann', 'x'));
    expect(s.locks()).toBe('a#1 x, ann x');
    does(s, end(s));
    expect(s.locks()).toBe('ann x');
  });

  it.each([
    ['handed in', (s: Scenario) => markCompleted(s.state, s.plan, 0, { ...ann, checks: 0 })],
    ['failed', (s: Scenario) => markFailed(s.state, s.plan, 0, { ...ann, error: 'no', now: s.time })],
  ])('is not in the way where it is %s at once', (_, end) => {
    const s = story().lock('ann', 'x');
    expect(does(s, end(s)).locks()).toBe('ann x');
  });

  it.each(['src/**', 'src/a.ts', '~src/a.ts'])('is not in the way when it only overlaps: %s', (key) => {
    expect(start(story({ a: { files: ['src/a.ts'] } }).lock('ann', key)).locks()).toBe(`a#1 src/a.ts, ann ${key}`);
  });

  it('may be given back meanwhile: the task keeps its own', () => {
    const s = start(story().lock('ann', 'x')).release('ann', 'x').settle();
    expect(s.locks()).toBe('a#1 x');
    expect(s.ask('bob', 'x', false).kind).toBe('busy');
  });

  it('is not taken again by name when the task has it', () => {
    const s = start(story());
    const { seq } = s.state;
    expect([s.ask('ann', 'x').kind, since(s.events, seq)]).toEqual(['granted', []]);
    does(s, markCompleted(s.state, s.plan, 0, { ...ann, checks: 0 }));
    expect(s.locks()).toBe('');
  });
});

describe('is refused', () => {
  it('what somebody else has, also beside the person', () => {
    expect(refusal(mayStart(story().lock('bob', 'x')))).toBe('a needs x, and bob holds it');
    expect(refusal(mayStart(story().lock('ann', '~x').lock('bob', '~x')))).toBe('a needs x, and bob holds it');
    expect(refusal(mayStart(story().lock('ann', 'x'), 'a', 'bob'))).toBe('a needs x, and ann holds it');
  });

  it('what an attempt has, to somebody who calls themselves like it', () => {
    const s = story().startRun().schedule('r').start('r').lock('r', 'x');
    expect(refusal(mayStart(s, 'a', `#${s.live('r').token}`))).toBe('a needs x, and r#1 holds it');
  });

  it('what another task of theirs has, whether they have it by name or not', () => {
    const s = start(story().lock('ann', 'x'));
    expect(refusal(mayStart(s, 'b'))).toBe('b needs x, and a#1 holds it');
  });
});

it('goes ahead of those who wait for what the person has, and says so', () => {
  const s = story({ a: { files: ['src/a.ts'] } })
    .startRun()
    .schedule('r')
    .start('r')
    .lock('ann', 'src/b.ts')
    .lock('r', 'src/**');
  const ticket = s.state.seq;
  start(s);
  expect(s.events.at(-1)).toMatchObject({ type: 'lock-acquired', attempt: 'a#1', passes: [ticket] });
  expect(
    refusal(
      mayStart(
        story({ a: { files: ['src/a.ts'] } })
          .lock('bob', 'src/b.ts')
          .lock('carl', 'src/**'),
      ),
    ),
  ).toBe('a needs src/**, and carl holds it');
});

it('comes after nobody when the person is the one whom it was stopped for', () => {
  const s = log(planOf('t'))
    .load()
    .startRun()
    .schedule('t')
    .start('t')
    .lock('t', 'x')
    .lock('ann', 'y')
    .lock('ann', 'x')
    .lock('t', 'y');
  const { token } = s.live('t');
  s.end('t', { kind: 'killed', code: null }).saveWork(token).putBack(token).goOn();
  expect(s.task('t').after).toMatchObject({ owner: 'ann', resource: 'y' });
  expect(refusal(mayStart(s, 't', 'bob'))).toBe('t was stopped to end a deadlock, and waits until ann releases y');
  expect(refusal(mayStart(s, 't'))).toBeNull();
});
