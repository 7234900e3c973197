// What a markdown plan means: ids, boxes, dependencies, keys, prose, phases, inheritance.
import { describe, expect, test } from 'vitest';
import { planPath } from '../../../core/model/ids.ts';
import type { Plan, Task } from '../../../core/model/plan.ts';
import type { Settings } from '../../../core/model/settings.ts';
import { emptySettings } from '../../../core/model/settings.ts';
import { readPlan } from '../../read-plan.ts';

function read(text: string, settings?: Settings): Plan {
  const path = planPath('docs/plan.md');
  const reading = readPlan({ text, file: 'plan.md', path, ...(settings ? { settings } : {}) });
  expect(reading.diagnostics.filter((d) => d.severity === 'error')).toEqual([]);
  return reading.plan!;
}
const first = (text: string): Task => read(text).tasks[0]!;
const byId = (plan: Plan, id: string): Task => plan.tasks.find((task) => task.id === id)!;

describe('ids and titles', () => {
  test.each([
    ['**api** Build it', 'api', 'Build it'],
    ['**api:** Build it', 'api', 'Build it'],
    ['**api** — Build it', 'api', 'Build it'],
    ['`api` Build it', 'api', 'Build it'],
    ['api: Build it', 'api', 'Build it'],
    ['1.2 Build it', '1.2', 'Build it'],
    ['1.2.10 Build it', '1.2.10', 'Build it'],
    ['1.2: Build it', '1.2', 'Build it'],
    ['3. Build it', '3', 'Build it'],
    ['T014 Build it', 'T014', 'Build it'],
    ['ABC-12 Build it', 'ABC-12', 'Build it'],
    ['ABC-12: Build it', 'ABC-12', 'Build it'],
    ['Build the API!', 'build-the-api', 'Build the API!'],
    ['**Build it** now', 'build-it-now', '**Build it** now'],
    ['Note: build it', 'note-build-it', 'Note: build it'],
    ['3 retries', '3-retries', '3 retries'],
    ['Größe ändern', 'größe-ändern', 'Größe ändern'],
    ['!!!', 'task', '!!!'],
    ['api:', 'api', 'api'],
    ['__proto__: x', 'proto-x', '__proto__: x'],
  ])('%s', (line, id, title) => {
    const task = first(`- [ ] ${line}`);
    expect([task.id, task.title]).toEqual([id, title]);
  });

  test('equal slugs are numbered and never take an id that somebody gave', () => {
    expect(read('- [ ] Same\n- [ ] Same\n- [ ] same-2: x\n- [ ] Same').tasks.map((t) => t.id)).toEqual([
      'same',
      'same-3',
      'same-2',
      'same-4',
    ]);
  });

  test('the title of the plan is its first heading, else its name', () => {
    expect(read('# Checkout\n- [ ] a: x').title).toBe('Checkout');
    expect(read('- [ ] a: x').title).toBe('plan');
  });
});

describe('boxes', () => {
  test.each([
    ['- [ ] a: x', {}],
    ['- [x] a: x', { ticked: 'completed' }],
    ['- [X] a: x', { ticked: 'completed' }],
    ['- [-] a: x', { ticked: 'skipped' }],
    ['- [ ]* a: x', { optional: true }],
    ['* [ ] a: x', {}],
    ['+ [ ] a: x', {}],
    ['1. [ ] a: x', {}],
    ['12) [x] a: x', { ticked: 'completed' }],
    ['\t- [x]\ta: x', { ticked: 'completed' }],
  ])('%s', (text, expected) => {
    const { ticked, optional, id } = first(text);
    expect({ id, ...(ticked && { ticked }), ...(optional && { optional }) }).toEqual({ id: 'a', ...expected });
  });

  test('links and words in brackets are no boxes', () => {
    expect(read('- [x](http://a)\n- [1] note\n- [P] mark\n- [ ] a: x').tasks).toHaveLength(1);
  });

  test('groups hand their box down, but a subtask keeps its own tick', () => {
    const plan = read(
      '- [x] g: x\n  - [ ] a: y\n  - [-] b: y\n- [-] h: x\n  - [ ] c: y\n  - [x] d: y\n- [ ]* i: x\n  - [ ] e: y',
    );
    const ticked = Object.fromEntries(plan.tasks.map((t) => [t.id, t.ticked ?? (t.optional ? 'optional' : 'open')]));
    expect(ticked).toEqual({
      g: 'completed',
      a: 'completed',
      b: 'skipped',
      h: 'skipped',
      c: 'skipped',
      d: 'completed',
      i: 'optional',
      e: 'optional',
    });
  });
});

describe('dependencies in all their spellings', () => {
  const around =
    '- [ ] 1.1 x\n- [ ] 1.2 x\n- [ ] 1.3 x\n- [ ] api: x\n- [ ] T001 x\n- [ ] T002 x\n- [ ] T003 x\n- [ ] ABC-1 x\n- [ ] ABC-2 x\n';
  test.each([
    ['z: Title → 1.1', ['1.1'], []],
    ['z: Title -> 1.1, 1.2', ['1.1', '1.2'], []],
    ['z: Title → 1.1 1.2 ~> api', ['1.1', '1.2'], ['api']],
    ['z: Title ~> api → 1.1', ['1.1'], ['api']],
    ['z: Title → 1.1 → 1.2', ['1.1', '1.2'], []],
    ['z: Title → `api`, **1.1**.', ['api', '1.1'], []],
    ['z: Title →1.1', ['1.1'], []],
    ['z: Title (depends: 1.1, api)', ['1.1', 'api'], []],
    ['z: Title (needs: 1.1) (prefers: api)', ['1.1'], ['api']],
    ['z: Title (after: 1.1)', ['1.1'], []],
    ['z: Title (blocked by: 1.1)', ['1.1'], []],
    ['z: Title (depends on T001 and T002)', ['T001', 'T002'], []],
    ['z: Title (Depends on: 1.1 & 1.2)', ['1.1', '1.2'], []],
    ['z: Title (depends: none)', [], []],
    ['z: Title → 1.1-1.3', ['1.1', '1.2', '1.3'], []],
    ['z: Title → 1.1–1.3', ['1.1', '1.2', '1.3'], []],
    ['z: Title (depends: 1.1 - 1.3, api)', ['1.1', '1.2', '1.3', 'api'], []],
    ['z: Title (depends on T001-T003)', ['T001', 'T002', 'T003'], []],
    ['z: Title → ABC-1-ABC-2', ['ABC-1', 'ABC-2'], []],
    ['z: Title → ABC-1, ABC-1', ['ABC-1'], []],
    ['z: Title → api ~> api', ['api'], []],
    ['z: Title\n  - needs: 1.1, 1.2\n  - prefers: api', ['1.1', '1.2'], ['api']],
    ['z: Title → 1.1\n  - needs:\n    - 1.2\n    - api', ['1.1', '1.2', 'api'], []],
  ])('%s', (line, needs, prefers) => {
    const task = byId(read(`${around}- [ ] ${line}`), 'z');
    expect([task.title, task.needs ?? [], task.prefers ?? []]).toEqual(['Title', needs, prefers]);
  });

  test.each(['Map `a -> b` to c', 'Fix ptr->field', 'Ask (see notes) first', 'Say (note: this) loudly'])(
    'text: %s',
    (title) => {
      expect(first(`- [ ] **z** ${title}`)).toMatchObject({ title });
      expect(first(`- [ ] **z** ${title}`).needs).toBeUndefined();
    },
  );

  test('an id that looks like a range is an id', () => {
    expect(byId(read('- [ ] **1.1-1.2** x\n- [ ] 1.1 y\n- [ ] a: z → 1.1-1.2'), 'a').needs).toEqual(['1.1-1.2']);
  });
});

describe('keys', () => {
  test.each([
    ['run: `npm test`', { run: 'npm test' }],
    ['run: echo `date`', { run: 'echo `date`' }],
    ['run: npm test\n    && npm run lint', { run: 'npm test && npm run lint' }],
    ['run:\n    ```sh\n    a\n      b\n    ```', { run: 'a\n  b' }],
    ['**model**: opus', { model: 'opus' }],
    ['files: src/{a,b}/**, `docs/x.md`', { files: ['src/{a,b}/**', 'docs/x.md'] }],
    ['files:\n    - a\n    - b', { files: ['a', 'b'] }],
    ['check: one\n  - check: `two`', { check: ['one', 'two'] }],
    ['accept: it works, always', { accept: ['it works, always'] }],
    ['accept:\n    - [ ] one\n    - two', { accept: ['one', 'two'] }],
    ['review: none', { review: 'none' }],
    ['retries: 0', { retries: 0 }],
    ['timeout: 500ms', { timeoutMs: 500 }],
    ['timeout: 90', { timeoutMs: 90_000 }],
    ['idle-timeout: 2h', { idleTimeoutMs: 7_200_000 }],
    ['budget-usd: 2.50', { budgetUsd: 2.5 }],
    ['on-failure: skip', { onFailure: 'skip' }],
    ['soft-failure: ask', { softFailure: 'ask' }],
    ['env: A=1, B=x,y, C=', { env: { A: '1', B: 'x,y', C: '' } }],
    ['env: {A: 1, B: "two"}', { env: { A: '1', B: 'two' } }],
    ['labels: a, b', { labels: ['a', 'b'] }],
    ['uses: opus', { uses: ['opus'] }],
    ['priority: -5', { priority: -5 }],
  ])('%s', (item, keys) => {
    expect(first(`- [ ] a: x\n  - ${item}`).keys).toEqual(keys);
  });

  test('blocks set keys; other blocks are prose', () => {
    const task = first(
      '- [ ] a: x\n  ```run\n  echo 1\n\n  echo 2\n  ```\n  ~~~prompt\n  Do it\n  ~~~\n  ```json\n  {}\n  ```\n',
    );
    expect(task.keys).toEqual({ run: 'echo 1\n\necho 2' });
    expect(task.prompt).toBe('Do it\n```json\n{}\n```');
  });

  test('prose keeps its shape, and a word before a colon is only a key when it is one', () => {
    const task = first(
      '- [ ] a: x\n  - Note: remember\n    - deeper\n  - model: opus\n\n  A paragraph\n  of two lines.\n\n  - http://a\n',
    );
    expect(task.prompt).toBe('- Note: remember\n  - deeper\n\nA paragraph\nof two lines.\n\n- http://a');
    expect(task.keys).toEqual({ model: 'opus' });
  });

  test('the key prompt and prose add up', () => {
    expect(first('- [ ] a: x\n  - prompt: one\n    - two\n  - three').prompt).toBe('one\n- two\n- three');
  });

  test('a line that is not indented continues prose', () => {
    expect(first('- [ ] a: x\n  - some\nprose\n\noutside').prompt).toBe('- some\nprose');
  });
});

describe('structure', () => {
  test('subtasks to any depth, with 2, 4 or 3 spaces or tabs', () => {
    for (const unit of ['  ', '    ', '   ', '\t']) {
      const plan = read(`- [ ] a: x\n${unit}- [ ] b: x\n${unit}${unit}- [ ] c: x\n${unit}- [ ] d: x\n- [ ] e: x`);
      expect(plan.tasks.map((t) => [t.id, t.parent, t.group])).toEqual([
        ['a', undefined, true],
        ['b', 0, true],
        ['c', 1, undefined],
        ['d', 0, undefined],
        ['e', undefined, undefined],
      ]);
    }
  });

  test('phases: headings with tasks, and keys before the first of them', () => {
    const plan = read(
      '# T\n- [ ] z: x\n## Why\nprose\n- check: your mail\n## One\n- check: npm test\n- batch: true\n- [ ] a: x\n### Sub\n- [ ] b: x\n## Two ##\n- [ ] c: x',
    );
    expect(plan.phases).toEqual([
      { name: '' },
      { name: 'One', check: ['npm test'], batch: true },
      { name: 'Sub' },
      { name: 'Two' },
    ]);
    expect(plan.tasks.map((t) => t.phase)).toEqual([0, 1, 2, 3]);
  });

  test('keys of a heading hold for those below it', () => {
    expect(read('## One\n- check: x\n### Sub\n- [ ] a: x').phases).toEqual([
      { name: 'One', check: ['x'] },
      { name: 'Sub' },
    ]);
  });

  test('underlined headings', () => {
    const plan = read('Title\n=====\n\nOne\n---\n- [ ] a: x\n\nTwo\n---\n- [ ] b: x');
    expect([plan.title, plan.phases.map((p) => p.name)]).toEqual(['Title', ['One', 'Two']]);
  });

  test('comments, blocks outside of tasks, tables and rules are not read', () => {
    const plan = read(
      '<!-- - [ ] no: x -->\n```\n- [ ] no: x\n```\n<!--\n- [ ] no: x\n-->\n| - [ ] no |\n|---|\n***\n- [ ] a: x <!-- → no --> y\n  - run: `a <!-- b -->`',
    );
    expect(plan.tasks).toHaveLength(1);
    expect(plan.tasks[0]).toMatchObject({ title: expect.stringMatching(/^x +y$/), keys: { run: 'a <!-- b -->' } });
  });

  test('boxes under "Acceptance criteria" and "Verify" are criteria and checks', () => {
    const plan = read(
      '## One\n- [ ] a: x\n  - Acceptance criteria:\n    - [ ] it works\n  **Verify**\n  - [ ] `npm test`\n  - [ ] by eye\n### Verification\n- [ ] `make check`\n## Two\n- [ ] b: x',
    );
    expect(plan.tasks.map((t) => t.id)).toEqual(['a', 'b']);
    expect(plan.tasks[0]!.keys).toEqual({ accept: ['it works', 'by eye'], check: ['npm test'] });
    expect(plan.phases[0]).toEqual({ name: 'One', check: ['make check'] });
  });

  test('line ends, byte order marks and lines are as an editor shows them', () => {
    const plan = read('\ufeff---\r\nmodel: opus\r\n---\r\n# T\r\n- [ ] a: x\r\n  - run: echo\r\n- [ ] b: y → a\r\n');
    expect(plan.tasks.map((t) => [t.id, t.line])).toEqual([
      ['a', 5],
      ['b', 7],
    ]);
    expect(plan.tasks[0]!.keys).toEqual({ model: 'opus', run: 'echo' });
  });
});

describe('inheritance', () => {
  test('settings, plan, groups, task; variables and labels add up; a group keeps its check and review', () => {
    const settings = {
      ...emptySettings,
      defaults: { model: 'haiku', retries: 7, env: { A: '1' }, review: 'human' as const },
    };
    const plan = read(
      '---\nmodel: sonnet\nenv: {B: 2}\nlabels: [p]\ncheck: all\n---\n- [ ] g: x\n  - check: group\n  - model: opus\n  - env: C=3\n  - labels: q, p\n  - run: echo\n  - prose\n  - [ ] a: x\n  - [ ] b: x\n    - env: A=9\n    - check: own\n- [ ] c: x\n- [ ] d: x',
      settings,
    );
    const shared = { retries: 7, model: 'opus', env: { A: '1', B: '2', C: '3' }, labels: ['p', 'q'], run: 'echo' };
    expect(byId(plan, 'g').keys).toEqual({ ...shared, check: ['group'] });
    expect(byId(plan, 'a').keys).toEqual({ ...shared, check: ['all'], review: 'human' });
    expect(byId(plan, 'b').keys).toEqual({
      ...shared,
      env: { A: '9', B: '2', C: '3' },
      check: ['own'],
      review: 'human',
    });
    expect(byId(plan, 'a').prompt).toBeUndefined();
    expect(byId(plan, 'c').keys).toBe(byId(plan, 'd').keys);
  });

  test('limits of the plan are not keys of its tasks', () => {
    const plan = read(
      '---\nmax-parallel: 2\nmax-attempts: 9\nbudget-usd: 5\nbaseline: true\nfinish: done\npools: {db: 1}\n---\n- [ ] a: x',
    );
    expect(plan).toMatchObject({
      maxParallel: 2,
      maxAttempts: 9,
      budgetUsd: 5,
      baseline: true,
      finish: 'done',
      pools: { db: 1 },
    });
    expect(plan.tasks[0]!.keys).toEqual({});
  });
});

describe('order', () => {
  const assumed = (text: string) => readPlan({ text, file: 'p.md', path: planPath('p.md') }).assumedOrder;
  test.each([
    ['## A\n- [ ] a: x\n## B\n- [ ] b: x', 'phases'],
    ['## A\n- [ ] a: x\n## B\n- [ ] b: x ~> a', 'explicit'],
    ['- [ ] T001 [P] x → T002\n- [ ] T002 y', 'spec-kit'],
    ['- [ ] T001 x\n- [ ] T002 y', 'phases'],
    ['- [ ] 1. x\n  - _Requirements: 1.1_', 'sequential'],
    ['---\norder: phases\n---\n- [ ] a: x\n- [ ] b: x → a', undefined],
  ])('%j: %s', (text, order) => {
    expect(assumed(text)).toBe(order);
  });
});
