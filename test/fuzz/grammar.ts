// Inputs made of the pieces of the grammars: nearly right, so that they come far into the readers.
import { keys } from '../../src/plan/keys/keys.ts';
import type { Random } from '../sim/random.ts';

/** What has hurt a reader somewhere: names of objects, ends of things, characters that nobody sees. */
export const hazards: readonly string[] = [
  '__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', '\0', '\ufeff', '\ud800', '\udc00', '\r', '\r\n',
  '\t', '\u00a0', '\u2028', '\u202e', '\u200b', '\u001b[31m', '\u009b', '→', '->', '~>', '<!--', '-->', '```', '~~~', '---',
  '...', '|', '||', '`', '``', '"', "'", '\\', '\\"', '[', ']', '{', '}', '(', ')', ':', ': ', ',', '#', '# ', '&a', '*a',
  '<<: *a', '!!', '!x', '%', '? ', '- ', '-', '[ ]', '[x]', '[-]', '[ ]*', '[P]', '[US1]', '[SEQUENTIAL]', '_Requirements: 1.1_',
  '(needs: ', '(depends on ', '1.1-1.9', 'T001', '**', '**a**', '-0', '1e9', '99999999999999999999', '0x1f', '.inf', '~', 'null',
  '\n', '\n\n', '  ', '\n  - ', '\n- [ ] ', '\n## ', '\n| ', '🚀', 'é', '接', '\u0301', '<<<<<<< HEAD', '=======', '>>>>>>> b',
]; // biome-ignore format: a table of words
const ids = [
  'a',
  'b',
  'c',
  'api',
  '1',
  '1.1',
  '1.2',
  '1.10',
  '2.1',
  'T001',
  'T002',
  'ABC-12',
  '__proto__',
  'constructor',
  'g',
  'ü',
];
const values = [
  '5m',
  '2',
  '-1',
  'opus',
  'true',
  'yes',
  '',
  '`make`',
  'agent',
  'humen',
  'A=1, B=2',
  '{A: 1}',
  '{A: 1',
  '[a, b]',
  'a, b',
  '"x"',
  "'",
  '1.5',
  'src/{a,b}/**',
  'phases',
  'sequential',
  '*x',
];
const names = keys.map(({ name }) => name);
const titles = ['Build', 'Build the API', 'Test `x -> y`', 'Fix (again)', '', 'Ünï → ', 'Write [docs](x)', 'A: b'];

export function markdownPlan(random: Random): string {
  const lines: string[] = [];
  if (random.chance(0.3)) lines.push('---', ...some(random, 3, () => `${key(random)}: ${value(random)}`), '---');
  let depth = 0;
  for (let left = random.int(1, 14); left > 0; left--) {
    const margin = ' '.repeat(depth * random.pick([2, 2, 2, 4, 3, 1]));
    switch (random.int(0, 13)) {
      case 0:
        lines.push(
          `${'#'.repeat(random.int(1, 7))} ${random.pick(['Phase 1', 'Task 1: x', 'Verify', 'Acceptance criteria', 'Implementation Plan', 'Title', 'Build [SEQUENTIAL]', ''])}`,
        );
        depth = 0;
        break;
      case 1:
        lines.push('');
        break;
      case 2:
      case 3:
        lines.push(`${margin}  - ${key(random)}: ${value(random)}`);
        break;
      case 4:
        lines.push(
          `${margin}${random.pick(['```run', '```', '~~~', '````prompt'])}`,
          'make',
          random.pick(['```', `${margin}\`\`\``, '']),
        );
        break;
      case 5:
        lines.push(
          margin +
            random.pick([
              'a → b',
              '→ a',
              'Tasks 1.1-1.2 are [SEQUENTIAL]',
              '**Depends on:** Task 1',
              'Verify:',
              '<!-- x -->',
              '<!--',
              'prose',
              'Acceptance criteria:',
              '_Requirements: 1.1_',
            ]),
        );
        break;
      case 6:
        if (random.chance(0.3))
          lines.push(
            '| # | Task | Deps | Batch |',
            '|---|---|---|---|',
            ...some(
              random,
              3,
              () => `| ${id(random)} | ${random.pick(titles)} | ${id(random)} | ${random.int(0, 2)} |`,
            ),
          );
        break;
      default:
        depth = Math.max(0, Math.min(5, depth + random.int(-2, 1)));
        lines.push(taskLine(random, ' '.repeat(depth * 2)));
    }
  }
  return lines.join('\n') + (random.chance(0.8) ? '\n' : '');
}

function taskLine(random: Random, margin: string): string {
  const box = random.pick(['[ ]', '[ ]', '[ ]', '[x]', '[-]', '[ ]*', '[]', '[~]']);
  const name = random.pick([
    `${id(random)}: `,
    `**${id(random)}** `,
    `\`${id(random)}\` `,
    `${id(random)} `,
    `${random.int(1, 9)}. `,
    '',
  ]);
  const tail = random.chance(0.4)
    ? random.pick([' → ', ' -> ', ' ~> ', ' (needs: ', ' (depends on ', ' → a (note: ']) +
      some(random, 3, () => id(random)).join(', ')
    : '';
  const mark = random.pick(['', '', '', '[P] ', '[US1] ', '[SEQUENTIAL] ']);
  return `${margin}${random.pick(['-', '-', '*', '1.'])} ${box} ${name}${mark}${random.pick(titles)}${tail}${tail.includes('(') && random.chance(0.9) ? ')' : ''}`;
}

export function yamlPlan(random: Random): string {
  const form = random.int(0, 3);
  const top = some(random, 3, () => `${key(random)}: ${value(random)}`);
  if (form === 0) return [...top, 'sections:', ...some(random, 3, () => section(random))].join('\n');
  const tasks = some(random, 5, () => yamlTask(random, '  ', 0));
  return `${[...top, 'tasks:', ...tasks].join('\n')}\n`;
}

function section(random: Random): string {
  const tasks = some(
    random,
    4,
    () =>
      `      - { id: ${id(random)}, name: ${random.pick(titles)}, depends_on: [${id(random)}], status: ${random.pick(['pending', 'failed', 'x'])} }`,
  );
  return [`  - name: ${random.pick(titles)}`, '    tasks:', ...tasks].join('\n');
}

function yamlTask(random: Random, margin: string, depth: number): string {
  const lines = [`${margin}${id(random)}:`];
  for (const line of some(random, 4, () => `${key(random)}: ${value(random)}`)) lines.push(`${margin}  ${line}`);
  if (random.chance(0.3)) lines.push(`${margin}  needs: [${some(random, 3, () => id(random)).join(', ')}]`);
  if (random.chance(0.2)) lines.push(`${margin}  run: |`, `${margin}    make`, `${margin}    make test`);
  if (depth < 3 && random.chance(0.3)) lines.push(`${margin}  subtasks:`, yamlTask(random, `${margin}    `, depth + 1));
  return lines.join('\n');
}

export function settingsText(random: Random): string {
  const agents = some(
    random,
    3,
    () =>
      `  ${random.pick(['claude', 'mytool', '__proto__', 'command'])}: { kind: ${random.pick(['command', 'claude', 'x'])}, command: [${value(random)}] }`,
  );
  const lines = some(random, 5, () => `${key(random)}: ${value(random)}`);
  return `${[...lines, ...(random.chance(0.6) ? ['agents:', ...agents] : [])].join('\n')}\n`;
}

/** What Task Master and beads write; `lines` gives one object per line. */
export function foreignJson(random: Random, lines: boolean): string {
  const issue = () => ({
    id: random.pick<unknown>([1, 2, '1', 'bd-1', 'bd-2', '', null, '__proto__', { a: 1 }]),
    title: random.pick<unknown>(['Build', '', 7, '- [ ] x → y', '# t', '---', 'a\nb', '```', null]),
    description: random.pick<unknown>(['Do it', '```\n', '- [ ] box\n\n  x', '- model: x', null, ['x'], '<!--']),
    status: random.pick(['done', 'open', 'closed', 'tombstone', 'x']),
    dependencies: some<unknown>(random, 3, () =>
      random.pick<unknown>([
        1,
        '2',
        'bd-1',
        '1.1',
        { depends_on_id: 'bd-1', type: random.pick(['blocks', 'parent-child', 'x']) },
        null,
      ]),
    ),
    subtasks: random.chance(0.3) ? [{ id: 1, title: 'Sub', dependencies: [1, '1.1', 2] }] : [],
    labels: ['a', 1, null, random.pick(hazards)],
    priority: random.pick<unknown>([0, 1, -5, 1e9, 'high', null]),
    ...(random.chance(0.2) ? JSON.parse('{"__proto__": {"polluted": 1}}') : {}),
  });
  const issues = some(random, 4, issue);
  if (lines) return issues.map((one) => JSON.stringify(one)).join('\n');
  return JSON.stringify(
    random.chance(0.5) ? { tasks: issues } : { master: { tasks: issues }, [random.pick(hazards)]: { tasks: [] } },
  );
}

export function backlogFile(random: Random): string {
  const fields = some(
    random,
    4,
    () =>
      `${random.pick(['title', 'status', 'labels', 'dependencies', 'priority', 'parent_task_id', 'x'])}: ${value(random)}`,
  );
  const body = some(random, 4, () =>
    random.pick([
      '## Description',
      '## Acceptance Criteria',
      '<!-- AC:BEGIN -->',
      '- [ ] #1 It works',
      'text',
      '```',
      '<!--',
      '# x',
      '- [ ] a → b',
    ]),
  );
  return ['---', `id: ${id(random)}`, ...fields, '---', ...body].join('\n');
}

/** What a program might print. */
export function terminalText(random: Random): string {
  const pieces = [
    '\u001b',
    '[',
    ']',
    '0;title',
    '\u0007',
    '\u009b',
    '\u009d',
    '\u009c',
    '\\',
    '31m',
    'text',
    '\r',
    '\n',
    '\u202e',
    '\udb40',
    '\udc41',
    '\ud83d',
    '🚀',
    'P',
    '\u0018',
    '?25l',
    '\b',
    '\u007f',
    '\u0085',
  ];
  return some(random, 20, () => random.pick(pieces)).join('');
}

const id = (random: Random): string => (random.chance(0.95) ? random.pick(ids) : random.pick(hazards));
const key = (random: Random): string =>
  random.chance(0.85)
    ? random.pick(names)
    : random.pick(['retires', 'Model', 'depends_on', 'x', '__proto__', 'constructor']);
const value = (random: Random): string => (random.chance(0.9) ? random.pick(values) : random.pick(hazards));

function some<T>(random: Random, most: number, make: () => T): T[] {
  return Array.from({ length: random.int(0, most) }, make);
}
