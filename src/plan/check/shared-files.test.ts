import { beforeAll, describe, expect, it } from 'vitest';
import { planPath } from '../../core/model/ids.ts';
import { readPlan } from '../read-plan.ts';

const warnings = (text: string) =>
  readPlan({ text, file: 'plan.md', path: planPath('plan.md') }).diagnostics.filter((d) => d.code === 'shared-files');

const task = (id: string, needs: string, ...keys: string[]) =>
  [`- [ ] ${id}: Do it${needs === '' ? '' : ` ${needs}`}`, ...keys.map((key) => `  - ${key}`)].join('\n');
const plan = (...lines: string[]) => `---\norder: explicit\n---\n${lines.join('\n')}\n`;

describe('files that two tasks claim', () => {
  it('are named with both tasks, both lines and the key', () => {
    const [warning, ...more] = warnings(plan(task('a', '', 'files: src/x.ts'), task('b', '', 'files: src/x.ts')));
    expect(more).toEqual([]);
    expect(warning).toMatchObject({ severity: 'warning', line: 6 });
    expect(warning!.message).toBe(
      '`a` (line 4) and `b` (line 6) claim `src/x.ts`, and nothing orders them: they will not run together, one waits',
    );
    expect(warning!.help).toContain('`→ a`');
  });

  it.each<[string, string, number]>([
    ['other files', plan(task('a', '', 'files: x'), task('b', '', 'files: y')), 0],
    ['a pattern', plan(task('a', '', 'files: src/**'), task('b', '', 'files: src/y.ts')), 1],
    ['a folder', plan(task('a', '', 'files: src'), task('b', '', 'files: src/y.ts')), 1],
    ['one reads', plan(task('a', '', 'files: x'), task('b', '', 'reads: x')), 1],
    ['both read', plan(task('a', '', 'reads: x'), task('b', '', 'reads: x')), 0],
    ['read and changed by one', plan(task('a', '', 'files: x', 'reads: x')), 0],
    ['named locks', plan(task('a', '', 'locks: db:x'), task('b', '', 'locks: db:x')), 0],
    ['a need', plan(task('a', '', 'files: x'), task('b', '→ a', 'files: x')), 0],
    ['a need the other way', plan(task('a', '→ b', 'files: x'), task('b', '', 'files: x')), 0],
    ['a preference', plan(task('a', '', 'files: x'), task('b', '~> a', 'files: x')), 0],
    ['a far need', plan(task('a', '', 'files: x'), task('c', '→ a'), task('b', '→ c', 'files: x')), 0],
    ['phases', `## P1\n${task('a', '', 'files: x')}\n## P2\n${task('b', '', 'files: x')}`, 0],
    ['one phase', `## P1\n${task('a', '', 'files: x')}\n${task('b', '', 'files: x')}`, 1],
    ['done', plan('- [x] a: Do it\n  - files: x', task('b', '', 'files: x')), 0],
    ['skipped', plan('- [-] a: Do it\n  - files: x', task('b', '', 'files: x')), 0],
    ['no key', plan(task('a', '', 'files: /x'), task('b', '', 'files: /x')), 0],
    ['two keys, one pair', plan(task('a', '', 'files: x, y'), task('b', '', 'files: x, y')), 1],
    ['two ways', plan(task('a', '', 'files: x'), task('b', '→ a', 'files: x'), task('c', '→ a', 'files: x')), 1],
    [
      'two readers after',
      plan(task('a', '', 'files: x'), task('b', '→ a', 'reads: x'), task('c', '→ a', 'reads: x')),
      0,
    ],
    ['a reader beside', plan(task('a', '', 'reads: x'), task('b', '', 'reads: x'), task('c', '→ b', 'files: x')), 1],
    [
      'a chain of readers and writers',
      plan(task('a', '', 'files: x'), task('b', '→ a', 'reads: x/y'), task('c', '→ b', 'files: x')),
      0,
    ],
    [
      'a pattern behind a chain',
      plan(task('a', '', 'files: x'), task('b', '→ a', 'files: x'), task('c', '→ a', 'files: x/*')),
      1,
    ],
    [
      'a group that is needed',
      plan('- [ ] g: Group', '  - [ ] a: Do it\n    - files: x', task('b', '→ g', 'files: x')),
      0,
    ],
  ])('%s', (_, text, count) => {
    expect(warnings(text).map(({ message }) => message)).toHaveLength(count);
  });

  it('are told once for a group that hands them down', () => {
    const text = plan('- [ ] g: Group\n  - files: src/**', ...['a', 'b', 'c', 'd'].map((id) => `  - [ ] ${id}: Do it`));
    expect(warnings(text).map(({ message }) => message)).toEqual([
      'the subtasks of `g` (line 4) inherit `src/**`, so they run one at a time: `a` (line 6) and `b` (line 7), and any others that nothing orders',
    ]);
    const fromTop = `---\nfiles: src/**\norder: explicit\n---\n- [ ] a: x\n- [ ] g: y\n  - [ ] b: z\n`;
    expect(warnings(fromTop).map(({ message }) => message)).toEqual([
      'tasks inherit `src/**`, so they run one at a time: `a` (line 5) and `b` (line 7), and any others that nothing orders',
    ]);
  });

  it('are told by the first ten pairs, and how many more there are', () => {
    const tasks = Array.from({ length: 13 }, (_, i) => [
      task(`a${i}`, '', `files: f${i}`),
      task(`b${i}`, '', `files: f${i}`),
      task(`c${i}`, '', `files: f${i}`),
    ]);
    const found = warnings(plan(...tasks.flat()));
    expect(found).toHaveLength(11);
    expect(found[0]!.message).toContain('claim `f0` (of 3 tasks that do)');
    expect(found[10]!.message).toBe('and 3 more pairs of tasks that claim the same files while nothing orders them');
  });

  const isLong = process.env.SIGNALBOX_LONG === '1';
  const size = isLong ? 50_000 : 10_000;
  const timed = (what: string) => {
    const started = process.cpuUsage();
    warnings(what);
    const { user, system } = process.cpuUsage(started);
    return (user + system) / 1000;
  };
  // The first text takes longer than any other.
  beforeAll(() => void timed(plan(...Array.from({ length: 5_000 }, (_, i) => task(`t${i}`, '', 'labels: x')))));

  // The milliseconds are for the small plan, in which comparing each task with each takes longer. Patterns may be compared for a time
  // that does not depend on the size.
  it.each<[string, number, (i: number) => string]>([
    ['a file each', 900, (i) => task(`t${i}`, '', `files: src/d${i % 300}/f${i}.ts`)],
    ['all the same file', 400, (i) => task(`t${i}`, '', 'files: src/x.ts')],
    [
      'all the same file, one after the other',
      400,
      (i) => task(`t${i}`, i > 0 ? `→ t${i - 1}` : '', 'files: src/x.ts'),
    ],
    ['patterns that all have to be compared', 1800, (i) => task(`t${i}`, '', `files: "**/f${i}.ts"`)],
    ['a pattern over all others', 900, (i) => task(`t${i}`, '', i % 2 ? 'files: src/**' : `files: src/f${i}.ts`)],
  ])(`cost little in a plan of ${size} tasks: %s`, (_, allowed, line) => {
    const text = plan(...Array.from({ length: size }, (__, i) => line(i)));
    const bare = text.replaceAll('files:', 'labels:');
    const most = isLong ? 3000 : allowed;
    let cost = Number.POSITIVE_INFINITY;
    // Once more where the memory of other tests was cleaned up meanwhile.
    for (let n = 0; n < 3 && cost >= most; n++) cost = timed(text) - timed(bare);
    expect(cost).toBeLessThan(most);
  });
});
