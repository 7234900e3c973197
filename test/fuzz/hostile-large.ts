// Files below the limit of size that were made to cost as much as they can: a million tasks, mistakes in every line, one list or
// line without an end, brackets in brackets. By name: which file each pretends to be, its text, and the codes that answer it.
import { largestFile } from '../../src/plan/limits.ts';
import type { Hostile } from './hostile-texts.ts';

function lines(size: number, line: (i: number) => string, before = ''): string {
  const parts = [before];
  let length = before.length;
  for (let i = 0; length < size; i++) {
    const part = line(i);
    parts.push(part);
    length += part.length;
  }
  return parts.join('');
}

const medium = 6_000_000;
const task = '- [ ] a: x\n';

const markdown = (size: number, line: (i: number) => string, before = ''): Pick<Hostile, 'file' | 'text'> => ({
  file: 'plan.md',
  text: () => lines(size, line, before),
});
const yaml = (size: number, line: (i: number) => string, before = 'tasks:\n'): Pick<Hostile, 'file' | 'text'> => ({
  file: 'plan.yaml',
  text: () => lines(size, line, before),
});

/** Read in part by every run of the tests. */
export const medium6: Readonly<Record<string, Hostile>> = {
  'one id in every line': { ...markdown(medium, () => task), codes: ['too-many-tasks'] },
  'one title in every line': { ...markdown(medium, () => '- [ ] Build\n'), codes: ['too-many-tasks'] },
  'more tasks than a plan has': { ...markdown(medium, (i) => `- [ ] t${i}: x\n`), codes: ['too-many-tasks'] },
  'a key that is nearly one in every line': {
    ...markdown(medium, () => '  - tiemout: 5\n', task),
    codes: ['unknown-key', 'more'],
  },
  'another word that is no key in every line': {
    ...markdown(medium, (i) => `  - ${'abcdefghij'[i % 10]}${i.toString(36)}s: 5\n`, task),
    codes: ['unknown-key', 'long-text'],
  },
  'a key in prose in every line': {
    ...markdown(medium, () => '  run: x\n', task),
    codes: ['key-in-prose', 'long-text', 'more'],
  },
  'a bad value in every line': {
    ...markdown(medium, () => '  - retries: x\n', task),
    codes: ['bad-value', 'more'],
  },
  'an arrow in every line': {
    ...markdown(medium, () => '  a → b\n', task),
    codes: ['loose-arrow', 'more'],
  },
  'a box without a dash in every line': {
    ...markdown(medium, () => '[ ] x\n', task),
    codes: ['loose-box', 'long-text', 'more'],
  },
  'a mark of git in every line': { ...markdown(medium, () => '<<<<<<< HEAD\n'), codes: ['merge-conflict', 'more'] },
  'one line of needs': { ...markdown(medium, () => 'a, ', `${task}- [ ] b: y → `), codes: ['long-line'] },
  'a list of needs without an end': {
    ...markdown(medium, () => '    - a\n', `${task}- [ ] b: x\n  - needs:\n`),
    codes: ['long-text'],
  },
  'rows of a table': {
    ...markdown(medium, (i) => `| ${i} | x | |\n`, '| # | Task | Deps |\n|---|---|---|\n'),
    codes: ['too-many-tasks'],
  },
  'headings without tasks': { ...markdown(medium, () => '## a\n'), codes: ['empty-plan'] },
  'one id in every line of YAML': { ...yaml(medium, () => '  a: {run: x}\n'), codes: ['too-many-tasks'] },
  'a slip in every line of YAML': {
    ...yaml(medium, (i) => `  t${i}: {rnu: x}\n`),
    codes: ['too-many-tasks'],
  },
  'keys that nobody knows': { ...yaml(medium, (i) => `k${i}: 1\n`, ''), codes: ['too-many-tasks'] },
  'one list in one line of YAML': {
    file: 'plan.yaml',
    text: () => `${lines(medium, () => 'a,', 'tasks: {a: {needs: [')}a]}}`,
    codes: ['long-line'],
  },
  'keys with question marks': { ...yaml(3_900_000, () => '? a\n', ''), codes: ['bad-yaml'] },
  'a front matter of keys': {
    file: 'plan.md',
    text: () => `${lines(medium, (i) => `k${i}: 1\n`, '---\n')}---\n${task}`,
    codes: ['too-many-tasks'],
  },
  'settings of keys': {
    file: 'signalbox.yaml',
    text: () => lines(medium, (i) => `k${i}: 1\n`),
    codes: ['too-many-tasks'],
  },
  'brackets in JSON': { file: 'tasks.json', text: () => '['.repeat(medium), codes: ['bad-json'] },
  'brackets in JSON that close again': {
    file: 'tasks.json',
    text: () => '['.repeat(medium / 2) + ']'.repeat(medium / 2),
    codes: ['bad-json'],
  },
  'tasks in JSON': {
    file: 'tasks.json',
    text: () => `${lines(medium, () => '{"id":1,"title":"x"},', '{"tasks":[')}{"id":2,"title":"x"}]}`,
    codes: ['too-many-tasks'],
  },
  'issues in lines that are no JSON': {
    file: 'issues.jsonl',
    text: () => lines(medium, () => '{"id":}\n'),
    codes: ['bad-json', 'more'],
  },
};

/** The same shapes, just below the limit of size: `npm run prove -- hostile`. */
export const largest: Readonly<Record<string, Hostile>> = Object.fromEntries(
  Object.entries(medium6).map(([name, { file, text, codes }]) => [
    `${name}, 45 MB`,
    { file, text: () => grown(text()), codes },
  ]),
);

/** With its middle repeated, so that its start and its end stay. */
function grown(text: string): string {
  const from = text.indexOf('\n', 1_000_000) + 1 || 1_000_000;
  const to = text.indexOf('\n', 2_000_000) + 1 || 2_000_000;
  if (text.length < 5_000_000) return text;
  const middle = text.slice(from, to);
  const times = Math.floor((largestFile - Buffer.byteLength(text)) / Buffer.byteLength(middle));
  return text.slice(0, from) + middle.repeat(times) + text.slice(from);
}
