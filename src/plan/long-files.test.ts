// Where readers stop in files that go on and on, that they say so, and that no plan is taken for one of them.
import { describe, expect, it, test } from 'vitest';
import { agentKinds } from '../agents/kind.ts';
import { planPath } from '../core/model/ids.ts';
import { Report } from './diagnostics/report.ts';
import { importPlan } from './import-plan.ts';
import { largestFile, mostIdleLines, mostTasks } from './limits.ts';
import { readPlan } from './read-plan.ts';
import { readSettings } from './read-settings.ts';

const read = (text: string, file = 'plan.md') => readPlan({ text, file, path: planPath(file) });
const said = (text: string, file?: string) =>
  read(text, file).diagnostics.map(({ code, line, column }) => `${code} ${line}:${column}`);
const many = (count: number, line: (i: number) => string) => Array.from({ length: count }, (_, i) => line(i)).join('');

describe('a text that is larger than a file may be', () => {
  const text = '- [ ] a: x\n'.repeat(Math.ceil(largestFile / 11));
  test.each(['plan.md', 'plan.yaml', 'plan.txt'])('%s', (file) => {
    const { plan, diagnostics } = read(text, file);
    expect(plan).toBeNull();
    expect(diagnostics[0]).toMatchObject({ code: 'file-too-large', line: 1, excerpt: '' });
    expect(diagnostics).toHaveLength(file === 'plan.txt' ? 2 : 1);
  });

  test('settings', () => {
    expect(
      readSettings({ text, file: 'signalbox.yaml', kinds: agentKinds }).diagnostics.map(({ code }) => code),
    ).toEqual(['file-too-large']);
  });

  test.each(['taskmaster', 'beads', 'backlog', 'kiro'] as const)('of %s', (tool) => {
    const reading = importPlan({ tool, files: [{ name: 'x', text }] });
    expect(reading.ok ? [] : reading.diagnostics.map(({ code }) => code)).toEqual(['file-too-large']);
  });

  test('one character less is read', () => {
    expect(said(`- [ ] a: x\n${' '.repeat(largestFile - 11)}`)).toEqual(['long-line 2:1']);
  });
});

describe('markdown without a task for long', () => {
  const idle = 'words\n'.repeat(mostIdleLines);

  it('is read on when a task comes in time', () => {
    const { plan, diagnostics } = read(`- [ ] a: x\n\n${idle.slice(12)}- [ ] b: y → a\n`);
    expect(diagnostics).toEqual([]);
    expect(plan!.tasks.map(({ id }) => id)).toEqual(['a', 'b']);
  });

  it('is not read further, which is told with the line', () => {
    expect(said(`- [ ] a: x\n${idle}words\n- [ ] b: y → nobody\n`)).toEqual([`long-text ${mostIdleLines + 2}:1`]);
  });

  it('has no end in a block either', () => {
    expect(said(`- [ ] a: x\n  \`\`\`\n${`  ${'words\n  '.repeat(mostIdleLines)}`}\n- [ ] b: y\n`)).toEqual([
      'unclosed-block 2:3',
      `long-text ${mostIdleLines + 2}:1`,
    ]);
  });

  it('has no tasks where none was found', () => {
    const { diagnostics } = read(`${idle}words\nwords\n- [ ] a: x\n`);
    expect(diagnostics).toHaveLength(1);
    expect(diagnostics[0]).toMatchObject({
      code: 'empty-plan',
      message: `this plan has no tasks in its first ${mostIdleLines + 1} lines, and was not read further`,
    });
  });

  it('may have as many empty lines at its end as it likes', () => {
    expect(said(`- [ ] a: x\n${'\n'.repeat(2 * mostIdleLines)}`)).toEqual([]);
  });

  it('is also read on for the rows of a table', () => {
    const rows = many(20, (i) => `| ${i} | x |\n`);
    const { plan, diagnostics } = read(
      `---\norder: explicit\n---\n${idle.slice(60)}\n| # | Task |\n|---|---|\n${rows}`,
    );
    expect(diagnostics).toEqual([]);
    expect(plan!.tasks).toHaveLength(20);
  });
});

/** Seconds each, most of them for texts that are as large as can be: `npm run prove -- limits`. */
const long = it.runIf(process.env.SIGNALBOX_LONG === '1');

describe('one task more than a plan has', () => {
  const tasks = many(mostTasks, (i) => `- [ ] t${i}: x\n`);

  it('is told with its place', () => {
    expect(said(`- [x] [P] zero\n${tasks}`)).toEqual([`too-many-tasks ${mostTasks + 1}:7`]);
  });

  long('is not there where one has words in italics', () => {
    expect(said(`- [ ] t0: *x*\n${tasks}`.replace('- [ ] t0: x\n', ''))).toEqual([]);
  });

  long('is none where a box is a criterion, or a value', () => {
    expect(said(`${tasks}## Verify\n- [ ] more: x\n`)).toEqual([`loose-criterion ${mostTasks + 2}:7`]);
    expect(said(`${tasks}  - accept: one\n    - [ ] more: x\n`)).toEqual([]);
  });

  it('does not hide what makes the file no text', () => {
    expect(said(`${tasks}- [ ] more: x\n\0\n`)).toEqual([`bad-character ${mostTasks + 2}:1`]);
  });

  long('is the row of a table, of one or of several', () => {
    const rows = many(mostTasks, (i) => `| ${i} | x |\n`);
    const head = '| # | Task |\n|---|---|\n';
    expect(said(`${head}${rows}| more | x |\n`)).toEqual([`too-many-tasks ${mostTasks + 3}:3`]);
    expect(said(`${head}| first | x |\n\n${head}${rows}`)).toEqual([`too-many-tasks ${mostTasks + 6}:3`]);
    expect(said(`---\norder: explicit\n---\n${head}${rows}`)).toEqual([]);
  });

  it('is found in plain YAML before anything is made of it, where it stands', () => {
    const tasks = many(mostTasks, (i) => `  a:\n    run: make number ${i}\n`);
    expect(said(`tasks:\n${tasks}  b: {}\n`, 'plan.yaml')).toEqual([`too-many-tasks ${2 * mostTasks + 2}:3`]);
  });

  long('is no line of a text in YAML, nor a key of another task', () => {
    const words = '      words words words\n'.repeat(mostTasks + 1);
    expect(said(`tasks:\n  a:\n    prompt: |\n${words}    rnu: x\n`, 'plan.yaml')).toEqual([
      `unknown-key ${mostTasks + 5}:5`,
    ]);
    const keys = many(mostTasks / 2, (i) => `  t${i}:\n    run: x\n    title: Build\n    model: opus\n`);
    expect(said(`tasks:\n${keys}  z: {rnu: x}\n`, 'plan.yaml')).toEqual([`unknown-key ${2 * mostTasks + 2}:7`]);
  });
});

describe('files of other tools', () => {
  const codes = (tool: 'taskmaster' | 'beads', text: string) => {
    const reading = importPlan({ tool, files: [{ name: 'x', text }] });
    return reading.ok ? [] : reading.diagnostics.map(({ code, line }) => `${code} ${line}`);
  };
  const list = (count: number, item: string) => `[${`${item},\n`.repeat(count - 1)}${item}]`;

  it('tells too many tasks before one is made', () => {
    expect(codes('taskmaster', `{"tasks": ${list(mostTasks + 1, '{"id":1,"title":"x"}')}}`)).toEqual([
      'too-many-tasks 1',
    ]);
  });

  it('tells too many with the subtasks', () => {
    const half = list(mostTasks / 2, '{"id":1,"title":"x"}');
    const tasks = `{"id":1,"title":"x","subtasks":${half}}`;
    expect(codes('taskmaster', `{"tasks": [${tasks},${tasks}]}`)).toEqual(['too-many-tasks 1']);
  });

  long('tells too many values before they are parsed, and where', () => {
    expect(codes('taskmaster', `{"tasks": ${list(16 * mostTasks + 1, '1')}}`)).toEqual([
      `too-many-tasks ${16 * mostTasks - 1}`,
    ]);
    expect(
      codes('taskmaster', `{"tasks": [{"id":1,"title":"x","details":"${','.repeat(16 * mostTasks + 9)}"}]}`),
    ).not.toContain('too-many-tasks 1');
  });

  it('tells too many records, none of which is lost in silence', () => {
    const records = '{"_type":"memory"}\n'.repeat(2 * mostTasks + 1);
    expect(codes('beads', `${records}{"id":"b-1","title":"x"}\n`)).toEqual([`too-many-tasks ${2 * mostTasks + 2}`]);
  });

  it('reads lines of JSON with empty ones between them', () => {
    const reading = importPlan({
      tool: 'beads',
      files: [{ name: 'x', text: '\n \n{"id":"b-1","title":"x"}\n\n{"id":"b-2","title":"y"}' }],
    });
    expect(reading.ok && reading.tasks).toBe(2);
  });
});

describe('markdown with nothing but mistakes', () => {
  const arrows = (count: number, line = '  a → b\n') => many(count / 100, (i) => `- [ ] t${i}: x\n${line.repeat(100)}`);
  const told = (text: string) => read(text).diagnostics.map(({ code, message }) => `${code} ${message.slice(0, 21)}`);

  it.each([
    ['doubts', '  a → b\n', 'loose-arrow'],
    ['errors', '  - retries: x\n', 'bad-value'],
  ])('is not read to its end, which is told: %s', (_, line, code) => {
    const { diagnostics } = read(arrows(300_000, line));
    expect([...new Set(diagnostics.map((one) => one.code))]).toEqual([code, 'more']);
    const [stop, count] = diagnostics.slice(-2);
    expect(stop!.message).toBe('above are more than 100000 mistakes, so from here on the file was not read');
    expect(stop!.line).toBeLessThan(102_000);
    expect(count!.message).toMatch(new RegExp(`^and \\d+ more errors of the kind \`${code}\`, at least$`));
  });

  long('is read to its end where they are few enough, or none in a plan of that tool', () => {
    expect(told(arrows(90_000)).at(-1)).toBe('more and 89900 more errors');
    const kiro = `# Implementation Plan\n${arrows(300_000)}`;
    expect(told(kiro).at(-1)).toBe('more and 299900 more error');
    expect(told(`- [ ] 1. x\n  - _Requirements: 1_\n${arrows(300_000)}`)).toEqual([]);
  });
});

test.each(['short', 'long'])('line ends of Windows and of old are all taken for one in a %s text', (kind) => {
  const text = `${'é'.repeat(kind === 'long' ? 200_000 : 2)}\r\n\r\r\n- [ ] a: one\r- [ ] b: 😀 → nobody\r\n\r`;
  expect(said(text)).toEqual(['unknown-id 5:15']);
  expect(said(`${text}\ud800`)).toEqual(['bad-character 7:1']);
});

test('marks of git are counted up to a number, and that is said', () => {
  const { diagnostics } = read('<<<<<<< HEAD\n'.repeat(300_000));
  expect(diagnostics).toHaveLength(101);
  expect(diagnostics.at(-1)!.message).toMatch(/^and \d+ more errors of the kind `merge-conflict`, at least$/);
});

test('more keys at the top than there are are all told', () => {
  const keys = many(120, (i) => `zz${i}: 1\n`);
  const { diagnostics } = read(`${keys}tasks:\n  a: {run: x}\n`, 'plan.yaml');
  expect(diagnostics.at(-1)!.message).toBe('and 20 more errors of the kind `unknown-key`');
});

describe('the excerpt of a long line', () => {
  const line = 'abcdefghij'.repeat(300_000);
  const excerpts = (...columns: number[]) => {
    const report = new Report('plan.yaml', `first\n${line}\nlast`);
    for (const column of columns) report.error({ code: 'x', message: 'y', line: 2, column });
    return report.diagnostics().map(({ excerpt }) => excerpt);
  };

  it('ends behind the mistake, and fits its column', () => {
    const [near, far, wide] = excerpts(1, 10_000, 1_000_000);
    expect([near!.length, far!.length, wide!.length]).toEqual([2_001, 12_000, 1_002_000]);
    for (const excerpt of [near, far, wide]) expect(line.startsWith(excerpt!)).toBe(true);
  });

  it('is left out where nobody could look', () => {
    expect(excerpts(1_000_001)).toEqual(['']);
  });

  it('is the whole line where it is not long', () => {
    const report = new Report('plan.md', `${'x'.repeat(1_500)}\nlast`);
    report.error({ code: 'x', message: 'y', line: 1, column: 1 });
    report.error({ code: 'x', message: 'y', line: 2, column: 2 });
    expect(report.diagnostics().map(({ excerpt }) => excerpt.length)).toEqual([1_500, 4]);
  });
});
