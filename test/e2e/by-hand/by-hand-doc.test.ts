// docs/by-hand.md says what really happens: its session prints what it shows.
import { spawnSync } from 'node:child_process';
import { chmodSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { commandTable } from '../../../src/cli/table/command-table.ts';
import { handCommands } from '../../../src/cli/table/hand-commands.ts';
import { Workspace } from '../rig.ts';

const page = readFileSync('docs/by-hand.md', 'utf8');
const fence = (info: string) => {
  const [, body] = new RegExp(`^\`\`\`${info}\\n([^]*?)^\`\`\`$`, 'm').exec(page) ?? [];
  expect(body, info).toBeDefined();
  return body!;
};

const steady = (printed: string) => printed.replace(/hand-\d+/g, 'RUN').replace(/\b\d+(\.\d+)? (ms|s)\b/g, 'some time');

it('the session prints what is shown', () => {
  const w = new Workspace({
    'plan.md': fence('markdown plan'),
    'signalbox.yaml': '',
    'bin/signalbox': `#!/bin/sh\nexec "${process.execPath}" "${resolve('bin/signalbox.cjs')}" "$@"\n`,
  });
  chmodSync(join(w.folder, 'bin', 'signalbox'), 0o755);
  const env = {
    PATH: `${join(w.folder, 'bin')}:${process.env.PATH}`,
    HOME: process.env.HOME,
    SIGNALBOX_STATE: process.env.SIGNALBOX_STATE,
    USER: 'ann',
    NO_COLOR: '1',
  };
  const session = [...fence('console').matchAll(/^\$ (.*)\n([\s\S]*?)^exit (\d+)\n/gm)];
  expect(session.length).toBeGreaterThan(20);
  for (const [, typed, printed, exit] of session) {
    // In one stream, as on a terminal.
    const { stdout, status } = spawnSync('sh', ['-c', `exec 2>&1; ${typed}`], { cwd: w.folder, env, encoding: 'utf8' });
    const shown = steady(stdout).replaceAll(w.folder, 'WORKSPACE');
    expect([typed, shown, status]).toEqual([typed, steady(printed!), Number(exit)]);
  }
  const all = session.map(([, typed]) => typed).join('\n');
  for (const { name } of handCommands) expect(all).toContain(`signalbox ${name}`);
  expect(commandTable.map(({ name }) => name)).toContain('next');
});
