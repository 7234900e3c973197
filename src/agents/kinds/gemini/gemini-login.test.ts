// Which login Gemini CLI would use, and when that is said.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { consumerLogin } from './gemini-login.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'signalbox-test-'));
  mkdirSync(join(home, '.gemini'));
});
afterEach(() => rmSync(home, { recursive: true }));

const agent = { kind: 'gemini', command: [], args: [], env: {}, line: 1 };
const personal = '{"security":{"auth":{"selectedType":"oauth-personal"}}}';

it.each<[string, Record<string, string>, Partial<typeof agent>, Record<string, string>, boolean]>([
  ['nobody is logged in', {}, {}, {}, false],
  ['a consumer login', { 'settings.json': personal }, {}, {}, true],
  ['as older versions write it', { 'settings.json': '{"selectedAuthType":"oauth-personal"}' }, {}, {}, true],
  ['a login, and no choice', { 'oauth_creds.json': '{}' }, {}, {}, true],
  ['a login, and settings with comments', { 'oauth_creds.json': '{}', 'settings.json': '// hi\n{}' }, {}, {}, true],
  [
    'a key was chosen',
    { 'oauth_creds.json': '{}', 'settings.json': personal.replace('oauth-personal', 'gemini-api-key') },
    {},
    {},
    false,
  ],
  ['a key', { 'settings.json': personal }, {}, { GEMINI_API_KEY: 'k' }, false],
  ['an empty key', { 'settings.json': personal }, {}, { GEMINI_API_KEY: '' }, true],
  ['a key of the agent', { 'settings.json': personal }, { env: { GEMINI_API_KEY: 'k' } }, {}, false],
  ['an enterprise login', { 'settings.json': personal }, {}, { GOOGLE_CLOUD_PROJECT: 'p' }, false],
  [
    'a program in front of it',
    { 'settings.json': personal },
    { command: ['./wrapper', 'gemini'] as never[] },
    {},
    false,
  ],
])('%s', (_, files, more, environment, isSaid) => {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(home, '.gemini', name), text);
  expect(consumerLogin({ ...agent, ...more }, { HOME: home, ...environment }) !== null).toBe(isSaid);
});

it('says what to set', () => {
  writeFileSync(join(home, '.gemini/settings.json'), personal);
  expect(consumerLogin({ ...agent, env: { GEMINI_CLI_HOME: home } }, {})).toMatchObject({
    because: expect.stringContaining('no longer works with consumer accounts'),
    help: expect.stringContaining('GEMINI_API_KEY'),
  });
});
