// A person's frame for prompts: where sections go, what is left of those that do not apply, and what is a mistake.
import { describe, expect, it } from 'vitest';
import { attemptId, planPath, taskId } from '../../core/model/ids.ts';
import type { Plan, Task } from '../../core/model/plan.ts';
import { prompt, toldAs } from './prompt.ts';
import { framed, type PromptSections, templateMistakes } from './template.ts';

const none: PromptSections = {
  ...{ task: '', judged: '', files: '', results: '', 'built-on': '', warnings: '', before: '', note: '', asking: '' },
};

describe('a template', () => {
  it.each<[string, string, Partial<PromptSections>, string]>([
    ['puts sections where they stand', 'A\n\n{task}\n\nB\n', { task: 'T' }, 'A\n\nT\n\nB'],
    ['leaves no hole for what does not apply', 'A\n\n{judged}\n\n\n{task}\n', { task: 'T' }, 'A\n\nT'],
    ['leaves no hole at its beginning and end', '{judged}\n\n{task}\n\n{asking}\n', { task: 'T' }, 'T'],
    ['keeps paragraphs apart', 'A\n{judged}\n\n{task}', { task: 'T' }, 'A\n\nT'],
    ['keeps its own blank lines', 'A\n\n\n{task}', { task: 'T' }, 'A\n\n\nT'],
    ['takes several on a line', '{judged}{files}\n{task} {files}', { task: 'T' }, 'T'],
    [
      'reads no placeholder in what a section says',
      '{task}\n\n{files}',
      { task: '{files} $& {{a}}', files: 'F' },
      '{files} $& {{a}}\n\nF',
    ],
    [
      'has plain braces where they are doubled',
      `{{task}} $\{HOME} {"a": 1} {task}`,
      { task: 'T' },
      `{task} $\{HOME} {"a": 1} T`,
    ],
    [
      'loses nothing that happened',
      '{task}\n\nEnd.',
      { task: 'T', before: 'B', note: 'N', judged: 'J' },
      'T\n\nEnd.\n\nB\n\nN',
    ],
    [
      'reads the line ends and the mark of other systems',
      '\ufeffA\r\n\r\n{files}\r\n\r\n{task}\r\n',
      { task: 'T' },
      'A\n\nT',
    ],
  ])('%s', (_, template, sections, text) => {
    expect(framed(template, { ...none, ...sections })).toBe(text);
  });

  it.each<[string, string, string[]]>([
    ['none', '{task}', []],
    ['no task', 'Hello {{task}}', ['1:1 the template has no {task}: no agent would be told its task']],
    [
      'unknown ones',
      '{task}\nsee {tasks}, {Files} and {{x}}',
      ['2:5 a prompt has no section {tasks}', '2:14 a prompt has no section {Files}'],
    ],
    ['a name of every object', '{task} {constructor}', ['1:8 a prompt has no section {constructor}']],
  ])('is checked for mistakes: %s', (_, template, expected) => {
    expect(templateMistakes(template).map(({ line, column, message }) => `${line}:${column} ${message}`)).toEqual(
      expected,
    );
  });
});

const task: Task = {
  ...{ id: taskId('a'), title: 'Build', line: 1, phase: 0, prompt: 'Use make.' },
  keys: { check: ['make'] },
};
const plan: Plan = {
  ...{ path: planPath('plan.md'), title: 'Parser', order: 'explicit', phases: [{ name: '' }], tasks: [task] },
};

describe('a prompt with a template', () => {
  const about = { plan, task, attempt: attemptId(task.id, 1), template: 'House rules.\n\n{judged}\n\n{task}\n' };
  const goesOn = (told: string) =>
    ({
      kind: 'goes-on',
      conversation: {
        ...{ id: 's1', attempt: attemptId(task.id, 1), by: 'claude', folder: '/w', told },
        used: { input: 0, output: 0, cached: 0, cacheWrite: 0 },
      },
    }) as const;

  it('has its sections in its order, and only those', () => {
    expect(prompt(about)).toBe(`House rules.

## How it is judged

When you have ended, these commands must succeed:

- \`make\`

# Build

This is task a of the plan "Parser" (plan.md). Your attempt is a#1.

Use make.
`);
  });

  it('is not framed again in a conversation that knows it', () => {
    const text = prompt({ ...about, talk: goesOn(toldAs(about)), note: 'Faster.' });
    expect(text).toContain('# Go on with a: Build');
    expect(text).toContain('Faster.');
    expect(text).not.toContain('House rules.');
    expect(text).not.toContain('Use make.');
  });

  it('is told again, in its frame, when the template was edited', () => {
    const text = prompt({ ...about, talk: goesOn(toldAs({ plan, task })) });
    expect(text).toMatch(/^House rules\.[\s\S]*# Go on with a: Build[\s\S]*Use make\./);
  });
});
