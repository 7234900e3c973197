// The failure of an optional task has the sign of a warning, wherever it is shown.
import { expect, it } from 'vitest';
import { aStatus, aTask, CliRig } from '../../../test/rigs/cli-rig.ts';
import { aDecision, aQuestion } from '../../../test/rigs/decision-samples.ts';
import { paintFor } from '../terminal/paint.ts';
import { decisionPage } from './decision-page.ts';
import { statusPage } from './status-page.ts';

const manner = { io: new CliRig({}, { columns: 80 }).io, paint: paintFor(false), flags: {} };
const failure = { kind: 'exit', code: 1 } as const;

it('on the page of a decision', () => {
  const rest = [
    { task: 'b', failure, log: null, optional: true as const },
    { task: 'c', failure, log: null },
  ];
  const page = (more: object) => decisionPage(aQuestion(aDecision(), { failure, rest, ...more }), manner).join('\n');
  expect(page({ optional: true })).toMatch(/⚠ a exit[\s\S]*⚠ b exit[\s\S]*✖ c exit/);
  expect(page({})).toMatch(/✖ a exit/);
});

it('where tasks are only counted', () => {
  const counts = { completed: 4, in_progress: 0, failed: 3, blocked: 0, suspended: 0, skipped: 0, pending: 0 };
  const page = (more: object) =>
    statusPage(
      { ...aStatus([aTask('a', { status: 'failed' })]), folded: [{ phase: '', counts, ...more }] },
      manner,
    ).join('\n');
  expect(page({ optionalFailures: 2 })).toContain('✔ 4 completed tasks  ✖ 1 failed task  ⚠ 2 failed optional tasks');
  expect(page({ optionalFailures: 3 })).toContain('✔ 4 completed tasks  ⚠ 3 failed optional tasks');
  expect(page({})).toContain('✔ 4 completed tasks  ✖ 3 failed tasks');
});

it('the page says which of those in progress wait for a lock', () => {
  const tasks = [
    aTask('a', { status: 'in_progress' }),
    aTask('b', { status: 'in_progress', waitsFor: [{ resource: 'x', holder: 'a#1' }] }),
  ];
  expect(statusPage(aStatus(tasks), manner).join('\n')).toContain('· 1 running · 1 waits for a lock');
});
