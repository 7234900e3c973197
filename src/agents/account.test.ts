import { describe, expect, it } from 'vitest';
import { emptySettings, type Settings } from '../core/model/settings.ts';
import { accountsOf } from './account.ts';

const settings: Settings = {
  ...emptySettings,
  agents: {
    second: { kind: 'claude', command: [], args: [], env: { ANTHROPIC_API_KEY: 'other' }, line: 1 },
    tool: { kind: 'command', command: ['x'], args: [], env: {}, line: 1 },
  },
};

describe('the account of an agent', () => {
  it('is its kind and its credential, which is not in it', () => {
    const accounts = accountsOf(['claude', 'second', 'codex'], settings, { ANTHROPIC_API_KEY: 'secret-key' });
    expect(accounts.codex).toBe('codex login');
    expect(accounts.claude).toMatch(/^claude [0-9a-f]{8}$/);
    expect(accounts.second).toMatch(/^claude [0-9a-f]{8}$/);
    expect(accounts.second).not.toBe(accounts.claude);
    expect(JSON.stringify(accounts)).not.toMatch(/secret|other/);
  });

  it('is another one with a login in another folder', () => {
    const agent = (env: Record<string, string>) => ({ kind: 'codex', command: [], args: [], env, line: 1 });
    const agents = { same: agent({ CODEX_HOME: '/mine' }), work: agent({ CODEX_HOME: '/work' }) };
    const accounts = accountsOf(['codex', 'same', 'work'], { ...settings, agents }, { CODEX_HOME: '/mine' });
    expect(accounts).toMatchObject({ codex: 'codex login', same: 'codex login' });
    expect(accounts.work).toMatch(/^codex [0-9a-f]{8} login$/);
  });

  it('is none for other programs and for names that nobody has', () => {
    expect(accountsOf(['tool', 'nobody', 'toString'], settings, {})).toEqual({});
  });
});
