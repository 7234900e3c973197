import { describe, expect, it } from 'vitest';
import { kindOf } from '../../agents/kind.ts';
import type { AgentEvent } from '../../agents/stream/agent-event.ts';
import { HookProof } from './hook-proof.ts';

const called = (tool: string, id = '1'): AgentEvent => ({ type: 'called', id, tool, input: {} });
const command = (tool = 'Bash', id = '1'): AgentEvent => ({ type: 'called', id, tool, input: {}, isShell: true });
const returned = (ok: boolean, id = '1', ran?: boolean): AgentEvent => ({
  type: 'returned',
  id,
  ok,
  text: '',
  ...(ran === undefined ? {} : { ran }),
});
const denied = (tool: string): AgentEvent => ({ type: 'denied', tool });

/** Which event, counted from 1, shows that the hooks are missing; 0: none. `end`: so does that it says it is done. */
function missingAt(kind: string, isSeen: boolean, events: readonly AgentEvent[]): number | 'end' {
  const proof = new HookProof(kindOf({ kind })!.hooks!, () => isSeen);
  const at = events.map((event) => proof.isMissing(event)).indexOf(true) + 1;
  expect(proof.hasFailed(false)).toBe(at > 0);
  return at === 0 && proof.hasFailed(true) ? 'end' : at;
}

describe('the proof that hooks fire', () => {
  it.each<[string, string, boolean, AgentEvent[], number | 'end']>([
    ['the first call that succeeded did not reach us', 'claude', false, [called('Read'), returned(true)], 2],
    ['it did', 'claude', true, [called('Read'), returned(true)], 0],
    ['nothing was called', 'claude', false, [{ type: 'said', text: 'hello' }], 0],
    ['an edit that failed may never have come to its hook', 'claude', false, [called('Edit'), returned(false)], 0],
    [
      'the one after it must have',
      'claude',
      false,
      [called('Edit'), returned(false), called('Edit', '2'), returned(true, '2')],
      4,
    ],
    ['a call that nobody began proves nothing', 'claude', false, [returned(true)], 0],
    ['Codex has no hook for a search', 'codex', false, [called('web_search'), returned(true)], 0],
    ['and one for commands', 'codex', false, [called('command'), returned(true)], 2],
    ['a command that failed did run', 'claude', false, [command(), returned(false, '1', true)], 2],
    ['and reached us', 'claude', true, [command(), returned(false, '1', true)], 0],
    ['a command that was refused did not run', 'claude', false, [command(), returned(false, '1', false)], 0],
    ['one that the permissions forbid did not', 'claude', false, [command(), returned(false), denied('Bash')], 0],
    ['one that nobody knows about may have', 'claude', false, [command(), returned(false)], 'end'],
    ['and so may one of another tool', 'claude', false, [command(), returned(false), denied('Write')], 'end'],
    ['one that our hook denied has reached us', 'claude', true, [command(), returned(false)], 0],
    ['one that never returned may have run', 'codex', false, [command('command')], 'end'],
    ['unless it has no hook', 'codex', false, [command('other')], 0],
  ])('%s', (_, kind, isSeen, events, at) => {
    expect(missingAt(kind, isSeen, events)).toBe(at);
  });

  it('is told once', () => {
    const proof = new HookProof(kindOf({ kind: 'claude' })!.hooks!, () => false);
    const all = [called('Read'), returned(true), called('Read', '2'), returned(true, '2')];
    expect(all.map((event) => proof.isMissing(event))).toEqual([false, true, false, false]);
  });

  it('forgets no call because many were made before', () => {
    const proof = new HookProof(kindOf({ kind: 'claude' })!.hooks!, () => false);
    for (let i = 0; i < 2_000; i++) {
      proof.isMissing(called('Edit', `${i}`));
      proof.isMissing(returned(false, `${i}`));
    }
    proof.isMissing(command('Bash', 'x'));
    expect(proof.isMissing(returned(true, 'x'))).toBe(true);
  });
});
