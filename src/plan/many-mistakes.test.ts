// How much is said about a file with a great many mistakes, and about one that is too large.
import { describe, expect, test } from 'vitest';
import { planPath } from '../core/model/ids.ts';
import { mostTasks } from './limits.ts';
import { readPlan } from './read-plan.ts';

const read = (text: string, file = 'plan.md') => readPlan({ text, file, path: planPath(file) }).diagnostics;
const codes = (text: string, file?: string) => [...new Set(read(text, file).map(({ code }) => code))];

test('after a hundred of a kind it only counts, and still tells the others', () => {
  const many = Array.from({ length: 150 }, (_, i) => `- [ ] t${i}: x → q\n  - tiemout: 5`).join('\n');
  const found = read(`${many}\n- [?] last\n`);
  expect(found).toHaveLength(203);
  expect(found.filter(({ code }) => code === 'unknown-box')).toHaveLength(1);
  const counted = found.slice(-2).map(({ message }) => message);
  expect(counted.sort()).toEqual([
    'and 50 more errors of the kind `unknown-id`',
    'and 50 more errors of the kind `unknown-key`',
  ]);
});

test('long YAML that is wrong from its start says that it was not read on', () => {
  const lines = Array.from({ length: 12_000 }, (_, i) => `  t${i}: a: b`).join('\n');
  const found = read(`tasks:\n${lines}\n`, 'plan.yaml');
  expect(found.at(0)).toMatchObject({ line: 2, code: 'bad-yaml' });
  const [end] = found.filter(({ message }) => message.includes('from here on it was not read'));
  expect(end).toMatchObject({ code: 'more', severity: 'error' });
  expect(end!.line).toBeGreaterThan(1_000);
});

describe('a plan of as many tasks as can be is read, and one more is told', () => {
  test.each([
    ['plan.md', '', (i: number) => `- [ ] t${i}: x\n`, '  - retries: x\n', 'bad-value'],
    ['plan.yaml', 'tasks:\n', (i: number) => `  t${i}: {run: x}\n`, 'oops: [\n', 'bad-yaml'],
  ] as const)('%s', (file, before, line, mistake, code) => {
    const most = before + Array.from({ length: mostTasks }, (_, i) => line(i)).join('');
    const at = file === 'plan.md' ? { line: mostTasks + 1, column: 7 } : { line: mostTasks + 2, column: 3 };
    const place = { code: 'too-many-tasks', ...at };
    // With a mistake at its end it is read as far, and nothing is made of it, which would take as long again.
    expect(codes(`${most}${mistake}`, file)).toEqual([code]);
    expect(read(`${most}${line(mostTasks)}oops: [\n`, file)).toMatchObject([place]);
    if (process.env.SIGNALBOX_LONG !== '1') return;
    expect(codes(most, file)).toEqual([]);
    expect(read(most + line(mostTasks), file)).toMatchObject([place]);
  });
});
