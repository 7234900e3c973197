// `npm run test:agents` where the registry cannot be reached: a visible skip for a person, a failure for CI. No agent is driven here.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { folders } from '../../rigs/left-behind.ts';

it.each([
  ['a person', {}, 0],
  ['CI', { CI: '1' }, 1],
])('agents that cannot be installed, for %s', (_, env, status) => {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-test-'));
  folders.push(folder);
  const ended = spawnSync(process.execPath, ['test/agents/main.ts', 'claude', 'codex'], {
    encoding: 'utf8',
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      SIGNALBOX_TEST_AGENTS: join(folder, 'agents'),
      // Nobody listens there.
      npm_config_registry: 'http://127.0.0.1:9',
      npm_config_fetch_retries: '0',
      ...env,
    },
  });
  expect(ended.stderr).toMatch(/SKIPPED claude: [\s\S]*SKIPPED codex: @openai\/codex@.* could not be installed/);
  expect(ended.status).toBe(status);
});

it('is a failure in CI, and so is every other command that fails there', () => {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-test-'));
  folders.push(folder);
  // In the place of npm and npx: fails at the call with this number.
  const fake = '#!/bin/sh\necho "$CI $0 $*" >> "$CALLS"\ntest "$(wc -l < "$CALLS")" -ne "$FAILS"\n';
  for (const name of ['npm', 'npx']) writeFileSync(join(folder, name), fake, { mode: 0o755 });
  const calls = (fails: number) => {
    const CALLS = join(folder, `calls-${fails}`);
    const env = { PATH: `${folder}:${process.env.PATH}`, CALLS, FAILS: String(fails) };
    const { status } = spawnSync('.ci/run', { env });
    return { status, lines: readFileSync(CALLS, 'utf8').trim().split('\n') };
  };
  const all = calls(0);
  expect(all).toMatchObject({ status: 0, lines: { length: 6 } });
  expect(all.lines[4]).toBe(`1 ${folder}/npm run test:agents -- claude codex`);
  for (let fails = 1; fails <= 6; fails++) {
    const { status, lines } = calls(fails);
    expect([status, lines.length]).toEqual([1, fails]);
  }
});
