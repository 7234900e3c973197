// What is said about coding agents when a run starts.
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { begin, planOf } from '../../../test/scenario.ts';
import { limitsFor } from '../../core/model/defaults.ts';
import { emptySettings, type Settings } from '../../core/model/settings.ts';
import type { Workspace } from '../workspace.ts';
import { tellAgents, tellPools } from './agents-of-run.ts';

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

const opus = { a: { model: 'opus' }, b: { model: 'opus' }, c: { model: 'opus' }, d: { model: 'opus' } };

it.each<[string, Parameters<typeof planOf>[1], Settings['pools'], string[]]>([
  ['more tasks than a default lets run', { keys: opus }, undefined, ['pool opus: at most 1 of 3 tasks at once']],
  ['the plan says it', { keys: opus, pools: { opus: 1 } }, undefined, []],
  ['the settings say it', { keys: opus }, { opus: 1 }, []],
  ['a model without a pool', { keys: { a: { model: 'gpt' }, b: { model: 'gpt' } } }, undefined, []],
  ['as many as may run anyway', { keys: { a: { model: 'opus' } } }, undefined, []],
])('the default limit of a pool: %s', (_, options, pools, expected) => {
  const plan = planOf('a, b, c, +d', options);
  const settings = { ...emptySettings, ...(pools ? { pools } : {}) };
  const scenario = begin(plan, limitsFor(plan, settings));
  const lines: string[] = [];
  tellPools(scenario.plan, { workspace: { settings } as Workspace, tell: (text) => lines.push(text) });
  expect(lines.map((line) => line.replace(/, by default; "pools:" changes it$/, ''))).toEqual(expected);
});
