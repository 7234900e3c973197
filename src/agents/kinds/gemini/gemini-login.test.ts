// Which login Gemini CLI would use, and when that is said.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { consumerLogin, loginInstead } from './gemini-login.ts';

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

describe('what is selected instead, so that the key is used', () => {
  const google = { security: { auth: { selectedType: 'oauth-personal' } } };
  const chosen = { security: { auth: { selectedType: 'vertex-ai' } } };
  const key = { GEMINI_API_KEY: 'k' };
  it.each([
    ['a key before a consumer login', google, key, 'gemini-api-key'],
    ['as older versions write it', { selectedAuthType: 'oauth-personal' }, key, 'gemini-api-key'],
    ['a key, and nobody has chosen', {}, key, 'gemini-api-key'],
    ['an empty key', google, { GEMINI_API_KEY: '' }, null],
    ['a key for Vertex', google, { GOOGLE_API_KEY: 'k' }, 'vertex-ai'],
    ['Vertex', google, { GOOGLE_GENAI_USE_VERTEXAI: 'true', GOOGLE_CLOUD_PROJECT: 'p', ...key }, 'vertex-ai'],
    ['no Vertex', google, { GOOGLE_GENAI_USE_VERTEXAI: 'false' }, null],
    ['an enterprise login', google, { GOOGLE_CLOUD_PROJECT: 'p', ...key }, null],
    ['another choice', chosen, key, null],
    ['no key', google, {}, null],
  ])('%s', (_, settings, environment, wanted) => {
    expect(loginInstead(agent, environment, settings)).toBe(wanted);
    expect(loginInstead({ ...agent, env: environment as Record<string, string> }, {}, settings)).toBe(wanted);
  });
});

it('says what to set', () => {
  writeFileSync(join(home, '.gemini/settings.json'), personal);
  expect(consumerLogin({ ...agent, env: { GEMINI_CLI_HOME: home } }, {})).toMatchObject({
    because: expect.stringContaining('no longer works with consumer accounts'),
    help: expect.stringContaining('GEMINI_API_KEY'),
  });
});
