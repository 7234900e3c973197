// `signalbox diff` for real: of attempts that have ended, that are at work, that were killed, and that worked in the workspace.
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Workspace } from '../rig.ts';
import { ResultsWorkspace } from './results-rig.ts';

const branch = (task: string, n = 1) => `signalbox-attempts/plan/${task}.${n}`;
const long = `${Array.from({ length: 20 }, (_, i) => `line ${i}`).join('\n')}\n`;

it('shows what an attempt left on its branch, and nothing of ours', async () => {
  const w = await new ResultsWorkspace({ 'old.txt': long, 'gone.txt': 'gone\n' }).begun();
  const tree = w.tree('api');
  writeFileSync(join(tree, 'a.txt'), 'two\n');
  writeFileSync(join(tree, 'image.png'), Buffer.alloc(2000));
  renameSync(join(tree, 'old.txt'), join(tree, 'new.txt'));
  rmSync(join(tree, 'gone.txt'));
  w.gitIn(tree, 'config', 'core.excludesFile', '/dev/null');
  writeFileSync(join(tree, '.gitignore'), '');
  for (const file of ['.signalbox/x', 'docs/plan-outputs/plan/status.json']) w.writeIn(tree, file, 'ours');
  const head = w.commit('api: Build', tree);
  await w.scheduled('api');
  await w.ended('api', 1, { branch: branch('api'), base: w.begin, head }, 'conflict');
  const { code, out } = await w.run('diff', 'api');
  expect(code).toBe(0);
  expect(out).toBe(`.gitignore (changed)
@@ -1,3 +0,0 @@
-.signalbox/
-.claude/
-docs/plan-outputs/

a.txt (changed)
@@ -1 +1 @@
-one
+two

gone.txt (deleted)
@@ -1 +0,0 @@
-gone

image.png (new, not text: 2,000 bytes)

old.txt → new.txt (renamed)

api#1: 5 files, +1 -5
`);
  expect((await w.run('diff', 'api#1', '--stat')).out).toBe(`.gitignore         +0  -3  changed
a.txt              +1  -1  changed
gone.txt           +0  -1  deleted
image.png                  new, not text: 2,000 bytes
old.txt → new.txt  +0  -0  renamed
api#1: 5 files, +1 -5
`);
  const { json } = await w.run('diff', 'api', '--json');
  expect(json).toMatchObject({ task: 'api', attempt: 'api#1', source: 'branch', base: w.begin, head, cut: false });
  expect(json.files[4]).toMatchObject({ path: 'new.txt', from: 'old.txt', was: 'renamed', diff: null });
});

it('shows what the tree of an attempt has now, and what a killed one has left', async () => {
  const w = await new ResultsWorkspace().begun();
  await w.scheduled('api');
  const tree = w.tree('api');
  expect((await w.run('diff', 'api')).out).toBe('api#1 has changed nothing yet.\n');
  writeFileSync(join(tree, 'a.txt'), 'committed\n');
  w.commit('half', tree);
  writeFileSync(join(tree, 'new.txt'), 'not committed\n');
  const status = w.gitIn(tree, 'status', '--porcelain');
  const { json } = await w.run('diff', 'api', '--json');
  expect(json).toMatchObject({ source: 'tree', base: w.begin });
  expect(json.files.map(({ path, was }: Record<string, string>) => [path, was])).toEqual([
    ['a.txt', 'changed'],
    ['new.txt', 'new'],
  ]);
  expect(w.gitIn(tree, 'status', '--porcelain')).toBe(status);
  w.git('worktree', 'remove', '--force', tree);
  expect((await w.run('diff', 'api', '--json')).json).toMatchObject({ source: 'branch', files: [{ path: 'a.txt' }] });
});

it('shows what changed in the workspace where that is known, and says where it is not', async () => {
  const agents = 'agents:\n  tool: {kind: command, command: [sh, agent.sh]}\nreview-agent: tool\n';
  const w = new Workspace({
    'plan.md': '- [ ] api: Build\n  - agent: tool\n  - review: agent\n  - retries: 0\n- [ ] b: B\n  - run: `true`\n',
    'agent.sh': 'echo new > made.txt; exit 3\n',
    'signalbox.yaml': agents,
  });
  await w.run('run', 'plan.md', '--decide-within', '0');
  const shown = await w.run('diff', 'api');
  expect([shown.code, shown.out]).toEqual([0, 'made.txt (new)\n@@ -0,0 +1 @@\n+new\n\napi#1: 1 file, +1 -0\n']);
  expect(shown.err).toContain('Other tasks may have changed files in the same folder at the same time.');
  const { code, err } = await w.run('diff', 'b');
  expect(code).toBe(2);
  expect(err).toBe(
    'signalbox: what b#1 changed is not known: nobody looked at the files when it began\n  help: see what it did: signalbox logs b --attempt 1\n',
  );
});

it('is a mistake where there is no such attempt', async () => {
  const w = await new ResultsWorkspace().begun();
  const said = async (...args: string[]) => {
    const { code, err } = await w.run('diff', ...args);
    return `${code} ${err}`;
  };
  expect(await said('api')).toBe('2 signalbox: api of plan.md has not been tried yet\n  help: signalbox why api\n');
  expect(await said('apo')).toContain('did you mean api?');
  await w.scheduled('api');
  expect(await said('api#4')).toContain('there is no api#4: api has 1 attempt\n');
  expect(await said('api#1')).toContain('what api#1 changed is not known: it has no branch\n');
  const gone = 'f'.repeat(40);
  await w.ended('api', 1, { branch: branch('api'), base: w.begin, head: gone }, null);
  expect(await said('api')).toContain(`the commit ${gone.slice(0, 12)} is not in the repository any more\n`);
});

it('shows what an attempt left that could not be merged', async () => {
  const w = await new ResultsWorkspace().begun();
  const tree = w.tree('api');
  await w.scheduled('api');
  await w.ended('api', 1, null, null);
  const nothing = await w.run('diff', 'api');
  expect([nothing.code, nothing.err]).toEqual([2, expect.stringContaining('it left nothing on a branch')]);
  writeFileSync(join(tree, 'a.txt'), 'committed\n');
  w.commit('half', tree);
  expect((await w.run('diff', 'api', '--json')).json).toMatchObject({ files: [{ path: 'a.txt', added: 1 }] });
  writeFileSync(join(tree, 'new.txt'), 'new\n');
  w.git('branch', `${branch('api')}.left`, w.commit('all', tree));
  const { code, out, err } = await w.run('diff', 'api', '--stat');
  expect([code, out]).toEqual([0, 'a.txt    +1  -1  changed\nnew.txt  +1  -0  new\napi#1: 2 files, +2 -1\n']);
  expect(err).toContain(`What it left cannot be merged as it is: ${branch('api')}.left has it.`);
});

it('of a group names its tasks', async () => {
  const w = await new ResultsWorkspace({
    'plan.md': '- [ ] all: All\n  - [ ] api: Build\n    - run: `true`\n  - [ ] docs: Write\n    - run: `true`\n',
  }).begun();
  const { code, err } = await w.run('diff', 'all');
  expect([code, err]).toEqual([
    2,
    'signalbox: all is a group and has no attempts of its own: its tasks are api and docs\n  help: signalbox diff api\n',
  ]);
});
