// What is said about coding agents when a run starts.
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { emptySettings } from '../../core/model/settings.ts';
import type { Workspace } from '../workspace.ts';
import { tellAgents } from './agents-of-run.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'signalbox-test-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

async function told(script: string, patienceMs = 60_000): Promise<string[]> {
  const program = join(folder, 'codex');
  writeFileSync(program, `#!/bin/sh\n${script}\n`);
  chmodSync(program, 0o755);
  const agents = { codex: { kind: 'codex', command: [program], args: [], env: {}, line: 1 } };
  const workspace = { root: folder, settings: { ...emptySettings, agents } } as unknown as Workspace;
  const lines: string[] = [];
  const tell = (text: string, kind: string) => lines.push(`${kind}: ${text.replace(program, 'PROGRAM')}`);
  await tellAgents(new Map([['codex', 1]]), 1, { workspace, env: { PATH: '/bin:/usr/bin' }, tell, patienceMs });
  return lines;
}

it.each<[string, string, string[]]>([
  ['the tried version', 'echo codex-cli 0.166.0', ['remark: agent codex: Codex 0.166.0 (PROGRAM) for 1 task']],
  [
    'another version',
    'echo codex-cli 0.1.2',
    [
      'remark: agent codex: Codex 0.1.2 (PROGRAM) for 1 task',
      'warning: Codex was tried with 0.166.0; with another version locks may not be enforced',
    ],
  ],
  [
    'no version',
    'exit 1',
    ['remark: agent codex: Codex, version unknown: it does not tell its version (PROGRAM) for 1 task'],
  ],
  ['odd words', 'echo hi', ['remark: agent codex: Codex, version unknown: it says hi (PROGRAM) for 1 task']],
])('%s', async (_, script, expected) => {
  expect(await told(script)).toEqual(expected);
});

it('a machine that is too busy to answer is not taken for another version', async () => {
  expect(await told('exec sleep 60', 100)).toEqual([
    'remark: agent codex: Codex, version unknown: no answer within 0.1 s (PROGRAM) for 1 task',
  ]);
});
