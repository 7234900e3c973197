// Every deed for everybody, as the table in who-may.ts says.
import { describe, expect, it } from 'vitest';
import { verifying } from '../../../test/verify-scenario.ts';
import { planPath, taskId } from '../model/ids.ts';
import { type Asker, askerOf, type Deed, person, refusalFor, refusalToAnswer, type Wish } from './who-may.ts';

const plan = planPath('plan.md');
const own = { plan, task: taskId('a') };
const askers: Record<string, Asker> = {
  person,
  command: { who: 'command', name: 'a#1', ...own },
  agent: { who: 'agent', name: 'a#1', ...own },
  over: { who: 'over', name: 'a#1' },
  unknown: { who: 'unknown', name: 'a#1' },
};

const other = planPath('other.md');
const table: readonly (readonly [string, Wish, string])[] = [
  ['look', { does: 'look' }, 'person command agent over unknown'],
  ['lock', { does: 'lock' }, 'person command agent over'],
  ['lock under the own name', { does: 'lock', as: 'a#1' }, 'person command agent over'],
  ['lock under another name', { does: 'lock', as: 'ann' }, 'person command'],
  ['findings of the own task', { does: 'findings', plan, tasks: ['a'] }, 'person command agent'],
  ['findings of another task', { does: 'findings', plan, tasks: ['b'] }, 'person command'],
  ['findings of a task of another plan', { does: 'findings', plan: other, tasks: ['a'] }, 'person command'],
  ['a question', { does: 'question' }, 'person command agent'],
  ['a question about the own task', { does: 'question', plan, tasks: ['a'] }, 'person command agent'],
  ['a question about another task', { does: 'question', plan, tasks: ['b'] }, 'person'],
  ['a question about a task of another plan', { does: 'question', plan: other, tasks: ['a'] }, 'person'],
  ['steer the own plan', { does: 'steer', plan }, 'person command'],
  ['steer another plan', { does: 'steer', plan: other }, 'person'],
  ['run', { does: 'run' }, 'person command'],
  ['write', { does: 'write' }, 'person command'],
  ['decide', { does: 'decide' }, 'person'],
  ['maintain', { does: 'maintain' }, 'person'],
];

describe('who may', () => {
  it.each(table)('%s', (_, wish, expected) => {
    const allowed = Object.keys(askers).filter((name) => refusalFor(askers[name]!, wish) === null);
    expect(allowed.join(' ')).toBe(expected);
  });

  it('close an open decision by the way: only a person', () => {
    const allowed = Object.keys(askers).filter((name) => refusalToAnswer(askers[name]!, ['d1']) === null);
    expect(allowed).toEqual(['person']);
    expect(refusalToAnswer(askers.command!, [])).toBeNull();
    expect(refusalToAnswer(askers.command!, ['d1', 'd2'])).toMatchObject({
      because: 'a#1 may not do this: it would close d1 and d2, and only a person decides',
    });
  });

  it('has a row for every deed', () => {
    const deeds: Record<Deed, true> = {
      look: true,
      lock: true,
      findings: true,
      question: true,
      steer: true,
      run: true,
      write: true,
      decide: true,
      maintain: true,
    };
    expect(new Set(table.map(([, { does }]) => does))).toEqual(new Set(Object.keys(deeds)));
  });

  it.each([
    [
      'agent',
      { does: 'decide' },
      'a#1 may not do this: an agent may look, lock, write findings and suspend its own task with a question, and nothing else',
    ],
    [
      'agent',
      { does: 'lock', as: 'ann' },
      'a#1 locks under its own name only; an agent may look, lock, write findings and suspend its own task with a question',
    ],
    [
      'agent',
      { does: 'findings', plan, tasks: ['b'] },
      'a#1 writes findings of its own task a in plan.md only; an agent may look, lock, write findings and suspend its own task with a question',
    ],
    ['command', { does: 'decide' }, 'a#1 may not do this: a command may steer its own plan plan.md and decide nothing'],
    [
      'command',
      { does: 'steer', plan: other },
      'a#1 may not do this: a command may steer its own plan plan.md and decide nothing (this is about other.md)',
    ],
    ['over', { does: 'run' }, 'a#1 has ended: what it left running may only look'],
    ['unknown', { does: 'run' }, 'a#1 is not known here: this database has never heard of the attempt that calls'],
  ] as const)('the refusal names the rule: %s', (who, wish, because) => {
    expect(refusalFor(askers[who]!, wish)).toMatchObject({ because });
  });
});

describe('who asks, by the token', () => {
  const keys = {
    a: { run: 'x', check: ['c'], review: 'agent' as const },
    b: { agent: 'author' },
  };
  const begin = () => verifying('a, b', keys);
  const asking = (s: ReturnType<typeof begin>, id: string) => askerOf(s.state, s.live(id).token, 'said');

  it('is a command of the plan, its check, or an agent', () => {
    const s = begin();
    expect(asking(s, 'a')).toEqual({ who: 'command', name: 'a#1', plan, task: 'a' });
    expect(asking(s, 'b')).toEqual({ who: 'agent', name: 'b#1', plan, task: 'b' });
    s.ends('a');
    expect(asking(s, 'a')).toEqual({ who: 'command', name: 'the check of a#1', plan, task: 'a' });
    s.ends('a');
    expect(asking(s, 'a')).toEqual({ who: 'agent', name: 'the review of a#1', plan, task: 'a' });
  });

  it('stays what it was started as, whatever the plan says now', () => {
    const s = begin();
    const { tasks } = s.plan.plan;
    s.load({ ...s.plan.plan, tasks: tasks.map((task) => ({ ...task, keys: { run: 'x' } })) }, 'r2');
    expect(asking(s, 'b')).toMatchObject({ who: 'agent' });
  });

  it('an agent that stands in for a command is an agent', () => {
    const s = verifying('a, b → a', { a: { run: 'x', retries: 0 } }).ends('a', 1);
    s.answer('other-agent', { agent: 'author' }).runAgain();
    expect(asking(s, 'a')).toMatchObject({ who: 'agent', name: 'a#2' });
  });

  it('is over when it has ended', () => {
    const s = begin();
    const { token } = s.live('b');
    s.ends('b');
    expect(askerOf(s.state, token, 'b#1')).toEqual({ who: 'over', name: 'b#1' });
  });
});
