// `status --watch`, `progress` and `graph` through the real command: beside a run, before the first one, and after a death.
import { expect, it } from 'vitest';
import { type Line, Workspace } from '../rig.ts';

const held = (name: string) => `touch ${name}.up; until test -e ${name}.go; do sleep 0.02; done`;
const aIs = (status: string) => (line: Line) => line.tasks?.[0].status === status;

it('status --watch tells every change of a run elsewhere, and once when nothing happens', async () => {
  const w = new Workspace({ 'plan.yaml': `tasks:\n  a: {run: "${held('a')}"}\n  b: {run: "true", needs: [a]}\n` });
  const run = w.start('run', 'plan.yaml', '--json');
  await w.appears('a.up');
  await run.line(({ type }) => type === 'attempt-started');
  const watch = w.start('status', '--watch', '--json');
  await watch.line(aIs('in_progress'));
  w.write('a.go', '');
  await watch.line(({ outcome }) => outcome === 'complete');
  expect((await run.ended).code).toBe(0);
  watch.kill('SIGINT');
  const { code, lines, err } = await watch.ended;
  expect([code, err]).toEqual([130, '']);
  expect(new Set(lines.map((line) => JSON.stringify(line))).size).toBe(lines.length);
});

it('works before anything was recorded, creates nothing, and sees the first run begin', async () => {
  const w = new Workspace({ 'plan.yaml': `tasks:\n  a: {run: "${held('a')}"}\n` });
  const watch = w.start('status', 'plan.yaml', '--watch', '--json');
  await watch.line(aIs('pending'));
  expect(w.has('.signalbox')).toBe(false);
  const run = w.start('run', 'plan.yaml', '--json');
  await watch.line(aIs('in_progress'));
  w.write('a.go', '');
  await watch.line(aIs('completed'));
  await run.ended;
  watch.kill('SIGTERM');
  expect((await watch.ended).code).toBe(143);
});

it('notices a runner that was killed, which nobody records', async () => {
  const w = new Workspace({ 'plan.yaml': `tasks:\n  a: {run: "${held('a')}"}\n` });
  const run = w.start('run', 'plan.yaml', '--json');
  await run.line(({ type }) => type === 'attempt-started');
  const watch = w.start('status', '--watch', '--json');
  await watch.line(({ running }) => running === true);
  run.kill('SIGKILL');
  await watch.line(({ running }) => running === false);
  expect((await w.run('status')).out).toContain('  process died\n');
  expect((await w.run('progress', '--json')).json).toMatchObject({ lastRun: 'cut-off', planStatus: 'in_progress' });
  w.write('a.go', '');
  watch.kill('SIGINT');
  expect((await watch.ended).code).toBe(130);
});

it('progress is one line, and exact at the ends', async () => {
  const w = new Workspace({ 'plan.md': '- [x] a: A\n- [ ] b: B\n  - run: `true`\n- [ ] c: C\n  - run: `true`\n' });
  expect((await w.run('progress', 'plan.md')).out).toMatch(
    /^[━─]+ 33% not run yet · 1 of 3 tasks completed · 2 pending\n$/,
  );
  expect(w.has('.signalbox')).toBe(false);
  await w.run('run', 'plan.md');
  expect((await w.run('progress', '--json')).json).toMatchObject({ percent: 100, outcome: 'complete' });
});

it('graph writes a picture, tells nodes and edges to programs, and names what is in the way', async () => {
  const w = new Workspace({ 'plan.md': '# P\n\n- [x] a: A\n- [ ] b: B → a\n- [ ] c: C ~> b\n' });
  expect((await w.run('graph', 'plan.md', '--out', 'plan.svg')).out).toBe('plan.svg: 3 tasks, 2 edges\n');
  expect(w.read('plan.svg')).toMatch(/^<svg [\s\S]*<\/svg>\n$/);
  expect((await w.run('graph', 'plan.md')).out).toMatch(/^flowchart TD\n/);
  expect((await w.run('graph', 'plan.md', '--json')).json).toMatchObject({
    nodes: [{ id: 'a', status: 'completed' }, { id: 'b' }, { id: 'c' }],
    edges: [
      { from: 'a', to: 'b', kind: 'need' },
      { from: 'b', to: 'c', kind: 'preference' },
    ],
  });
  const nowhere = await w.run('graph', 'plan.md', '--out', 'no/such/folder.svg');
  expect([nowhere.code, nowhere.out]).toEqual([2, '']);
  expect(nowhere.err).toContain('its folder does not exist');
  expect(w.has('.signalbox')).toBe(false);
});
