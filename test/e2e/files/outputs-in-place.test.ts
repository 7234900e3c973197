// Outputs are never put over something that we did not write, and never through a link.
import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Workspace } from '../rig.ts';

const plan = 'tasks: {a: {run: "true"}}\n';
const at = (w: Workspace, name: string) => join(w.folder, name);

describe('the file of the current plan', () => {
  it.each([
    ['a source file', 'src/main.ts', 'export {};\nexport default 1;\n'],
    ['a file of one line', 'VERSION', '1.2.3\n'],
    ['a long file', 'data.txt', `${'x'.repeat(70_000)}.md`],
    ['an empty source file', 'pkg/__init__.py', ''],
    ['a list of one file that is there', '.dockerignore', 'signalbox.yaml\n'],
    ['a list of one document', '.npmignore', 'README.md\n'],
  ])('is not put over %s', async (_, name, text) => {
    const w = new Workspace({
      'plan.yaml': plan,
      [name]: text,
      'signalbox.yaml': `outputs: {current-plan: ${name}}\n`,
    });
    const { code, err } = await w.run('set', 'plan.yaml');
    expect([code, err]).toEqual([2, expect.stringContaining(`${name} does not name a plan`)]);
    expect([w.read(name), w.has('.signalbox')]).toEqual([text, false]);
  });

  it.each(['.git/config', '.git/hooks/pre-commit', 'sub/.git/HEAD', '.GIT/config', '.signalbox/state.db'])(
    'cannot be %s',
    async (name) => {
      const w = new Workspace({ 'plan.yaml': plan, 'signalbox.yaml': `outputs: {current-plan: ${name}}\n` });
      execFileSync('git', ['init', '-q', w.folder]);
      const before = w.read('.git/config');
      const { code, err } = await w.run('set', 'plan.yaml');
      expect([code, err]).toEqual([3, expect.stringContaining('signalbox.yaml:1')]);
      expect(w.read('.git/config')).toBe(before);
      w.write('signalbox.yaml', `outputs: {folder: ${name}}\n`);
      expect((await w.run('run', 'plan.yaml')).code).toBe(3);
    },
  );

  it('is neither read nor written through a link', async () => {
    const w = new Workspace({ 'plan.yaml': plan, 'secret.md': 'plan.yaml\nsecret\n' });
    fs.mkdirSync(at(w, '.claude'));
    fs.symlinkSync('../secret.md', at(w, '.claude/current-plan.txt'));
    expect((await w.run('set', 'plan.yaml')).code).toBe(2);
    expect((await w.run('status')).err).not.toContain('secret');
    expect(w.read('secret.md')).toBe('plan.yaml\nsecret\n');
    const outside = new Workspace();
    const behind = new Workspace({ 'plan.yaml': plan });
    fs.symlinkSync(outside.folder, at(behind, '.claude'));
    const { code, err } = await behind.run('set', 'plan.yaml');
    expect([code, err]).toEqual([2, expect.stringContaining('leads out of the workspace')]);
    expect(fs.readdirSync(outside.folder)).toEqual([]);
  });

  it.each(['', '\n', 'gone.md\n', 'plan.yaml', 'a plan without an ending'])(
    'is put over one that names a plan: %j',
    async (text) => {
      const w = new Workspace({ 'plan.yaml': plan, 'a plan without an ending': '', '.claude/current-plan.txt': text });
      expect((await w.run('set', 'plan.yaml')).code).toBe(0);
      expect(w.read('.claude/current-plan.txt')).toBe('plan.yaml\n');
    },
  );
});

it('the file of the current plan is put over what we wrote at another place, also when the log is lost', async () => {
  const w = new Workspace({ 'p.yaml': plan, 'q.yaml': plan, 'signalbox.yaml': 'outputs: {current-plan: plans/now}\n' });
  for (const name of ['p', 'q', 'p']) expect((await w.run('set', `${name}.yaml`)).code).toBe(0);
  fs.rmSync(at(w, '.signalbox'), { recursive: true });
  expect((await w.run('set', 'q.yaml')).code).toBe(0);
  expect(w.read('plans/now')).toBe('q.yaml\n');
});

describe('status.json', () => {
  it('replaces what somebody else wrote only after it is kept under another name', async () => {
    const w = new Workspace({ 'plan.yaml': plan, 'signalbox.yaml': 'outputs: {folder: src}\n' });
    expect((await w.run('set', 'plan.yaml')).code).toBe(0);
    w.write('src/plan/status.json', '{"mine": true}');
    w.write('src/plan/status.json.bak', 'also mine');
    expect((await w.run('run', 'plan.yaml')).code).toBe(0);
    expect(JSON.parse(w.read('src/plan/status.json')).summary.completed).toBe(1);
    const kept = fs.readdirSync(at(w, 'src/plan')).filter((name) => name.includes('.broken-'));
    const texts = kept.map((name) => w.read(`src/plan/${name}`));
    expect(texts.sort()).toEqual(['also mine', '{"mine": true}'].sort());
  });

  it.each([
    'docs/plan-outputs',
    'docs/plan-outputs/plan',
    'docs/plan-outputs/plan/timestamps',
    'docs/plan-outputs/plan/findings',
  ])('and what lies beside it are not written through a link in the place of %s', async (name) => {
    const outside = new Workspace();
    const w = new Workspace({ 'plan.yaml': plan });
    fs.mkdirSync(at(w, join(name, '..')), { recursive: true });
    fs.symlinkSync(outside.folder, at(w, name));
    const run = await w.run('run', 'plan.yaml');
    expect(run.code).toBe(0);
    if (!name.endsWith('findings')) expect(run.out + run.err).toContain(`${at(w, name)} is a link`);
    await w.startWith({}, 'write-findings', 'a', '--file', 'plan.yaml').ended;
    expect(fs.readdirSync(outside.folder)).toEqual([]);
  });

  it('is not read through a link, and the link goes where it leads to no more', async () => {
    const w = new Workspace({ 'plan.yaml': plan, 'elsewhere.json': '{"tasks":[{"id":"a","status":"completed"}]}' });
    fs.mkdirSync(at(w, 'docs/plan-outputs/plan'), { recursive: true });
    fs.symlinkSync('../../../elsewhere.json', at(w, 'docs/plan-outputs/plan/status.json'));
    expect((await w.run('set', 'plan.yaml')).code).toBe(0);
    expect(await w.status()).toEqual({ a: 'pending' });
    expect(fs.lstatSync(at(w, 'docs/plan-outputs/plan/status.json')).isFile()).toBe(true);
    expect(w.read('elsewhere.json')).toContain('"completed"');
  });

  it('findings are not read or added to through a link', async () => {
    const w = new Workspace({ 'plan.yaml': plan, 'secret.txt': 'secret\n', 'more.md': 'more\n' });
    fs.mkdirSync(at(w, 'docs/plan-outputs/plan/findings'), { recursive: true });
    fs.symlinkSync('../../../../secret.txt', at(w, 'docs/plan-outputs/plan/findings/a.md'));
    const read = await w.run('read-findings', 'a', '--plan', 'plan.yaml');
    expect([read.code, read.out]).toEqual([2, '']);
    expect((await w.run('write-findings', 'a', '--plan', 'plan.yaml', '--append', '--file', 'more.md')).code).toBe(0);
    expect([w.read('docs/plan-outputs/plan/findings/a.md'), w.read('secret.txt')]).toEqual(['more\n', 'secret\n']);
  });
});

describe('what somebody else put in the place of an output', () => {
  const outputs = 'docs/plan-outputs/plan';
  const kept = (w: Workspace, folder: string) =>
    fs.readdirSync(at(w, folder)).filter((name) => name.includes('.broken-'));
  const pipe = (w: Workspace, name: string) => {
    fs.mkdirSync(at(w, join(name, '..')), { recursive: true });
    fs.rmSync(at(w, name), { force: true });
    execFileSync('mkfifo', [at(w, name)]);
  };
  const write = (w: Workspace, text: string, ...more: string[]) => {
    w.write('words', text);
    return w.run('write-findings', 'a', '--plan', 'plan.yaml', '--file', 'words', ...more);
  };

  it.each(['status.json', 'status.json.bak'])('%s: a pipe is kept, and told', async (name) => {
    const w = new Workspace({ 'plan.yaml': plan });
    for (const command of ['set', 'pause', 'resume']) await w.run(command, 'plan.yaml');
    pipe(w, `${outputs}/${name}`);
    const { code, err } = await w.run('pause', 'plan.yaml');
    const [aside, ...others] = kept(w, outputs);
    expect([code, err, others]).toEqual([0, expect.stringContaining(`${outputs}/${name} `), []]);
    expect(err).toContain(`kept as ${outputs}/${aside}`);
    expect(fs.lstatSync(at(w, `${outputs}/${aside}`)).isFIFO()).toBe(true);
    expect(fs.lstatSync(at(w, `${outputs}/${name}`)).isFile()).toBe(true);
    expect((await w.run('resume', 'plan.yaml')).err).toBe('');
  });

  it('status.json: what somebody wrote is told when it is kept', async () => {
    const w = new Workspace({ 'plan.yaml': plan });
    await w.run('set', 'plan.yaml');
    w.write(`${outputs}/status.json`, '{"mine": true}');
    expect((await w.run('pause', 'plan.yaml')).err).toContain(`kept as ${outputs}/${kept(w, outputs)[0]}`);
  });

  it('status.json.bak: validate --fix keeps what somebody wrote', async () => {
    const w = new Workspace({ 'plan.yaml': plan });
    await w.run('set', 'plan.yaml');
    w.write(`${outputs}/status.json.bak`, 'mine');
    expect((await w.run('validate', '--fix')).code).toBe(0);
    expect(kept(w, outputs).map((name) => w.read(`${outputs}/${name}`))).toEqual(['mine']);
  });

  it('findings: our own are replaced, another text is kept and told', async () => {
    const w = new Workspace({ 'plan.yaml': plan });
    const file = `${outputs}/findings/a.md`;
    for (const text of ['one\n', 'two\n']) expect(await write(w, text)).toMatchObject({ code: 0, err: '' });
    expect((await write(w, 'three\n', '--append')).err).toBe('');
    expect((await write(w, 'four\n')).err).toBe('');
    expect([w.read(file), kept(w, `${outputs}/findings`)]).toEqual(['four\n', []]);
    w.write(file, 'mine\n');
    const replaced = await write(w, 'five\n');
    const [aside] = kept(w, `${outputs}/findings`);
    expect(replaced).toMatchObject({ code: 0, err: expect.stringContaining(`kept as ${outputs}/findings/${aside}`) });
    expect([w.read(file), w.read(`${outputs}/findings/${aside}`)]).toEqual(['five\n', 'mine\n']);
    expect((await w.run('validate')).code).toBe(0);
  });

  it('findings: what was added to the text of another is still his', async () => {
    const w = new Workspace({ 'plan.yaml': plan, [`${outputs}/findings/a.md`]: 'mine\n' });
    expect(await write(w, 'more\n', '--append')).toMatchObject({ code: 0, err: '' });
    await write(w, 'new\n');
    const texts = kept(w, `${outputs}/findings`).map((name) => w.read(`${outputs}/findings/${name}`));
    expect(texts).toEqual(['mine\nmore\n']);
  });

  it.each([[[]], [['--append']]])('findings: a pipe is kept, and told: %j', async (more) => {
    const w = new Workspace({ 'plan.yaml': plan });
    pipe(w, `${outputs}/findings/a.md`);
    const { code, err } = await write(w, 'new\n', ...more);
    const [aside] = kept(w, `${outputs}/findings`);
    expect([code, err]).toEqual([0, expect.stringContaining(`kept as ${outputs}/findings/${aside}`)]);
    expect(w.read(`${outputs}/findings/a.md`)).toBe('new\n');
  });

  it('times of attempts: our own are replaced, another text or a pipe is kept and told', async () => {
    const w = new Workspace({ 'plan.yaml': 'tasks: {a: {run: "true"}, b: {run: "true"}, c: {run: "true"}}\n' });
    const times = `${outputs}/timestamps`;
    w.write(`${times}/a%231.json`, 'mine');
    w.write(`${times}/c%231.json`, '{"attempt":"c#1"}');
    pipe(w, `${times}/b%231.json`);
    const run = await w.run('run', 'plan.yaml');
    expect(run.code).toBe(0);
    const aside = kept(w, times);
    expect(aside.map((name) => name.replace(/\.broken-.*/, ''))).toEqual(['a%231.json', 'b%231.json']);
    for (const name of aside) expect(run.out + run.err).toContain(`kept as ${times}/${name}`);
    expect([w.read(`${times}/${aside[0]}`), JSON.parse(w.read(`${times}/a%231.json`)).task]).toEqual(['mine', 'a']);
    w.write(`${times}/a%231.json`, 'also mine');
    expect((await w.run('validate', '--fix')).code).toBe(0);
    expect(kept(w, times).map((name) => (name.startsWith('a') ? w.read(`${times}/${name}`) : ''))).toContain(
      'also mine',
    );
  });
});

describe('the state folder', () => {
  it.each(['attempts', 'journals', 'verify', 'before', 'saved'])(
    'is not written through a link in the place of %s',
    async (name) => {
      const outside = new Workspace();
      const w = new Workspace({ 'plan.yaml': 'tasks: {a: {run: "signalbox lock try x", check: "true"}}\n', x: 'x' });
      fs.mkdirSync(at(w, '.signalbox'), { mode: 0o700 });
      fs.symlinkSync(outside.folder, at(w, `.signalbox/${name}`));
      await w.run('run', 'plan.yaml');
      await w.run('verify');
      expect(fs.readdirSync(outside.folder)).toEqual([]);
    },
  );

  it('doctor --fix changes nothing behind a link', async () => {
    const outside = new Workspace({ file: 'x' });
    fs.chmodSync(at(outside, 'file'), 0o644);
    const w = new Workspace();
    fs.mkdirSync(at(w, '.signalbox'), { mode: 0o700 });
    fs.symlinkSync(at(outside, 'file'), at(w, '.signalbox/state.db'));
    await w.run('doctor', '--fix');
    expect(fs.statSync(at(outside, 'file')).mode & 0o777).toBe(0o644);
  });
});
