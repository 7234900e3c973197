// Marks that go against something that was settled: a task that has ended, somebody else's work, a pause.
import { describe, expect, it } from 'vitest';
import { log, planOf, type Scenario } from '../../../test/scenario.ts';
import type { Answer } from './accept-or-refuse.ts';
import { markCompleted, markFailed, markSkipped, markStarted } from './mark-task.ts';
import { redoTask } from './override-rule.ts';

const loaded = (text: string, keys = {}) => log(planOf(text, { keys })).load();

const how = {
  started: (s: Scenario, more: object) => markStarted(s.state, s.plan, s.index('a'), { by: 'ann', ...more }),
  completed: (s: Scenario, more: object) =>
    markCompleted(s.state, s.plan, s.index('a'), { by: 'ann', checks: 0, ...more }),
  failed: (s: Scenario, more: object) =>
    markFailed(s.state, s.plan, s.index('a'), { by: 'ann', error: 'no', now: s.time, ...more }),
  skipped: (s: Scenario, more: object) => markSkipped(s.state, s.plan, s.index('a'), { by: 'ann', ...more }),
};
type How = keyof typeof how;
const every = Object.keys(how) as How[];

const refusal = (answer: Answer) => (answer.ok ? 'not refused' : `${answer.because}: ${answer.instead}`);

/** Records it; returns the types of what was recorded, a decision with its reason. */
function done(s: Scenario, answer: Answer): string[] {
  if (!answer.ok) return [refusal(answer)];
  s.record(...answer.events).settle();
  return answer.events.flatMap((event) => {
    if (event.type === 'decision-answered') return `${event.decision}: ${event.reason}`;
    return event.type === 'decision-opened' && event.kind === 'override' ? [] : event.type;
  });
}

describe('a task that has ended', () => {
  it.each(every)('is marked as %s again by a decision, whatever its end was', (mark) => {
    for (const [text, status] of [
      ['+a', 'completed'],
      ['-a', 'skipped'],
    ] as const) {
      const s = loaded(text);
      expect(how[mark](s, {}).ok).toBe(false);
      const last = mark === 'started' ? 'task-started' : `task-${mark}`;
      const recorded = done(s, how[mark](s, { force: true, reason: 'r' }));
      expect(recorded).toEqual([`d1: a is already ${status}; r`, 'task-retried', last]);
      expect(s.status('a')).toBe(mark === 'started' ? 'in_progress' : mark);
    }
  });

  it('is told how it is done again, and that works', () => {
    const s = loaded('+a, -b');
    const again = 'do it again: signalbox retry a --force --reason TEXT';
    for (const mark of ['started', 'completed', 'failed'] as const) {
      expect(refusal(how[mark](s, {}))).toBe(`a is already completed: ${again}`);
    }
    expect(refusal(how.skipped(s, {}))).toBe(
      'a is completed: skip it anyway: signalbox mark-skipped a --force --reason TEXT',
    );
    expect(done(s, redoTask(s.state, s.plan, s.index('a'), { by: 'ann', reason: 'r' }))).toEqual([
      'd1: a is already completed; r',
      'task-retried',
    ]);
    expect(done(s, how.started(s, {}))).toEqual(['task-started']);
    const skipped = markStarted(s.state, s.plan, s.index('b'), { by: 'ann' });
    expect(refusal(skipped)).toBe('b is already skipped: do it again: signalbox retry b');
  });

  it('is waited for again by those who have not ended; the others stay as they are', () => {
    const s = loaded('a, +b → a, c → a').complete('a');
    expect([s.status('b'), s.ready().includes('c')]).toEqual(['completed', true]);
    done(s, how.started(s, { force: true }));
    expect([s.status('b'), s.status('c'), s.ready().includes('c')]).toEqual(['completed', 'pending', false]);
    done(s, how.completed(s, {}));
    expect([s.status('a'), s.ready().includes('c')]).toEqual(['completed', true]);
  });

  it('asks what becomes of those who need it when it is left out', () => {
    const s = loaded('+a, b → a');
    expect(refusal(how.skipped(s, { force: true }))).toMatch(/^b needs a: add --dependents/);
    expect(done(s, how.skipped(s, { force: true, dependents: true }))).toEqual([
      'd1: a is already completed',
      'task-retried',
      'task-skipped',
      'task-skipped',
    ]);
    expect([s.status('a'), s.status('b')]).toEqual(['skipped', 'skipped']);
  });

  it('is left out as a group, with everything in it', () => {
    const s = loaded('a { +b, +c }');
    expect(done(s, how.skipped(s, { force: true }))).toEqual([
      'd1: a is already completed',
      'task-retried',
      'task-skipped',
      'task-retried',
      'task-skipped',
    ]);
    expect([s.status('b'), s.status('c')]).toEqual(['skipped', 'skipped']);
  });

  it('loses what treated it as done', () => {
    const s = loaded('a, b → a').treatAsDone('a');
    expect(s.ready().includes('b')).toBe(true);
    done(s, how.failed(s, { force: true }));
    expect([s.task('a').treatAsDone, s.status('b')]).toEqual([false, 'blocked']);
  });

  it('fails once more without a second question', () => {
    const s = loaded('a, b → a', { a: { retries: 0 } });
    done(s, how.failed(s, {}));
    expect(s.plan.decisions.size).toBe(1);
    expect(refusal(how.failed(s, {}))).toBe('a has already failed: try it again: signalbox retry a');
    expect(done(s, how.failed(s, { force: true }))).toEqual(['d2: a has already failed', 'task-failed']);
    expect([s.task('a').failures, s.plan.decisions.size]).toEqual([2, 1]);
  });

  it('has an attempt left when it fails after it was completed', () => {
    const s = loaded('a, b → a', { a: { retries: 0 } }).complete('a');
    done(s, how.failed(s, { force: true }));
    expect([s.status('a'), s.plan.decisions.size]).toEqual(['failed', 0]);
    expect(done(s, how.started(s, {}))).toEqual(['task-started']);
    expect(done(s, how.failed(s, {}))).toEqual(['task-failed', 'decision-opened']);
  });

  it('is tried again as a group, by one decision for what is completed', () => {
    const s = loaded('a { +b, -c, d }, e');
    const redo = (id: string, more = {}) =>
      done(s, redoTask(s.state, s.plan, s.index(id), { by: 'ann', note: 'other port', ...more }));
    expect(redo('a')).toEqual(['d1: a is already completed', 'task-retried', 'task-retried']);
    expect([s.status('b'), s.task('b').reason, s.status('c')]).toEqual(['pending', 'other port', 'pending']);
    expect(redo('e')).toEqual(['e is pending: only a failed or skipped task can be retried']);
    s.skip('e');
    expect(redo('e')).toEqual(['task-retried']);
    expect(done(s, redoTask(s.state, s.plan, s.index('a'), { by: 'ann' }))).toEqual([
      'a is pending: only a failed or skipped task can be retried',
    ]);
  });

  it('lets what closed it look again', () => {
    const s = log(planOf('a { +b }', { keys: { a: { check: ['true'] } } })).load();
    const closer = s.plan.plan.tasks.findIndex(({ closes }) => closes !== undefined);
    s.record({ type: 'task-completed', v: 1, plan: s.plan.path, task: s.plan.plan.tasks[closer]!.id });
    expect(s.plan.tasks[closer]!.status).toBe('completed');
    const b = s.index('b');
    done(s, markFailed(s.state, s.plan, b, { by: 'ann', error: 'no', now: s.time, force: true }));
    expect(s.plan.tasks[closer]!.status).toBe('pending');
  });
});

describe('a task that somebody else has started by hand', () => {
  const bobs = () => {
    const s = loaded('a', { a: { files: ['x'] } });
    done(s, how.started(s, { by: 'bob' }));
    return s;
  };

  it.each([
    ['completed', 'mark-complete a'],
    ['failed', 'mark-failed a --error TEXT'],
    ['skipped', 'mark-skipped a'],
  ] as const)('is %s by them, or by a decision', (mark, command) => {
    const s = bobs();
    expect(refusal(how[mark](s, {}))).toBe(
      `bob started a by hand: wait until they hand it in, or do it without them: signalbox ${command} --force --reason TEXT`,
    );
    const last = mark === 'completed' ? 'task-handed-in' : `task-${mark}`;
    const recorded = done(s, how[mark](s, { force: true, reason: 'bob is away' }));
    expect(recorded).toEqual(['d1: bob started a by hand; bob is away', last]);
    expect([s.status('a'), s.state.hands.size]).toEqual([mark, 0]);
  });

  it('is not started beside them', () => {
    expect(refusal(how.started(bobs(), { force: true }))).toBe(
      'a was already started by bob: wait until they hand it in, or end it: signalbox mark-failed a --error TEXT --force --reason TEXT',
    );
  });

  it('is theirs to hand in', () => {
    for (const mark of ['completed', 'failed', 'skipped'] as const) {
      const s = bobs();
      expect(how[mark](s, { by: 'bob' }).ok).toBe(true);
    }
  });

  it('says in one decision that it was not checked either', () => {
    const s = loaded('a', { a: { check: ['false'] } });
    done(s, how.started(s, { by: 'bob' }));
    expect(refusal(how.completed(s, { withoutChecks: true }))).toMatch(/^bob started a by hand/);
    expect(done(s, how.completed(s, { withoutChecks: true, force: true }))).toEqual([
      'd1: bob started a by hand, and its checks were left out',
      'task-handed-in',
    ]);
    expect(s.status('a')).toBe('completed');
  });

  it('fails without a decision when they are found silent', () => {
    const s = bobs();
    expect(done(s, how.failed(s, { stuck: true }))).toEqual(['task-failed']);
  });
});

describe('a plan that is paused', () => {
  const paused = () => loaded('a', { a: { check: ['false'], files: ['x'] } }).pause();
  const pause = 'plan.md was paused by ann';

  it.each(['completed', 'failed'] as const)('lets nothing be %s that was not started', (mark) => {
    expect(refusal(how[mark](paused(), {}))).toBe(`${pause}: resume it: signalbox resume`);
    const s = paused();
    const [decided, ...events] = done(s, how[mark](s, { force: true, checks: 1 }));
    expect(decided).toBe(`d1: ${pause}`);
    expect(events[0]).toBe('task-started');
    expect(s.status('a')).toBe(mark);
  });

  it('says in one decision that it was not checked either', () => {
    const s = paused();
    expect(done(s, how.completed(s, { force: true, withoutChecks: true }))).toEqual([
      `d1: ${pause}, and its checks were left out`,
      'task-started',
      'lock-acquired',
      'task-handed-in',
    ]);
  });

  it('lets go of what was started before, and of what nobody has to do', () => {
    for (const mark of ['completed', 'failed'] as const) {
      const s = loaded('a');
      done(s, how.started(s, {}));
      s.pause();
      expect(how[mark](s, {}).ok).toBe(true);
    }
    expect(how.skipped(paused(), {}).ok).toBe(true);
  });
});
