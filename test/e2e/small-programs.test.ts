// Each small program performs its commands by itself, with and without settings: to start the whole program takes three times as long.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import type { CommandSpec } from '../../src/cli/command-spec.ts';
import { handCommands } from '../../src/cli/hand-commands.ts';
import { lockCommands } from '../../src/cli/lock-commands.ts';
import { lookCommands } from '../../src/cli/look-commands.ts';
import { statusCommands } from '../../src/cli/status-commands.ts';
import { Workspace } from './rig.ts';

/** The program as it is installed, but with nothing behind the small ones. */
const installed = mkdtempSync(join(tmpdir(), 'signalbox-small-'));
afterAll(() => rmSync(installed, { recursive: true, force: true }));
const handedOver = 99;
mkdirSync(join(installed, 'dist'));
cpSync('bin', join(installed, 'bin'), { recursive: true });
for (const name of readdirSync('dist').filter((file) => file.startsWith('quick-'))) {
  cpSync(join('dist', name), join(installed, 'dist', name));
}
writeFileSync(join(installed, 'package.json'), '{"type":"module"}');
writeFileSync(join(installed, 'dist/signalbox.js'), `process.exit(${handedOver});\n`);

function perform(w: Workspace, typed: string) {
  const args = [join(installed, 'bin/signalbox.cjs'), ...typed.split(' ')];
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: w.folder, encoding: 'utf8', input: 'Found.\n' });
  return { typed, status, stderr };
}

const plan = `tasks:\n${Array.from({ length: 120 }, (_, i) => `  t${i}: {run: "true"}`).join('\n')}\n`;
const typed = [
  ...['status', 'status --json', 'next', 'why t1', 'progress', 'plans', 'retryable', 'exhausted'],
  ...['lock try a.ts --agent ann', 'lock check b.ts', 'lock list', 'lock release a.ts --agent ann'],
  ...['lock wait b.ts --agent ann', 'lock release-all --agent ann'],
  ...['start-run', 'mark-started t1', 'mark-complete t1', 'mark-started t2', 'mark-failed t2 --error no'],
  ...['mark-skipped t3', 'write-findings t1', 'read-findings t1', 'detect-stuck', 'complete-run'],
  ...['sync-check', 'validate', 'set plan.yaml'],
];

it.each([
  ['without settings', {}],
  ['with settings', { 'signalbox.yaml': 'max-parallel: 3\nretries: 1\nquota: stop\n' }],
])('commands need nothing else %s', async (_, files) => {
  const w = new Workspace({ 'plan.yaml': plan, ...files });
  expect((await w.run('set', 'plan.yaml')).code).toBe(0);
  for (const line of typed) expect(perform(w, line)).toEqual({ typed: line, status: 0, stderr: '' });
});

it('what they do not have is handed over', () => {
  const w = new Workspace({ 'plan.yaml': plan });
  for (const line of ['status', 'status --help', 'lock', 'mark-started t1 --frce', 'set plan.yaml']) {
    expect(perform(w, line)).toMatchObject({ typed: line, status: line === 'status' ? 2 : handedOver });
  }
});

const firstWords = (table: readonly CommandSpec[]) => [...new Set(table.map(({ name }) => name.split(' ')[0]))];

it.each([
  ['looks', lookCommands],
  ['locks', lockCommands],
  ['hand', handCommands],
  ['files', statusCommands],
])('the launcher knows the commands of %s', (name, table) => {
  const [, words] = new RegExp(`^ {2}${name}:\\s*'([^']*)'`, 'm').exec(readFileSync('bin/signalbox.cjs', 'utf8'))!;
  expect(words!.split(' ').sort()).toEqual(firstWords(table).sort());
});
