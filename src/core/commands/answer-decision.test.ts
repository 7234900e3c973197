// An agent does not decide about its own work; what answers change is in the tests of the rules.
import { describe, expect, it } from 'vitest';
import { log, planOf, type Scenario } from '../../../test/scenario.ts';
import type { Choice, OpenDecision } from '../model/decision.ts';
import { decisionId, taskId } from '../model/ids.ts';
import type { Answer } from './accept-or-refuse.ts';
import { againstOwnWork, answerDecision } from './answer-decision.ts';
import { markCompleted, markFailed, markStarted } from './mark-task.ts';

const by = 'claude-4711';

function recorded(s: Scenario, answer: Answer): Scenario {
  if (!answer.ok) throw new Error(answer.because);
  return s.record(...answer.events).settle();
}
const works = (s: Scenario, id: string) => recorded(s, markStarted(s.state, s.plan, s.index(id), { by }));
const fails = (s: Scenario, id: string) =>
  recorded(works(s, id), markFailed(s.state, s.plan, s.index(id), { by, error: 'no', now: 1 }));
const handsIn = (s: Scenario, id: string) =>
  recorded(works(s, id), markCompleted(s.state, s.plan, s.index(id), { by, checks: 0 }));

const loaded = (text: string, keys = {}) => log(planOf(text, { keys })).load();
const last = { retries: 0 };

/** The first open decision, answered under a name. */
function answered(s: Scenario, choice: Choice, who: { readonly by: string; readonly asAgent: boolean }): string {
  const [decision] = [...s.plan.decisions.values()];
  const answer = answerDecision(s.plan, decision!, { choice, note: 'x', ...who });
  return answer.ok ? 'answered' : answer.because;
}

const none = { count: 0, tasks: [] };
const prefers = (id: string) => ({ evidence: { kind: 'preferred', tasks: [taskId(id)] } }) as const;
const batch = (phase: string) => ({ evidence: { kind: 'batch', phase, completed: none, rest: none } }) as const;
const own = `${by} worked on a itself: another has to decide`;

describe('an answer under the name of an agent', () => {
  it.each<[string, () => Scenario, Choice, string]>([
    ['about its own failure', () => fails(loaded('a, b → a', { a: last }), 'a'), 'retry', own],
    ['a review of its own work', () => handsIn(loaded('a', { a: { review: 'human' } }), 'a'), 'approve', own],
    ['a rejection of its own work', () => handsIn(loaded('a', { a: { review: 'human' } }), 'a'), 'reject', own],
  ])('%s', (_, before, choice, expected) => {
    const s = before();
    expect(s.plan.decisions.size).toBe(1);
    expect(answered(s, choice, { by, asAgent: true })).toBe(expected);
    expect(answered(s, choice, { by: 'claude-5', asAgent: true })).toBe('answered');
    // A person who works under their own name decides about everything.
    expect(answered(s, choice, { by, asAgent: false })).toBe('answered');
  });

  it.each<[string, Partial<OpenDecision>, string | null]>([
    ['a task that it did not work on', { kind: 'failure', task: taskId('b') }, null],
    ['a question that it asked itself', { kind: 'question', task: taskId('a') }, own],
    ['what a task prefers', { kind: 'soft-failure', task: taskId('b'), ...prefers('a') }, own],
    ['what a task prefers, of others', { kind: 'soft-failure', task: taskId('b'), ...prefers('b') }, null],
    [
      'the review of a group with its work',
      { kind: 'review', task: taskId('g:check') },
      `${by} worked on g1 itself: another has to decide`,
    ],
    ['the whole plan', { kind: 'stuck' }, null],
  ])('about %s', (_, about, expected) => {
    const s = loaded('a, g { g1, g2 } | b', { a: last, g: { review: 'human' } });
    handsIn(fails(s, 'a'), 'g1');
    const decision = {
      id: decisionId(9),
      openedAt: 1,
      blocks: none,
      goesOn: none,
      options: [],
      ...about,
    } as OpenDecision;
    expect(againstOwnWork(s.plan, decision, { by, asAgent: true })?.because ?? null).toBe(expected);
    expect(againstOwnWork(s.plan, decision, { by, asAgent: false })).toBeNull();
  });

  it('about a batch with its failure', () => {
    const phases = [{ name: 'Phase 1', batch: true }, { name: 'Phase 2' }];
    const s = fails(log({ ...planOf('a | b', { keys: { a: last } }), phases }).load(), 'a');
    const asked = { id: decisionId(9), kind: 'batch', openedAt: 1, blocks: none, goesOn: none, options: [] } as const;
    const about = (phase: string) => againstOwnWork(s.plan, { ...asked, ...batch(phase) }, { by, asAgent: true });
    expect([about('Phase 1')?.because, about('Phase 2')]).toEqual([own, null]);
  });

  it('about an attempt of a run that came after its own', () => {
    const s = fails(loaded('a, b → a'), 'a');
    expect(s.plan.tasks[0]!.workedBy).toBe(by);
    s.schedule('a');
    expect(s.plan.tasks[0]!.workedBy).toBeNull();
  });

  it('names a person as the way out', () => {
    const s = fails(loaded('a, b → a', { a: last }), 'a');
    const decision = s.plan.decisions.values().next().value!;
    expect(answerDecision(s.plan, decision, { choice: 'retry', by, asAgent: true })).toEqual({
      ok: false,
      because: own,
      instead: 'a person answers it under their own name: signalbox decide d1',
    });
  });
});
