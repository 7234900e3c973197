// The glance at all keys against the closer look: where it passes them over, there is nothing to say.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { planPath, taskId } from '../core/ids.ts';
import type { Plan, TaskKeys } from '../core/plan.ts';
import { checkLockKeys } from './lock-keys.ts';
import { Report } from './report.ts';
import { areSeparate } from './separate-files.ts';
import { warnSharedFiles } from './shared-files.ts';

const planWith = (all: readonly TaskKeys[]): Plan => ({
  path: planPath('plan.yaml'),
  title: '',
  order: 'explicit',
  phases: [{ name: '' }],
  tasks: all.map((keys, i) => ({ id: taskId(`t${i}`), title: '', line: i + 1, phase: 0, keys })),
});

function isSilent(plan: Plan): boolean {
  const report = new Report('plan.yaml', '');
  checkLockKeys(plan, report);
  warnSharedFiles(plan, report);
  return report.silent;
}

const name = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('a', 'b', 'c', 'd.ts', 'e f', '.x', '..y', '@z', 'ab') },
  {
    weight: 1,
    arbitrary: fc.constantFrom('', '.', '..', '*', 'é', '~', ' ', 'x:y', '{a,b}', '\\', '\u00a0', '?', '\u0007'),
  },
);
const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join('/'));
const list = fc.option(fc.uniqueArray(path, { maxLength: 2 }), { nil: undefined, freq: 2 });
const keys = fc
  .record({ files: list, reads: list, locks: list })
  .map((all) => Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as TaskKeys);

describe('a glance at all lock keys', () => {
  test('passes over nothing that there is something to say about', () => {
    let passed = 0;
    fc.assert(
      fc.property(fc.array(keys, { maxLength: 5 }), (all) => {
        const plan = planWith(all);
        if (!areSeparate(plan)) return;
        passed++;
        expect(isSilent(plan), JSON.stringify(all)).toBe(true);
      }),
      { numRuns: 5000 },
    );
    expect(passed).toBeGreaterThan(500);
  });

  test.each<[string, TaskKeys[]]>([
    ['the same path', [{ files: ['src/a.ts'] }, { files: ['src/a.ts'] }]],
    ['a folder and what is in it', [{ files: ['src'] }, { files: ['src/x/a.ts'] }]],
    ['a file and the folder around it', [{ files: ['src/x/a.ts'] }, { files: ['src/x'] }]],
    ['one that is only read', [{ files: ['a'] }, { reads: ['a'] }]],
    ['a pattern', [{ files: ['src/*.ts'] }]],
    ['a path that leads outside', [{ files: ['../a'] }]],
    ['an absolute one', [{ files: ['/a'] }]],
    ['a lock that is none', [{ locks: ['/a'] }]],
  ])('takes a closer look at %s', (_, all) => {
    expect(areSeparate(planWith(all))).toBe(false);
  });

  test('is enough for a hundred thousand files of many folders', () => {
    const all = Array.from({ length: 50_000 }, (_, i) => ({
      files: [`src/f${i % 700}/p${i}.ts`, `test/f${i % 700}/p${i}.ts`],
    }));
    expect(areSeparate(planWith(all))).toBe(true);
    expect(areSeparate(planWith([...all, { reads: ['test/f3'] }]))).toBe(false);
    expect(areSeparate(planWith([{ reads: ['src/f9/p9.ts'] }, ...all]))).toBe(false);
  });
});
