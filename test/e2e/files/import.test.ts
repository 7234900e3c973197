// `import` through the real program: what is written where, and what is refused.
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Workspace } from '../rig.ts';

const taskmaster = readFileSync('test/fixtures/import/taskmaster.json', 'utf8');

it('prints the plan by default, and on the other stream what it cannot say', async () => {
  const w = new Workspace({ 'tasks.json': taskmaster });
  const { code, out, err } = await w.run('import', 'taskmaster', 'tasks.json');
  expect(code).toBe(0);
  expect(out).toContain('- [x] 1. Create the schema\n');
  expect(err).toContain('Not carried over:\n');
  expect(err).toContain('the tag `spike`');
  w.write('plan.md', out);
  expect((await w.run('check', 'plan.md')).code).toBe(0);
});

it('writes a new file, and over an old one only with --force', async () => {
  const w = new Workspace({ 'plan.md': 'mine\n' });
  cpSync('test/fixtures/import/backlog', join(w.folder, 'backlog'), { recursive: true });
  const refused = await w.run('import', 'backlog', 'backlog', '--out', 'plan.md');
  expect(refused.code).toBe(2);
  expect(refused.err).toContain('--force');
  expect(w.read('plan.md')).toBe('mine\n');
  const { code, json } = await w.run('import', 'backlog', 'backlog', '--out', 'plan.md', '--force', '--json');
  expect(code).toBe(0);
  expect(json).toMatchObject({ tool: 'backlog', plan: 'plan.md', tasks: 2, groups: 1 });
  expect(json.losses[0]).toEqual({ what: 'a draft', tasks: [] });
  expect(w.read('plan.md')).toContain('- [x] TASK-1 Create the schema\n');
  expect(w.has('.signalbox')).toBe(false);
});

it.each<[string, string[], number, string]>([
  ['a missing file', ['beads', 'none.jsonl'], 2, 'there is no file none.jsonl'],
  ['an unknown tool', ['taskmeister', 'tasks.json'], 2, 'did you mean taskmaster?'],
  ["another tool's file", ['backlog', 'tasks.json'], 3, 'tasks.json:1:1: error[wrong-tool]'],
  ['broken JSON', ['taskmaster', 'broken.json'], 3, 'broken.json:2:6: error[bad-json]'],
  ['a folder without tasks', ['backlog', 'empty'], 2, 'there are no task files'],
  ['a plan in YAML', ['taskmaster', 'tasks.json', '--out', 'p.yaml'], 2, 'does not end with .md'],
  ['a plan outside', ['taskmaster', 'tasks.json', '--out', '../p.md'], 2, 'outside the workspace'],
  ['a plan in a folder that is not there', ['taskmaster', 'tasks.json', '--out', 'x/p.md'], 2, 'does not exist'],
  ['a tag of a tool without tags', ['beads', 'tasks.json', '--tag', 'x'], 2, '--tag'],
])('%s is refused', async (_, args, exitCode, message) => {
  const w = new Workspace({ 'tasks.json': taskmaster, 'broken.json': '{\n "a":,}', 'empty/x.txt': '' });
  const { code, err } = await w.run('import', ...args);
  expect(err).toContain(message);
  expect(code).toBe(exitCode);
});
