import { describe, expect, it } from 'vitest';
import { kindOf } from '../../agents/kind.ts';
import type { AgentEvent } from '../../agents/stream/agent-event.ts';
import { HookProof } from './hook-proof.ts';

const called = (tool: string, id = '1'): AgentEvent => ({ type: 'called', id, tool, input: {} });
const returned = (ok: boolean, id = '1'): AgentEvent => ({ type: 'returned', id, ok, text: '' });

/** Which event, counted from 1, shows that the hooks are missing; 0: none. */
function missingAt(kind: string, isSeen: boolean, ...events: AgentEvent[]): number {
  const proof = new HookProof(kindOf({ kind })!.hooks!, () => isSeen);
  const at = events.map((event) => proof.isMissing(event)).indexOf(true) + 1;
  expect(proof.hasFailed).toBe(at > 0);
  return at;
}

describe('the proof that hooks fire', () => {
  it.each([
    ['the first call that succeeded did not reach us', 'claude', false, [called('Read'), returned(true)], 2],
    ['it did', 'claude', true, [called('Read'), returned(true)], 0],
    ['nothing was called', 'claude', false, [{ type: 'said', text: 'hello' } as AgentEvent], 0],
    ['a call that failed may never have come to its hook', 'claude', false, [called('Edit'), returned(false)], 0],
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
  ] as const)('%s', (_, kind, isSeen, events, at) => {
    expect(missingAt(kind, isSeen, ...events)).toBe(at);
  });

  it('is told once', () => {
    const proof = new HookProof(kindOf({ kind: 'claude' })!.hooks!, () => false);
    const all = [called('Read'), returned(true), called('Read', '2'), returned(true, '2')];
    expect(all.map((event) => proof.isMissing(event))).toEqual([false, true, false, false]);
  });
});
