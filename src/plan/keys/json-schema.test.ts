// The published schemas are the ones that the keys make, and agree with the reader on what a key takes. What
// they say is tried with the validator of the tests.
import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it, test } from 'vitest';
import { parse } from 'yaml';
import { schemaMistakes as mistakes } from '../../../test/schema-mistakes.ts';
import { agentKinds } from '../../agents/kind.ts';
import { idleTimeoutMsOf, limitsFor, retriesOf } from '../../core/model/defaults.ts';
import { planPath } from '../../core/model/ids.ts';
import { emptySettings } from '../../core/model/settings.ts';
import { readPlan } from '../read-plan.ts';
import { readSettings } from '../read-settings.ts';
import { readDuration } from './duration.ts';
import { planSchema, settingsSchema } from './json-schema.ts';
import { keyWords } from './key-words.ts';
import { keyNames, keys } from './keys.ts';
import { needAliases } from './need-words.ts';
import { settingsDoc } from './settings-doc.ts';

const read = (name: string) => JSON.parse(readFileSync(`schema/${name}.json`, 'utf8'));
const files = { plan: read('plan'), settings: read('settings') };
const published = (name: keyof typeof files) => files[name];

it('the files are up to date (npm run schema writes them)', () => {
  expect(published('plan')).toEqual(planSchema());
  expect(published('settings')).toEqual(settingsSchema(agentKinds));
});

it('docs/settings.md is up to date (npm run schema writes it)', () => {
  expect(readFileSync('docs/settings.md', 'utf8')).toBe(settingsDoc(agentKinds));
});

describe('the words about a key', () => {
  const ofSettings = keys.filter(({ where }) => where.includes('settings'));
  const examples = ofSettings.flatMap(({ name }) => keyWords[name].example?.replace(/^/, `${name}: `) ?? []);

  test.each(examples)('%s is an example that is read', (example) => {
    const wrong = readSettings({ text: example, file: 's', kinds: agentKinds }).diagnostics.filter(isError);
    // Agents of its own, which a whole file would have.
    expect(wrong.filter(({ code }) => code !== 'unknown-agent')).toEqual([]);
    expect(mistakes(published('settings'), parse(example))).toEqual([]);
  });

  it('each key of the settings has one, unless it does nothing there', () => {
    expect(ofSettings.flatMap(({ name }) => (keyWords[name].example ? [] : name))).toEqual(['prompt', 'notify']);
  });

  it('the defaults are those of the rules', () => {
    const bare = readPlan({ text: '- [ ] a: A\n  - agent: x', file: 'p.md', path: planPath('p.md') }).plan!;
    const [task] = bare.tasks;
    expect(readDuration(String(keyWords['idle-timeout'].default))).toBe(idleTimeoutMsOf(task!));
    expect(keyWords.retries.default).toBe(retriesOf(task!));
    expect(limitsFor(bare, emptySettings)).toEqual({
      plan: keyWords['max-parallel'].default,
      pools: keyWords.pools.default,
    });
  });
});

it('every key is in them', () => {
  expect(Object.keys(published('plan').$defs.plan.properties)).toEqual(keyNames('plan'));
  expect(Object.keys(published('plan').$defs.task.properties).filter((name) => !needAliases.includes(name))).toEqual(
    keyNames('task'),
  );
  expect(Object.keys(published('settings').properties)).toEqual(keyNames('settings'));
});

it('they are in the package', () => {
  expect(JSON.parse(readFileSync('package.json', 'utf8')).files).toContain('schema');
});

describe('plans', () => {
  const readme = [...readFileSync('README.md', 'utf8').matchAll(/^```yaml\n([^`]*?)^```$/gm)].map(([, text]) => text!);
  test.each([
    ...readme.filter((text) => text.includes('tasks:')),
    '# yaml-language-server: $schema=./node_modules/signalbox/schema/plan.json\ntasks: {a: {run: x}}',
    'tasks:\n  a:\n  b: {needs: a}',
    'tasks: {1.10: {needs: []}, b: {needs: [1.10], prefers: 1.10}}',
    'tasks: {a: {timeout: 5m, idle-timeout: 90, retries: 0, priority: -2, budget-usd: 2.5}}',
    'tasks: {a: {env: {A: 1, B: true, C: x}, labels: [x, y], files: "src/**", check: [x, y], accept: z}}',
    'tasks: {a: {env: "A=1, B=2", review: none, on-failure: skip}}',
    'isolation: worktree\nland: merge\nworktree: {setup: npm ci, include: [.env, "*.local"], generated: {package-lock.json: npm i}, at: ../trees}\ntasks: {a: {run: x}}',
    'worktree: {include: .env}\ntasks: {a: {run: x}}',
    'title: T\nmax-parallel: 0\npools: {opus: 1}\norder: phases\nfinish: make\nbaseline: false\nmax-attempts: 3\nagent: x\ntasks: {a: {uses: opus}}',
    'tasks: {a: {subtasks: {b: {run: "true"}, c: }}}',
    ...[...readFileSync('docs/plans.md', 'utf8').matchAll(/^```yaml phases\n([^`]*?)^```$/gm)].map(([, text]) => text!),
    ...globSync('test/fixtures/plans/sections/*.yaml').map((file) => readFileSync(file, 'utf8')),
    'sections: [{name: S, tasks: [{id: 1.10, name: A, status: completed, attempts: 2, result_message: x}]}]',
    'meta: {name: N, status: failed, max_attempts_default: 3, created: 2026-01-01, work_item: 7}\nsections: [{id: 1, title: T, check: make, tasks: [{id: a, depends_on: [], dependencies: , description: , run: x}, {id: b, needs: a}]}]',
    'max-parallel: 2\nrun: x\nsections: [{name: S, status: odd, batch: true, tasks: [{title: T, description: words}]}, {name: E, tasks: }]',
    'prompt: |\n  hello\ntasks: {a: {title: A, prompt: x, model: m, reads: a, locks: [b], soft-failure: ask}}',
  ])('good: %s', (text) => {
    expect(readPlan({ text, file: 'p.yaml', path: planPath('p.yaml') }).diagnostics.filter(isError)).toEqual([]);
    expect(mistakes(published('plan'), parse(text))).toEqual([]);
  });

  test.each([
    '[]',
    'max-parallel: 3',
    'tasks: [a]',
    'tasks: {a: x}',
    'tasks: {a: {run: true}}',
    'tasks: {a: {run: [x]}}',
    'tasks: {a: {rnu: x}}',
    'tasks: {a: {max-parallel: 2}}',
    'tasks: {a: {retries: -1}}',
    'tasks: {a: {retries: two}}',
    'tasks: {a: {retries: "2"}}',
    'tasks: {a: {timeout: 5 parsecs}}',
    'tasks: {a: {review: humen}}',
    'tasks: {a: {needs: {b: 1}}}',
    'tasks: {a: {env: {1A: x}}}',
    'tasks: {a: {env: {A: [x]}}}',
    'tasks: {a: {subtasks: [b]}}',
    'tasks: {"a#1": {run: x}}',
    'tasks: {a: {run: x}}\npools: {opus: many}',
    'tasks: {a: {run: x}}\norder: random',
    'tasks: {a: {run: x}}\nbaseline: maybe',
    'tasks: {a: {run: x}}\nneeds: a',
    'tasks: {a: {run: x, isolation: worktree}}',
    'tasks: {a: {run: x}}\nland: rebase',
    'tasks: {a: {run: x}}\nworktree: trees',
    'tasks: {a: {run: x}}\nworktree: {setpu: x}',
    'tasks: {a: {run: x}}\nworktree: {include: [../x]}',
    'tasks: {a: {run: x}}\nworktree: {generated: {.git/config: x}}',
    'tasks: {a: {run: x}}\nworktree: {generated: {a: [x]}}',
    'tasks: {a: {run: x}}\nmeta: {name: N}',
    'meta: {name: N}',
    'meta: {nmae: N}\nsections: [{name: S, tasks: [{id: a}]}]',
    'sections: {name: S}',
    'sections: [{name: S, tasks: {a: {run: x}}}]',
    'sections: [{name: S, tasks: [{id: a, depend_on: [b]}, {id: b}]}]',
    'sections: [{name: S, tasks: [{id: a, status: done}]}]',
    'sections: [{name: S, tasks: [{id: a, subtasks: {b: {run: x}}}]}]',
    'sections: [{nmae: S, tasks: [{id: a}]}]',
  ])('bad: %s', (text) => {
    expect(readPlan({ text, file: 'p.yaml', path: planPath('p.yaml') }).plan).toBeNull();
    expect(mistakes(published('plan'), parse(text))).not.toEqual([]);
  });
});

describe('settings', () => {
  test.each([
    '',
    'agents:\n  mytool: { kind: command, command: [mytool, "{promptFile}"], env: {A: 1}, model: m, args: [x] }\n  claude:',
    'agent: x\nreview-agent: y\nescalation-agent: z\nstore: sqlite\nworkspace: w\nquota: wait\ndeadlock: { detect: true }',
    'deadlock: { victim: least-progress }',
    'outputs: { folder: out/plans, current-plan: .current }',
    'max-parallel: 3\npools: { opus: 1 }\nretries: 1\ntimeout: 2h',
    'isolation: shared\nland: none\nworktree: { at: ~/trees }',
    'locks: enforced',
    'locks: advisory',
    'locks: [advisory]',
    'locks: db:test',
    'locks: src/**, port',
    'prices: { m: { input: 1, output: 2 } }',
  ])('good: %j', (text) => {
    expect(readSettings({ text, file: 's', kinds: agentKinds }).diagnostics.filter(isError)).toEqual([]);
    expect(mistakes(published('settings'), parse(text))).toEqual([]);
  });

  test.each([
    '[]',
    'agents: [x]',
    'agents: { x: y }',
    'agents: { x: { kind: commnad, command: x } }',
    'agents: { x: { kind: command, command: x, modle: y } }',
    'agents: { x: { kind: command, command: true } }',
    'quota: never',
    'deadlock: true',
    'deadlock: { detect: maybe }',
    'deadlock: { victim: oldest }',
    'deadlock: { detct: true }',
    'outputs: out',
    'outputs: { foldr: out }',
    'outputs: { folder: ../out }',
    'outputs: { folder: /out }',
    'outputs: { folder: . }',
    'outputs: { folder: [out] }',
    'worktree: { at: [x] }',
    'tasks: {}',
    'max-paralel: 3',
    'locks: Advisory',
    'locks: none',
    'locks: enforce',
    'locks: false',
    'locks: ""',
    'prices: { m: {} }',
    'prices: { m: { input: 1, cached: 1 } }',
  ])('bad: %j', (text) => {
    expect(readSettings({ text, file: 's', kinds: agentKinds }).settings).toBeNull();
    expect(mistakes(published('settings'), parse(text))).not.toEqual([]);
  });
});

const isError = ({ severity }: { severity: string }) => severity === 'error';
