// `fmt` on real files: what is printed, what is written, and what is left alone.
import { chmodSync, lstatSync, readdirSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Workspace } from '../rig.ts';

const untidy = '# Plan\n\n* [ ] **api** Build it (needs: Create the schema)\n\n1. [x] Create the schema\n';
const plan = '* [ ] **api** Build it (needs: create-the-schema)\n\n1. [x] Create the schema\n   - run: make\n';
const tidy = '- [ ] api: Build it → create-the-schema\n- [x] Create the schema\n  - run: `make`\n';

it('prints by default and changes nothing', async () => {
  const w = new Workspace({ 'plan.md': plan });
  const { code, out, err } = await w.run('fmt', 'plan.md');
  expect([code, out, err]).toEqual([0, tidy, '']);
  expect(w.read('plan.md')).toBe(plan);
  expect(w.has('.signalbox')).toBe(false);
  expect((await w.run('fmt', 'plan.md', '--json')).json).toEqual({
    plan: 'plan.md',
    changed: true,
    written: false,
    untouched: false,
    hindrance: null,
    ids: [],
    text: tidy,
  });
});

it('--check is exit 1 for what would change, 0 for what would not', async () => {
  const w = new Workspace({ 'plan.md': plan, 'tidy.md': tidy });
  expect((await w.run('fmt', 'plan.md', '--check')).code).toBe(1);
  expect((await w.run('fmt', 'tidy.md', '--check')).code).toBe(0);
  expect((await w.run('fmt', 'tidy.md', '--check', '--ids')).code).toBe(1);
  expect((await w.run('fmt', 'tidy.md', '--check', '--write')).code).toBe(2);
});

it('--write replaces the file, keeps its mode and leaves nothing beside it', async () => {
  const w = new Workspace({ 'plan.md': plan });
  chmodSync(join(w.folder, 'plan.md'), 0o640);
  const { code, json } = await w.run('fmt', 'plan.md', '--write', '--ids', '--json');
  expect(code).toBe(0);
  expect(json).toEqual({
    plan: 'plan.md',
    changed: true,
    written: true,
    untouched: false,
    hindrance: null,
    ids: ['create-the-schema'],
  });
  expect(w.read('plan.md')).toBe(tidy.replace('Create', 'create-the-schema: Create'));
  expect(statSync(join(w.folder, 'plan.md')).mode & 0o777).toBe(0o640);
  expect(readdirSync(w.folder)).toEqual(['plan.md']);
});

it('the mode is that of the file, whatever the mask of the user', async () => {
  const w = new Workspace({ 'plan.md': plan });
  chmodSync(join(w.folder, 'plan.md'), 0o666);
  expect((await w.run('fmt', 'plan.md', '--write')).code).toBe(0);
  expect(statSync(join(w.folder, 'plan.md')).mode & 0o777).toBe(0o666);
});

it('a file that nobody may write is refused, and stays as it is', async () => {
  const w = new Workspace({ 'plan.md': plan });
  chmodSync(join(w.folder, 'plan.md'), 0o444);
  const { code, err } = await w.run('fmt', 'plan.md', '--write');
  expect(code).toBe(2);
  expect(err).toContain('plan.md is not writable');
  expect(w.read('plan.md')).toBe(plan);
  expect(readdirSync(w.folder)).toEqual(['plan.md']);
  expect((await w.run('fmt', 'plan.md')).out).toBe(tidy);
});

it('two at once leave one whole plan and nothing beside it', async () => {
  const w = new Workspace({ 'plan.md': plan });
  const format = () => w.start('fmt', 'plan.md', '--write').ended;
  const both = await Promise.all([format(), format()]);
  // The slower one may see that it was changed meanwhile.
  expect(both.map(({ code }) => code).filter((code) => code !== 0 && code !== 2)).toEqual([]);
  expect(both.some(({ code }) => code === 0)).toBe(true);
  expect(w.read('plan.md')).toBe(tidy);
  expect(readdirSync(w.folder)).toEqual(['plan.md']);
});

it('a plan that boxes cannot say stays as it is, with its line and exit code 1', async () => {
  const table = '| Task | Status |\n|---|---|\n| a: A | on hold |\n';
  const w = new Workspace({ 'plan.md': table });
  const { code, err } = await w.run('fmt', 'plan.md', '--write');
  expect(code).toBe(1);
  expect(err).toContain('plan.md:3: left as it is: task `a` is suspended');
  expect(w.read('plan.md')).toBe(table);
  expect((await w.run('fmt', 'plan.md', '--check')).code).toBe(1);
});

it('sections get ids where their tasks have none', async () => {
  const w = new Workspace({ 'plan.yaml': 'sections:\n- name: S\n  tasks:\n  - name: Do it\n  - {name: Do more}\n' });
  expect((await w.run('fmt', 'plan.yaml', '--ids')).out).toBe(
    'sections:\n  - name: S\n    tasks:\n      - id: do-it\n        name: Do it\n      - { id: do-more, name: Do more }\n',
  );
});

it('a symlink stays one', async () => {
  const w = new Workspace({ 'real/plan.md': plan });
  symlinkSync('real/plan.md', join(w.folder, 'plan.md'));
  expect((await w.run('fmt', 'plan.md', '--write')).code).toBe(0);
  expect(lstatSync(join(w.folder, 'plan.md')).isSymbolicLink()).toBe(true);
  expect(w.read('real/plan.md')).toBe(tidy);
});

it('a plan with mistakes is exit 3 with every one of them, and stays as it is', async () => {
  const w = new Workspace({ 'plan.md': untidy });
  const { code, json } = await w.run('fmt', 'plan.md', '--write', '--json');
  expect(code).toBe(3);
  expect(json.diagnostics.length).toBeGreaterThan(0);
  expect(json.diagnostics[0]).toMatchObject({ code: 'unknown-id', line: 3 });
  expect(w.read('plan.md')).toBe(untidy);
});

it('YAML stays YAML, with its comments', async () => {
  const w = new Workspace({ 'plan.yaml': '# mine\ntasks:\n    a: {run: make} # why\n' });
  expect((await w.run('fmt', 'plan.yaml')).out).toBe('# mine\ntasks:\n  a: { run: make } # why\n');
});

it('a run goes on with a plan that was rewritten in between', async () => {
  const w = new Workspace({
    'plan.md': '* [ ] **a** A\n   - run: true\n* [ ] **b** B (needs: a)\n   - run: test -e go\n   - retries: 0\n',
  });
  expect((await w.run('run', 'plan.md')).code).toBe(1);
  expect((await w.run('fmt', 'plan.md', '--write')).code).toBe(0);
  w.write('go', '');
  expect((await w.run('retry', 'b')).code).toBe(0);
  expect((await w.run('run', 'plan.md')).code).toBe(0);
});
