import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { living, PoolRig, until } from '../../../test/rigs/pool-rig.ts';
import { runId } from '../../core/model/ids.ts';
import { followOutput } from './output-tail.ts';
import { identify } from './process-identity.ts';

let rig: PoolRig;
beforeEach(() => {
  rig = new PoolRig();
});
afterEach(() => rig.close());

const exited = (code: number) => ({ kind: 'exited', code });
const printArguments = [
  '-e',
  'process.stdout.write(JSON.stringify([process.argv.slice(1), process.env.VALUE, process.cwd()]))',
  '--',
];

const hostile = [
  "it's",
  '"double"',
  '`touch PWNED`',
  '$(touch PWNED)',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: meant for a shell
  '${HOME}',
  '; touch PWNED',
  '| touch PWNED',
  '&& touch PWNED',
  '> PWNED',
  'two\nlines',
  '\n}; touch PWNED; {\n',
  '\\',
  "\\'; touch PWNED #",
  '',
  ' ',
  '-n',
  '--',
  '*',
  '~',
  '!!',
  'žluťoučký 日本語 🚂 \u0081 ā',
  '\r\t\b\x1b[31m\x7f',
];

describe('what is said arrives as it was said', () => {
  it('passes hostile arguments, values and folders exactly, and through no shell', async () => {
    for (const text of hostile) {
      const cwd = join(rig.folder, `d${text.replaceAll('/', '')}`);
      mkdirSync(cwd, { recursive: true });
      const { end, output } = await rig.run([process.execPath, ...printArguments, text], { cwd, env: { VALUE: text } });
      expect(end).toEqual(exited(0));
      expect(JSON.parse(output)).toEqual([[text], text, cwd]);
    }
    const all = await rig.run([process.execPath, ...printArguments, ...hostile], {
      env: { VALUE: hostile.join('\n') },
    });
    expect(JSON.parse(all.output)).toEqual([hostile, hostile.join('\n'), rig.folder]);
    expect(existsSync(join(rig.folder, 'PWNED'))).toBe(false);
  });

  it('passes names that mean something to shells', async () => {
    const env = {
      UID: 'x',
      OPTIND: 'abc',
      IFS: 'q',
      LINENO: 'z',
      sb_c: '7',
      sb_u: '8',
      PPID: '1',
      BASH_ENV: '/nowhere',
    };
    const script = 'process.stdout.write(JSON.stringify(process.env))';
    const { end, output } = await rig.run([process.execPath, '-e', script], { env });
    expect(end).toEqual(exited(0));
    expect(JSON.parse(output)).toMatchObject(env);
    expect(JSON.parse(output)).not.toHaveProperty('OLDPWD');
  });

  it('gives the program its input, one file for both outputs in order, and no other descriptor or ignored signal', async () => {
    writeFileSync(join(rig.folder, 'in'), 'hello\n');
    const list = 'ls /proc/self/fd | tr "\\n" " "';
    const script = `cat; echo out; echo err >&2; echo out2; ${list}; grep SigIgn /proc/self/status`;
    const { output } = await rig.run(script, { stdinFile: join(rig.folder, 'in') });
    // What our own parent left open in us is not our doing; compare with a plain child.
    const plain = execFileSync('/bin/sh', ['-c', list], { encoding: 'utf8' });
    expect(output).toBe(`hello\nout\nerr\nout2\n${plain}SigIgn:\t0000000000000000\n`);
    const { output: none } = await rig.run('cat; echo end');
    expect(none).toBe('end\n');
  });

  it('marks every attempt and says so in its environment', async () => {
    const { output } = await rig.run('echo $SIGNALBOX_TOKEN', { env: { SIGNALBOX_TOKEN: 'forged' } });
    expect(output).toBe(`${rig.workspace}:1\n`);
  });

  it('keeps files to itself but leaves programs the usual mask', async () => {
    const order = rig.start('touch made');
    await rig.ended(order.token);
    expect(statSync(order.outputFile).mode & 0o777).toBe(0o600);
    expect(statSync(join(rig.folder, 'r1.journal')).mode & 0o777).toBe(0o600);
    const mask = process.umask();
    expect(statSync(join(rig.folder, 'made')).mode & 0o777).toBe(0o666 & ~mask);
  });
});

describe('how it ended', () => {
  it('tells exit codes, also those that look like signals, apart from programs that cannot start', async () => {
    expect((await rig.run('exit 7')).end).toEqual(exited(7));
    expect((await rig.run('kill -9 $$')).end).toEqual(exited(137));
    expect((await rig.run('no-such-command-at-all')).end).toEqual(exited(127));
    expect((await rig.run(['/no/such/program'])).end).toMatchObject({ kind: 'unstartable', permanent: true });
    writeFileSync(join(rig.folder, 'plain'), 'text');
    const plain = join(rig.folder, 'plain');
    expect((await rig.run([plain])).end).toEqual({
      kind: 'unstartable',
      permanent: true,
      message: expect.stringContaining(plain),
    });
    expect((await rig.run(['/bin/sh', '-c', 'true', 'x'.repeat(200_000)])).end).toEqual(exited(126));
    expect((await rig.run(['/bin/echo', 'x'.repeat(200_000)])).end).toMatchObject({
      kind: 'unstartable',
      permanent: true,
    });
    expect((await rig.run('exit 3')).end).toEqual(exited(3)); // and the worker lives
    expect(workers(rig)).toBe(1);
  });

  it('says what is missing: folder, input, place for the output', async () => {
    expect((await rig.run('true', { cwd: '/no/such/folder' })).end).toMatchObject({
      kind: 'unstartable',
      permanent: false,
    });
    expect((await rig.run('true', { stdinFile: '/no/such/file' })).end).toMatchObject({ kind: 'unstartable' });
    expect((await rig.run('true', { outputFile: '/no/such/folder/x' })).end).toMatchObject({
      kind: 'unstartable',
      message: 'its output file cannot be created',
    });
  });

  it('refuses what cannot be said to a program, without throwing', async () => {
    const refused = { kind: 'unstartable', permanent: true };
    expect((await rig.run(['/bin/echo', 'a\0b'])).end).toMatchObject(refused);
    expect((await rig.run(['echo'])).end).toMatchObject(refused);
    expect((await rig.run('true', { env: { 'a;touch PWNED': '1' } })).end).toMatchObject(refused);
    expect((await rig.run('true', { env: { A: '\0' } })).end).toMatchObject(refused);
    expect((await rig.run('true', { cwd: 'relative' })).end).toMatchObject(refused);
    expect((await rig.run('true', { run: runId('../escape') })).end).toMatchObject({ kind: 'unstartable' });
    expect(rig.observations.some((o) => o.kind === 'started')).toBe(false);
  });

  it('does not run what somebody else has claimed', async () => {
    const order = rig.order('echo ran');
    writeFileSync(order.outputFile, 'claimed');
    rig.host.start(order);
    expect(await rig.ended(order.token)).toEqual({ kind: 'never-started' });
    expect(readFileSync(order.outputFile, 'utf8')).toBe('claimed');
  });

  it('starts a token once, however often it is told to', async () => {
    const order = rig.order('echo ran >> ledger');
    for (let i = 0; i < 3; i++) rig.host.start(order);
    await rig.ended(order.token);
    rig.host.start(order);
    await rig.run('true');
    expect(rig.text('ledger')).toBe('ran\n');
    expect(rig.observations.filter((o) => o.token === order.token)).toHaveLength(2);
  });

  it('observes started before ended and names a living supervisor', async () => {
    const order = rig.start('until test -e go; do sleep 0.01; done', { cwd: rig.folder });
    const supervisor = await rig.started(order.token);
    expect(living([supervisor])).toBe(1);
    expect(rig.host.lastOutputAt(order.token)).toBeGreaterThan(Date.now() - 60_000);
    writeFileSync(join(rig.folder, 'go'), '');
    await rig.ended(order.token);
    expect(rig.host.lastOutputAt(order.token)).toBeUndefined();
  });
});

describe('workers', () => {
  it('are as many as run at once, and used again', async () => {
    for (let round = 0; round < 3; round++) {
      const orders = [1, 2, 3, 4].map(() => rig.start('true'));
      await Promise.all(orders.map(({ token }) => rig.ended(token)));
    }
    expect(workers(rig)).toBe(4);
  });

  it('survive an attempt that signals its whole group', async () => {
    for (const signal of ['TERM', 'HUP', 'INT', 'USR1', 'QUIT', 'PIPE']) {
      expect((await rig.run(`trap : ${signal}; kill -${signal} 0; exit 5`)).end).toEqual(exited(5));
    }
    expect(workers(rig)).toBe(1);
  });

  it('that an attempt kills with itself are noticed, and their orphans die', async () => {
    const order = rig.start(
      'setsid sh -c "echo \\$\\$ > orphan; exec sleep 1000" & while [ ! -e go ]; do sleep 0.01; done; kill -9 0',
    );
    // Looked up while it is sure to live.
    const [orphan] = await rig.processes('orphan', 1);
    writeFileSync(join(rig.folder, 'go'), '');
    expect(await rig.ended(order.token)).toEqual({ kind: 'lost' });
    expect(living([orphan!])).toBe(0);
    expect((await rig.run('exit 4')).end).toEqual(exited(4));
    expect(workers(rig)).toBe(2);
  });

  it('that die after their last word are believed it', async () => {
    expect((await rig.run('echo "e 1 5;" >> r1.journal; kill -9 $PPID')).end).toEqual(exited(5));
  });

  it('end when the pool is closed; what runs is left alone, and nothing is observed any more', async () => {
    await rig.run('true');
    const order = rig.start('echo $$ > pid; while [ ! -e go ]; do sleep 0.01; done; echo went > went; exit 9');
    const other = rig.start('true');
    await rig.ended(other.token);
    const [program] = await rig.processes('pid', 1);
    const seen = rig.observations.length;
    await rig.host.close();
    expect(living([program!])).toBe(1);
    rig.append('go', '');
    await until(() => rig.text('r1.journal').includes(`e ${order.token} 9;`));
    expect(rig.text('went')).toBe('went\n');
    await until(() => living(workerIdentities(rig)) === 0);
    expect(rig.observations).toHaveLength(seen);
  });

  it('come up without perl when perl is broken', async () => {
    const broken = join(rig.folder, 'bin');
    mkdirSync(broken);
    writeFileSync(join(broken, 'perl'), '#!/bin/sh\nexit 1\n');
    chmodSync(join(broken, 'perl'), 0o755);
    const other = new PoolRig({ environment: { PATH: `${broken}:/usr/bin:/bin` } });
    expect((await other.run('echo ran; exit 3')).end).toEqual(exited(3));
    expect((await other.run('exit 4')).end).toEqual(exited(4));
    expect(workers(other)).toBe(3);
    await other.close();
  });
});

it('100 MB of output and a line of 1 MB are read with bounded memory', async () => {
  const order = rig.start("yes 0123456789 | head -c 100000000; head -c 1000000 /dev/zero | tr '\\0' x; echo; exit 6");
  const before = process.memoryUsage().rss;
  let length = 0;
  let most = 0;
  const follow = followOutput(order.outputFile, (text) => {
    length += text.length;
    most = Math.max(most, process.memoryUsage.rss() - before);
  });
  expect(await rig.ended(order.token)).toEqual(exited(6));
  await follow.finish();
  expect(length).toBe(101_000_001);
  expect(most).toBeLessThan(100e6);
});

const workerIdentities = (of: PoolRig) =>
  [...of.text('r1.journal').matchAll(/^w (\d+) /gm)].flatMap(([, pid]) => identify(Number(pid)) ?? []);
const workers = (of: PoolRig): number => of.text('r1.journal').match(/^w /gm)?.length ?? 0;
