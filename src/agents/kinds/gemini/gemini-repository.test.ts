import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { agentNamed, kindOf, type LaunchRequest } from '../../kind.ts';
import { emptied } from './gemini-repository.ts';

let home: string;
let workspace: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'signalbox-test-'));
  workspace = join(home, 'work/part');
  mkdirSync(workspace, { recursive: true });
});
afterEach(() => rmSync(home, { recursive: true }));

function put(name: string, text: string): void {
  mkdirSync(dirname(join(home, name)), { recursive: true });
  writeFileSync(join(home, name), text);
}
const names = () => Object.keys(emptied(workspace, home)!).sort();

describe('variables that a repository would set for Gemini CLI', () => {
  it('are those of the nearest file, in every way to write them, but not those of a login', () => {
    put('work/.gemini/.env', 'FAR=1');
    expect(names()).toEqual(['FAR']);
    put(
      'work/part/.gemini/.env',
      'A=1\r\n  export B = 2\nC: 3\n# D=4\nE\n=5\nF="\nG=6"\nGEMINI_API_KEY=k\na.b=1\n1x=1\n',
    );
    expect(names()).toEqual(['A', 'B', 'C', 'D', 'E', 'F', 'G']);
  });

  it('are none in the home: those are of the person', () => {
    put('.gemini/.env', 'MINE=1');
    expect(names()).toEqual([]);
  });

  it.each([
    ['without settings', null, []],
    ['with settings of other things', '{"ui":{}}', []],
    ['with settings that could read it', '{"advanced":{"ignoreLocalEnv":false}}', ['PLAIN']],
    ['with settings that nobody understands', '{', ['PLAIN']],
  ])('are in a plain file: %s', (_, settings, found) => {
    put('work/.env', 'PLAIN=1');
    if (settings !== null) put('work/part/.gemini/settings.json', settings);
    expect(names()).toEqual(found);
  });

  it.each([
    ['long', `A=${'x'.repeat(100_000)}`],
    ['many', Array.from({ length: 1001 }, (_, i) => `A${i}=1`).join('\n')],
  ])('are not emptied if they are too %s: the folder stays untrusted, and the program refuses it', (_, text) => {
    put('work/part/.gemini/.env', text);
    expect(emptied(workspace, home)).toBeNull();
    expect(launched({ HOME: home }).argv).not.toContain('--skip-trust');
  });

  it('leave alone what the agent gets anyway', () => {
    put(
      'work/part/.gemini/.env',
      'HOME=/x\nGOOGLE_GEMINI_BASE_URL=http://x\nNODE_OPTIONS=x\nGEMINI_CLI_TRUST_WORKSPACE=true\n',
    );
    const ours = { GEMINI_CLI_HOME: '/h', GEMINI_CLI_TRUST_WORKSPACE: 'false', NODE_OPTIONS: '' };
    const theirs = { HOME: home, NODE_OPTIONS: 'not handed on' };
    expect(launched(theirs).env).toEqual({ ...ours, GOOGLE_GEMINI_BASE_URL: '' });
    expect(launched({ ...theirs, GOOGLE_GEMINI_BASE_URL: 'http://127.0.0.1:9' }).env).toEqual(ours);
  });
});

function launched(environment: LaunchRequest['environment']) {
  const agent = agentNamed({ agents: {} } as never, 'gemini')!;
  return kindOf(agent)!.launch(agent, {
    ...{ task: 'a', attempt: 'a#1', promptFile: '/p', model: '', resume: null, workspace, home: '/h' },
    ...{ hook: null, server: null, environment, isRoot: false },
  });
}
