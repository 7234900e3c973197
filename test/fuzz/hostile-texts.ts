// Files that were made to hurt a reader, by name: which file each pretends to be, its text, and the codes that answer it.
// The texts are made where they are read, in a process of their own.

export interface Hostile {
  readonly file: string;
  readonly text: () => string;
  /** All that is said about it, each code once; none means that it is a plan. */
  readonly codes: readonly string[];
}

const deep = 100_000;
const many = (count: number, line: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => line(i)).join('');
const laughs = `a0: &a0 [x]\n${many(30, (i) => `a${i + 1}: &a${i + 1} [${Array(10).fill(`*a${i}`)}]\n`)}tasks: *a30\n`;
const objects = '__proto__: {polluted: 1}\nconstructor: {prototype: {polluted: 1}}\nprototype: 1\n';
const plain = 'tasks:\n  a:\n    run: make\n';

export const hostile: Readonly<Record<string, Hostile>> = {
  'a billion laughs': { file: 'plan.yaml', text: () => laughs, codes: ['bad-yaml'] },
  'a billion laughs in settings': { file: 'signalbox.yaml', text: () => laughs, codes: ['bad-yaml'] },
  'a billion laughs in front matter': {
    file: 'plan.md',
    text: () => `---\n${laughs}---\n- [ ] a: x\n`,
    codes: ['bad-yaml'],
  },
  'an alias that holds itself': {
    file: 'plan.yaml',
    text: () => 'tasks: &t\n  a: { subtasks: *t }\n',
    codes: ['bad-yaml'],
  },
  'an alias twenty thousand times': {
    file: 'plan.yaml',
    text: () => `x: &a [1]\ntasks: {a: {files: [${'*a,'.repeat(20_000)}]}}\n`,
    codes: ['bad-yaml'],
  },

  'brackets that open': { file: 'plan.yaml', text: () => `tasks: ${'['.repeat(deep)}`, codes: ['bad-yaml'] },
  'brackets that close again': {
    file: 'signalbox.yaml',
    text: () => '['.repeat(deep) + ']'.repeat(deep),
    codes: ['bad-yaml'],
  },
  'braces that open': { file: 'plan.yaml', text: () => '{'.repeat(deep), codes: ['bad-yaml'] },
  'maps in maps': { file: 'plan.yaml', text: () => '{a: '.repeat(deep), codes: ['bad-yaml', 'more'] },
  'lists in lists': { file: 'plan.yaml', text: () => '- '.repeat(deep), codes: ['bad-yaml', 'more'] },
  'keys of keys': { file: 'plan.yaml', text: () => '? '.repeat(deep), codes: ['bad-yaml', 'more'] },
  'keys that stand further and further right': {
    file: 'plan.yaml',
    text: () => many(5_000, (i) => `${' '.repeat(i)}a:\n`),
    codes: ['bad-yaml'],
  },
  'brackets in front matter': {
    file: 'plan.md',
    text: () => `---\nmodel: ${'['.repeat(deep)}\n---\n- [ ] a: x\n`,
    codes: ['bad-yaml'],
  },
  'braces in a variable': {
    file: 'plan.md',
    text: () => `- [ ] a: x\n  - env: ${'{'.repeat(deep)}`,
    codes: ['bad-yaml'],
  },
  'braces in names of files': {
    file: 'plan.md',
    text: () => `- [ ] a: x\n  - files: ${'{a,'.repeat(deep)}\n- [ ] b: x\n  - files: ${'{a,'.repeat(deep)}`,
    codes: ['bad-lock-key'],
  },
  'block quotes': { file: 'plan.md', text: () => `${'> '.repeat(deep)}- [ ] a: x`, codes: ['empty-plan'] },
  'sharps and headings': {
    file: 'plan.md',
    text: () => '#'.repeat(deep) + '\n###### x'.repeat(deep),
    codes: ['empty-plan'],
  },
  'dashes in a markdown list': { file: 'plan.md', text: () => `${'- '.repeat(deep)}[ ] a: x`, codes: ['empty-plan'] },
  'subtasks of subtasks': {
    file: 'plan.md',
    text: () => many(5_000, (i) => `${'  '.repeat(i)}- [ ] a${i}: x\n`),
    codes: [],
  },
  'JSON in JSON': { file: 'tasks.json', text: () => '['.repeat(deep), codes: ['bad-json'] },
  'JSON in JSON that closes again': {
    file: 'beads.jsonl',
    text: () => `${'{"a":'.repeat(deep)}1${'}'.repeat(deep)}`,
    codes: ['bad-json'],
  },

  'one key a hundred thousand times': {
    file: 'plan.yaml',
    text: () => `tasks:\n${'  a: {}\n'.repeat(deep)}`,
    codes: ['duplicate-key', 'more'],
  },
  'one setting a hundred thousand times': {
    file: 'signalbox.yaml',
    text: () => 'max-parallel: 1\n'.repeat(deep),
    codes: ['duplicate-key', 'more'],
  },
  'one id fifty thousand times': {
    file: 'plan.md',
    text: () => '- [ ] a: x\n'.repeat(deep / 2),
    codes: ['duplicate-id', 'more'],
  },
  'a list in twenty thousand pieces': {
    file: 'plan.md',
    text: () => `- [ ] a: x\n${many(20_000, (i) => `  - check: make ${i}\n`)}`,
    codes: [],
  },
  'variables in twenty thousand pieces': {
    file: 'plan.md',
    text: () => `- [ ] a: x\n${many(20_000, (i) => `  - env: A${i}=1\n`)}`,
    codes: [],
  },
  'twenty thousand boxes that check a phase': {
    file: 'plan.md',
    text: () => `## One\n- [ ] a: x\n### Verify\n${'- [ ] `make`\n'.repeat(20_000)}`,
    codes: [],
  },

  'names of objects in YAML': {
    file: 'plan.yaml',
    text: () => `${objects}tasks:\n  __proto__: {run: x, env: {__proto__: "1"}, polluted: 1}\n`,
    codes: ['unknown-key'],
  },
  'names of objects as ids and variables': {
    file: 'plan.yaml',
    text: () => 'tasks:\n  __proto__: {run: x, env: {__proto__: "1"}, needs: [constructor]}\n  constructor: {run: x}\n',
    codes: [],
  },
  'names of objects in markdown': {
    file: 'plan.md',
    text: () =>
      '- [ ] constructor: x\n  - env: {__proto__: 1, constructor: 2}\n  - env: __proto__=1\n  - files: __proto__\n',
    codes: [],
  },
  'names of objects in settings': {
    file: 'signalbox.yaml',
    text: () =>
      `${objects}agents:\n  __proto__: {kind: command, command: [x]}\npools: {__proto__: 1}\nenv: {__proto__: a}\n`,
    codes: ['unknown-key'],
  },
  'names of objects in JSON': {
    file: 'tasks.json',
    text: () =>
      '{"__proto__": {"polluted": 1}, "tasks": [{"id": "__proto__", "title": "x", "__proto__": {"polluted": 1}}]}',
    codes: [],
  },

  NUL: { file: 'plan.yaml', text: () => '\0'.repeat(1e6), codes: ['bad-character'] },
  'half characters': { file: 'plan.md', text: () => '\ud800'.repeat(1e6), codes: ['bad-character'] },
  'a byte order mark': { file: 'plan.yaml', text: () => `\ufeff${plain}`, codes: [] },
  'a hundred thousand byte order marks': {
    file: 'plan.md',
    text: () => `${'\ufeff'.repeat(deep)}- [ ] a: x`,
    codes: ['loose-box', 'empty-plan'],
  },
  'line ends of Windows': { file: 'plan.yaml', text: () => plain.replaceAll('\n', '\r\n'), codes: [] },
  'line ends of old': { file: 'plan.yaml', text: () => plain.replaceAll('\n', '\r'), codes: [] },
  'nothing but carriage returns': { file: 'plan.md', text: () => '\r'.repeat(1e6), codes: ['empty-plan'] },
  'nothing but tabs': { file: 'plan.yaml', text: () => '\t'.repeat(1e6), codes: ['empty-plan'] },
  'tabs as indentation': {
    file: 'plan.yaml',
    text: () => `tasks:\n${'\ta:\n'.repeat(20_000)}`,
    codes: ['bad-yaml', 'more'],
  },

  'a remark behind the needs': {
    file: 'plan.md',
    text: () => '- [ ] a: x → b (note: y)\n- [ ] b: y',
    codes: ['bad-dependency'],
  },
  'backticks of a thousand lengths': {
    file: 'plan.md',
    text: () => `- [ ] a: ${many(1_400, (i) => `${'`'.repeat(i + 1)} `)}`,
    codes: [],
  },
  'parentheses that are never closed': { file: 'plan.md', text: () => `- [ ] a: ${'(needs '.repeat(deep)}`, codes: [] },
  'comments that nearly close': {
    file: 'plan.md',
    text: () => '<!-- --'.repeat(deep),
    codes: ['unclosed-comment'],
  },
  'a rule that is nearly one': { file: 'plan.md', text: () => `${'- '.repeat(deep)}x`, codes: ['empty-plan'] },
  'commas in a list': { file: 'plan.yaml', text: () => `[${','.repeat(deep)}]`, codes: ['bad-yaml'] },
  'JSON text that is never closed': {
    file: 'tasks.json',
    text: () => `{"tasks": "${'\\"'.repeat(deep)}`,
    codes: ['bad-json'],
  },
};

const filled = (line: string, size: number, before = ''): string =>
  before + line.repeat(Math.floor((size - Buffer.byteLength(before)) / Buffer.byteLength(line)));
const yamlTask = (i: number): string => `  t${i}:\n    run: make\n    title: Build number ${i} of the whole thing\n`;
const garbage = '\u0001\u007f`[(→*|<!-- "\'\n';

/** Files of any size, in bytes: nobody meant them as plans. */
export const huge: Readonly<Record<string, Omit<Hostile, 'text'> & { readonly text: (size: number) => string }>> = {
  'one line of markdown': { file: 'plan.md', text: (size) => filled('x', size, '- [ ] a: '), codes: ['long-line'] },
  'a log as markdown': {
    file: 'plan.md',
    text: (size) => filled('a line of a log that is no plan\n', size),
    codes: ['empty-plan'],
  },
  'garbage as markdown': {
    file: 'plan.md',
    text: (size) => filled(garbage, size),
    codes: ['unclosed-comment', 'loose-arrow', 'long-text'],
  },
  'one line of YAML': { file: 'plan.yaml', text: (size) => filled('x', size, 'tasks: '), codes: ['long-line'] },
  'a log as YAML': {
    file: 'plan.yaml',
    text: (size) => filled('10:00 [info] {x: "y"} done: ok, "a\n', size),
    codes: ['bad-yaml'],
  },
  'garbage as YAML': { file: 'plan.yaml', text: (size) => filled(garbage, size), codes: ['bad-yaml'] },
  'brackets as YAML': { file: 'plan.yaml', text: (size) => filled('[', size), codes: ['long-line'] },
  'a quote that is never closed': {
    file: 'plan.yaml',
    // At most 76 bytes a task.
    text: (size) => `tasks:\n  z: {run: "make}\n${many(Math.floor(size / 76), yamlTask)}`,
    codes: ['bad-yaml'],
  },
  'garbage as settings': {
    file: 'signalbox.yaml',
    text: (size) => filled('\u0001`[(→*|"\'\n', size),
    codes: ['bad-yaml'],
  },
  'garbage as JSON': { file: 'tasks.json', text: (size) => filled('{"a', size), codes: ['bad-json'] },
};
