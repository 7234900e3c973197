// What an attempt in a worktree is told, and what it is not.
import { describe, expect, it } from 'vitest';
import { attemptId, planPath, taskId } from '../../core/model/ids.ts';
import type { Plan, Task } from '../../core/model/plan.ts';
import type { Talk } from '../../core/rules/go-on.ts';
import { escalationPrompt } from './escalation-prompt.ts';
import type { OwnTree } from './own-tree.ts';
import { type PromptParts, prompt, toldAs } from './prompt.ts';

const own: Task = {
  ...{ id: taskId('login'), title: 'Add a login', line: 1, phase: 0, prompt: 'Use the router.' },
  keys: { check: ['npm test'] },
};
const plan: Plan = {
  ...{ path: planPath('plan.md'), title: 'Checkout', order: 'explicit' },
  phases: [{ name: '' }],
  tasks: [own],
};
const tree: OwnTree = { branch: 'signalbox-attempts/plan/login.2' };
const about: PromptParts = { plan, task: own, attempt: attemptId(own.id, 2), isCoding: true, tree };
const withKeys = (keys: Task['keys']): PromptParts => ({ ...about, task: { ...own, keys: { ...own.keys, ...keys } } });
const goesOn = (told: string): Talk => ({
  kind: 'goes-on',
  conversation: {
    ...{ id: 's1', attempt: attemptId(own.id, 1), by: 'claude', folder: '/w', told },
    used: { input: 0, output: 0, cached: 0, cacheWrite: 0 },
  },
});

it('in a worktree of its own, an attempt is told where it works and what it must leave alone', () => {
  expect(prompt(about)).toBe(`# Add a login

This is task login of the plan "Checkout" (plan.md). Your attempt is login#2. Nothing will notify you: whatever you start ends with you, so wait for it before you end.

Use the router.

## How it is judged

When you have ended, these commands must succeed:

- \`npm test\`

## Your worktree

You work in a git worktree of your own, on the branch \`signalbox-attempts/plan/login.2\`. What others finish meanwhile is not in it: your work is merged with theirs after you end. You need not commit, but you may. Do not switch branches or push, and touch no other checkout of this repository.

## If you need a person

Nobody can answer while you work. If you cannot go on without an answer: \`signalbox suspend --question "…"\`, then end. Your next attempt gets the answer.
`);
});

it('where results gather, it is told that instead', () => {
  const text = prompt({ ...about, tree: { branch: null } });
  expect(text).toContain(
    'You work in the git worktree in which the results of the plan gather. What you change there is committed for you after you end. Do not commit, switch branches or push, and touch no other checkout of this repository.',
  );
  expect(text).not.toMatch(/need not commit|on the branch|\block/);
});

describe('of locks it is told only what it declared', () => {
  it.each<[string, PromptParts, string | null]>([
    ['nothing', about, null],
    ['files', withKeys({ files: ['src/*.ts'] }), 'Nobody else has these until your work is merged: src/*.ts.'],
    [
      'files and a name',
      withKeys({ files: ['a.ts'], locks: ['db:test'] }),
      'Nobody else has these until your work is merged: a.ts, db:test.',
    ],
    [
      'files to read',
      withKeys({ reads: ['b.ts'] }),
      'Nobody writes to these until your work is merged, and neither do you: b.ts.',
    ],
    ['nothing, and its result is a text', withKeys({ produces: 'text' }), null],
  ])('%s', (_, parts, line) => {
    const text = prompt(parts);
    if (line === null) expect(text).not.toContain('until your work is merged');
    else expect(text).toContain(line);
    expect(text).toContain('## Your worktree');
    expect(text).not.toMatch(/signalbox lock|Others work in this folder|## Files/);
  });
});

describe('after a conflict', () => {
  const previous = { kind: 'merge', result: 'conflict', files: ['a.ts', 'b\n.ts'], token: 7 } as const;

  it('it is told which files conflict, and that the merge is in progress', () => {
    const merging = ['a.ts', 'odd\nname.ts'];
    expect(prompt({ ...about, previous, tree: { ...tree, merging } })).toContain(`## Before

The previous attempt could not be merged with what others did meanwhile: a.ts and b .ts.

## A merge is in progress

In your tree, your earlier work is being merged with what others have finished, and these files conflict. Resolve their conflict marks first, so that what each side meant is kept. You need not commit the merge.

- a.ts
- odd name.ts
`);
  });

  it('it is told nothing of a merge where none is in progress', () => {
    for (const none of [tree, { ...tree, merging: [] }])
      expect(prompt({ ...about, previous, tree: none })).not.toContain('in progress');
  });

  it('a long list ends', () => {
    const merging = Array.from({ length: 60 }, (_, i) => `f${i}.ts`);
    const text = prompt({ ...about, tree: { ...tree, merging } });
    expect(text).toContain('- f49.ts\n- and 10 more: see `git status`\n');
    expect(text).not.toContain('f50.ts');
  });

  it('it is told what somebody has changed since, and that this is part of the merge', () => {
    const text = prompt({ ...about, previous, tree: { ...tree, merging: ['a.ts'], byHand: ['odd\nname.ts'] } });
    expect(text).toContain('## Changed by hand\n\nAfter the last attempt had ended, somebody changed these files');
    expect(text).toContain('build on them.\n\n- odd name.ts\n');
    expect(text).toContain('In your tree, the earlier work, with what was changed by hand, is being merged');
    expect(prompt({ ...about, previous, tree })).not.toContain('by hand');
    const byHand = Array.from({ length: 60 }, (_, i) => `f${i}.ts`);
    expect(prompt({ ...about, tree: { ...tree, byHand } })).toContain('- f49.ts\n- and 10 more\n');
  });

  it('a debugging agent is told the same', () => {
    const parts = { ...about, previous, tree: { ...tree, merging: ['a.ts'], byHand: ['b.ts'] } };
    const text = escalationPrompt(parts, { history: '', diff: null });
    for (const part of ['## Your worktree', '## A merge is in progress', '- a.ts', '## Changed by hand', '- b.ts'])
      expect(text).toContain(part);
    expect(text).not.toContain('signalbox lock');
  });
});

it('after a red result, it is told the command and what it printed', () => {
  const previous = { kind: 'merge', result: 'red', files: [], command: 'npm test', token: 7 } as const;
  expect(prompt({ ...about, previous, checkLog: 'expected 401' })).toContain(`## Before

The previous attempt passed its checks, but together with what others did meanwhile this one does not pass: npm test.

The check printed at the end:

\`\`\`
expected 401
\`\`\`
`);
});

describe('in the same conversation', () => {
  it('it is told its new branch, and no rule again', () => {
    expect(
      prompt({ ...about, talk: goesOn(toldAs({ ...about, tree: { branch: 'login.1' } })) }),
    ).toBe(`# Go on with login: Add a login

You go on in the same conversation: the task is not finished yet. Your attempt is now login#2. The task, the rules about files and how you are judged are what you were told.

Your branch is now \`signalbox-attempts/plan/login.2\`: it has your earlier work and what others have finished meanwhile. Look at files before you rely on what you remember of them.
`);
  });

  it('it is told that its worktree has more, where that has no branch', () => {
    const text = prompt({
      ...about,
      tree: { branch: null },
      talk: goesOn(toldAs({ ...about, tree: { branch: null } })),
    });
    expect(text).toContain('\n\nYour worktree has what others have finished meanwhile. Look at files before');
  });

  it.each<[string, PromptParts, PromptParts]>([
    ['worked in the workspace before', { plan, task: own, attempt: about.attempt }, about],
    ['works in the workspace now', about, { plan, task: own, attempt: about.attempt }],
    ['works where results gather now', about, { ...about, tree: { branch: null } }],
  ])('it is told all the rules again where it %s', (_, then, now) => {
    expect(prompt({ ...now, talk: goesOn(toldAs(then)) })).toContain('What follows counts now');
  });
});

it.each<[string, OwnTree | undefined, string | null, string]>([
  ['in its tree', tree, null, 'What you had changed is in your tree.'],
  ['in the workspace', undefined, null, 'You had changed no files.'],
  ['in the workspace, and works in a tree now', tree, 'login-1', 'your version is saved as login-1'],
])('an attempt that was stopped %s is told where its work is', (_, where, saved, words) => {
  const parts = { plan, task: own, attempt: about.attempt, ...(where ? { tree: where } : {}) };
  expect(prompt({ ...parts, stopped: { because: 'of b', saved } })).toContain(words);
});
