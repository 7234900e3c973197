// A task that is suspended with a question, and the ways in which it goes on.
import { describe, expect, it } from 'vitest';
import { type Rules, type VerifyScenario, verifying } from '../../../test/verify-scenario.ts';
import type { AgentReport } from '../model/agent-result.ts';
import { askPerson, resumeTask } from './question.ts';

const keys = { a: { agent: 'author', files: ['x'] } };
const begin = () => verifying('a, b → a, g { c, d }', keys);

const asks = (s: VerifyScenario, id: string, question = 'Which one?', by = `${id}#1`) =>
  askPerson(s.state, s.plan, s.index(id), { by, question }, s.time);

function asking(s = begin()): VerifyScenario {
  const answer = asks(s, 'a');
  if (!answer.ok) throw new Error(answer.because);
  return s.record(...answer.events).goOn();
}

/** Its processes are dead and its files are what they were. */
function stopped(s: VerifyScenario): VerifyScenario {
  const { token } = s.live('a');
  s.ends('a', { kind: 'killed', code: null });
  return s.saveWork(token, 'a-1').putBack(token).goOn();
}

describe('an agent that ends and needs an answer', () => {
  const ending = (report: Partial<AgentReport>, rules: Rules = {}) =>
    verifying('a, b → a', keys, rules).ends('a', 0, { agent: { by: 'author', class: 'asks', ...report } });

  it.each<[string, Partial<AgentReport>]>([
    ['A or B?', { said: 'A or B?' }],
    ['', {}],
    [
      'It may not use Bash and Write. What should it do? It said: I give up.',
      { class: 'refused-tools', denied: ['Bash', 'Write'], said: 'I give up.' },
    ],
    ['It may not use tools that it needs. What should it do?', { class: 'refused-tools' }],
  ])('asks "%s", with its task suspended and its locks released', (question, report) => {
    const s = ending(report);
    expect(s.decision()).toMatchObject({
      kind: 'question',
      ...{ task: 'a', attempt: 'a#1', blocks: { tasks: ['b'] }, evidence: { kind: 'question', question } },
    });
    expect([s.task('a').status, s.task('a').failures, s.locks()]).toEqual(['suspended', 0, '']);
    expect(s.outcome()).toBe('waiting');
  });

  it('is asked whatever the policy for failures says, and goes on with the answer', () => {
    const s = ending({ said: 'A or B?' }, { onFailure: 'skip' });
    expect(s.asked()).toEqual(['d1 question a']);
    s.answer('retry-with-note', { note: 'B' }).runAgain();
    expect(s.going()).toEqual(['a#2']);
    expect(s.task('a')).toMatchObject({
      reason: 'The question was: A or B?\n\nThe answer: B',
      failures: 0,
      granted: 0,
    });
  });
});

describe('a question', () => {
  it('stops the attempt, suspends the task and asks a person', () => {
    const s = asking();
    expect(s.live('a').doom).toEqual({ kind: 'withdrawn', asked: true });
    expect(s.decision()).toMatchObject({
      kind: 'question',
      task: 'a',
      attempt: 'a#1',
      blocks: { tasks: ['b'] },
      evidence: { kind: 'question', question: 'Which one?' },
    });
    expect(s.task('a')).toMatchObject({ status: 'suspended', by: 'a#1', reason: 'Which one?' });
    stopped(s);
    expect([s.locks(), s.task('a').stopped!.because]).toEqual(['', 'a person had to answer a question first']);
  });

  it('makes the run wait for a person when nothing else is left, and is not asked twice', () => {
    const s = stopped(asking()).ends('c').ends('d');
    expect(s.outcome()).toBe('waiting');
    expect(s.runAgain().asked()).toEqual(['d1 question a']);
  });

  it.each([
    ['an answer', 'retry-with-note', 'the second', 'The question was: Which one?\n\nThe answer: the second'],
    ['none', 'go-on', undefined, 'The question was: Which one?\n\nNobody answered it. Decide yourself.'],
  ] as const)('goes on with %s, which the next attempt reads, and no retry is used', (_, choice, note, told) => {
    const s = stopped(asking()).answer(choice, note === undefined ? {} : { note });
    expect(s.going()).toContain('a#2');
    expect(s.task('a')).toMatchObject({ reason: told, failures: 0, granted: 0 });
    expect(s.asked()).toEqual([]);
  });

  it('is answered by resuming the task with a note, and overtaken by resuming it without', () => {
    const s = stopped(asking());
    const answer = resumeTask(s.plan, s.index('a'), { by: 'ann', reason: 'the second' });
    expect(answer.ok && answer.events).toMatchObject([
      { type: 'decision-answered', decision: 'd1', choice: 'retry-with-note', by: 'ann', affected: ['a'] },
      { type: 'task-resumed', task: 'a', note: 'The question was: Which one?\n\nThe answer: the second' },
    ]);
    const other = resumeTask(s.plan, s.index('a'), { by: 'ann' });
    s.record(...(other.ok ? other.events : [])).goOn();
    expect(s.types()).toContain('decision-closed');
    expect(s.going()).toContain('a#2');
  });

  it.each([
    ['empty', 'c', ' ', 'the question is empty'],
    ['about a group', 'g', 'x', 'g is a group'],
  ])('is refused when it is %s', (_, id, question, because) => {
    expect(asks(begin(), id, question)).toMatchObject({ ok: false, because });
  });

  it('is refused about a task that has ended or is suspended', () => {
    expect(asks(begin().ends('c'), 'c')).toMatchObject({ ok: false, because: 'c is completed' });
    expect(asks(asking(), 'a')).toMatchObject({ ok: false, because: 'a is suspended' });
  });

  it('of a reviewer stops the review', () => {
    const s = verifying('a', { a: { run: 'x', review: 'agent' } }).ends('a');
    const answer = asks(s, 'a');
    s.record(...(answer.ok ? answer.events : []));
    expect(s.types()).toContain('job-doomed');
    expect(s.decision()).toMatchObject({ kind: 'question', attempt: 'a#1' });
  });
});
