// What an attempt is told of the conversation before it.
import { describe, expect, it } from 'vitest';
import { attemptId, planPath, taskId } from '../../core/model/ids.ts';
import type { Plan, Task } from '../../core/model/plan.ts';
import type { NewBecause, Talk } from '../../core/rules/go-on.ts';
import { prompt, toldAs } from './prompt.ts';

const own: Task = {
  ...{ id: taskId('login'), title: 'Add a login', line: 1, phase: 0, prompt: 'Use the router.' },
  keys: { check: ['npm test'], files: ['src/login.ts'], accept: ['it is tested'] },
};
const plan: Plan = {
  ...{ path: planPath('plan.md'), title: 'Checkout', order: 'explicit' },
  phases: [{ name: '' }],
  tasks: [own],
};
const goesOn = (told = toldAs({ plan, task: own })): Talk => ({
  kind: 'goes-on',
  conversation: {
    ...{ id: 's1', attempt: attemptId(own.id, 1), by: 'claude', folder: '/w', told },
    used: { input: 0, output: 0, cached: 0, cacheWrite: 0 },
  },
});
const about = { plan, task: own, attempt: attemptId(own.id, 2) };

describe('a prompt in the same conversation', () => {
  it('says what went wrong and what a person said, and not the task again', () => {
    const text = prompt({
      ...about,
      talk: goesOn(),
      previous: { kind: 'check', command: 'npm test', code: 1, token: 3 },
      checkLog: 'expected 401',
      stopped: { because: 'a person had to answer a question first', saved: 'login-1' },
      note: 'Use bcrypt.',
      builtOn: [{ id: 'db', title: 'Schema', findings: null, files: [] }],
    });
    expect(text).toBe(`# Go on with login: Add a login

You go on in the same conversation: the task is not finished yet. Your attempt is now login#2. The task, the rules about files and how you are judged are what you were told.

Others may have written meanwhile: look at files before you rely on what you remember of them. Locks that you took yourself are released; take them again before you write.

## Before

The previous attempt did not pass its check, which ended with exit code 1: npm test.

The check printed at the end:

\`\`\`
expected 401
\`\`\`

## You were stopped before

You were stopped because a person had to answer a question first. Your files were put back to what they were; your version is saved as login-1 (see "signalbox saved show login-1").

## A note from a person

Use bcrypt.
`);
  });

  it.each<[string, Partial<Task>]>([
    ['its title', { title: 'Add a logout' }],
    ['its words', { prompt: 'Use the other router.' }],
    ['its checks', { keys: { ...own.keys, check: ['make test'] } }],
    ['its files', { keys: { ...own.keys, files: ['src/logout.ts'] } }],
    ['what is accepted', { keys: { ...own.keys, accept: ['it is fast'] } }],
  ])('has the whole task where the plan was edited: %s', (_, edit) => {
    const text = prompt({ ...about, task: { ...own, ...edit }, talk: goesOn() });
    expect(text).toMatch(/^# Go on with login: /);
    expect(text).toContain('What follows counts now');
    for (const part of ['This is task login of the plan', '## How it is judged', '## Files', '## If you need a person'])
      expect(text).toContain(part);
  });

  it('says that the last answer was cut off, where nobody knows how it ended', () => {
    const about2 = { ...about, talk: goesOn() };
    const text = prompt({ ...about2, previous: { kind: 'agent', class: 'no-result', message: '' } });
    expect(text).toContain(
      '## Before\n\nThe previous attempt ended without saying that it is finished. Its last answer was cut off: see what is done, finish the rest, and report.\n',
    );
    expect(prompt({ ...about2, previous: { kind: 'agent', class: 'crash', message: 'boom' } })).not.toContain(
      'cut off',
    );
  });

  it('is told by the same name in each attempt', () => {
    expect(toldAs(about)).toBe(toldAs({ ...about, task: { ...own, line: 7 } }));
  });
});

describe('a prompt in a new conversation', () => {
  it.each<[NewBecause, RegExp]>([
    ['too-long', /is too long to go on/],
    ['gone', /could not be gone on in/],
    ['agent', /another agent had/],
    ['account', /another account/],
    ['folder', /another folder/],
    ['program', /your program cannot/],
  ])('says in one line that there was another: %s', (because, words) => {
    const plain = prompt(about);
    const text = prompt({ ...about, talk: { kind: 'new', because, earlier: attemptId(own.id, 1) } });
    const line = text.split('\n').find((one) => one.includes('This is a new conversation'))!;
    expect(line).toMatch(words);
    expect(line).toContain('what login#1 knew, you do not.');
    expect(text.replace(/ This is a new conversation.*/, '')).toBe(plain);
  });

  it('says nothing of it where there was none', () => {
    expect(prompt(about)).not.toContain('conversation');
  });
});
