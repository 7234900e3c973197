import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it, test } from 'vitest';
import { programVersion, type VersionAnswer } from './program-version.ts';

const folder = mkdtempSync(join(tmpdir(), 'signalbox-version-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let made = 0;

function ask(script: string, timeoutMs?: number): Promise<VersionAnswer> {
  const program = join(folder, `p${++made}`);
  writeFileSync(program, script);
  chmodSync(program, 0o755);
  return programVersion({ program, env: { PATH: '/usr/bin:/bin' }, ...(timeoutMs === undefined ? {} : { timeoutMs }) });
}

test.each<[string, string, VersionAnswer]>([
  [
    'the first line that says something',
    '#!/bin/sh\necho; echo "tool 1.2"; echo more',
    { kind: 'version', text: 'tool 1.2' },
  ],
  ['on standard error too', '#!/bin/sh\necho v3 >&2', { kind: 'version', text: 'v3' }],
  [
    'behind a warning',
    '#!/bin/sh\necho "WARNING: proceeding, even though"; echo "codex-cli 0.166.0"',
    { kind: 'version', text: 'codex-cli 0.166.0' },
  ],
  [
    'behind a warning on standard error',
    '#!/bin/sh\necho "WARNING: see 1.2.3" >&2; echo "codex-cli 0.166.0"',
    { kind: 'version', text: 'codex-cli 0.166.0' },
  ],
  [
    'beside a longer number on standard error',
    '#!/bin/sh\necho "WARNING: see 1.2.3" >&2; echo "tool 1.2"',
    { kind: 'version', text: 'tool 1.2' },
  ],
  [
    'behind a warning with a number in it',
    '#!/bin/sh\necho "WARNING: 2 of 3.5 checks"; echo "codex-cli 0.166.0-beta.1"',
    { kind: 'version', text: 'codex-cli 0.166.0-beta.1' },
  ],
  [
    'a line that looks like none, where no other does',
    '#!/bin/sh\necho "WARNING" >&2; echo "built from source"',
    { kind: 'version', text: 'built from source' },
  ],
  ['nothing', '#!/bin/sh\n:', { kind: 'unknown', because: 'it does not tell its version' }],
  ['an error', '#!/bin/sh\necho usage; exit 2', { kind: 'unknown', because: 'it does not tell its version' }],
  ['pipes held open by a child', '#!/bin/sh\nsleep 60 & echo v4', { kind: 'version', text: 'v4' }],
  ['pipes held open by a child elsewhere', '#!/bin/sh\nsetsid sleep 5 & echo v5', { kind: 'version', text: 'v5' }],
  ['output closed before the end', '#!/bin/sh\necho v6; exec >&- 2>&-; sleep 0.1', { kind: 'version', text: 'v6' }],
])('%s', async (_, script, answer) => {
  expect(await ask(script)).toEqual(answer);
});

it('does not wait for ever', async () => {
  expect(await ask('#!/bin/sh\ntrap "" TERM; sleep 60', 100)).toEqual({
    kind: 'failed',
    because: 'no answer within 0.1 s',
  });
});

it('says why it cannot be started', async () => {
  expect(await ask('#!/no/such/interpreter\n')).toMatchObject({
    kind: 'failed',
    because: expect.stringContaining('ENOENT'),
  });
});

it('answers every time', async () => {
  const answers = await Promise.all(Array.from({ length: 40 }, () => ask('#!/bin/sh\necho v1')));
  expect(new Set(answers.map(({ kind }) => kind))).toEqual(new Set(['version']));
});
