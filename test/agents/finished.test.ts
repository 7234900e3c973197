// An agent that has said its last word and does not end: it is ended, and judged by what it said. Takes a minute, which is how long it gets.
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { works } from './ends.ts';
import { AgentRig, kinds } from './rig.ts';

describe.runIf(kinds.includes('claude'))('Claude Code that does not end', () => {
  it('is ended after a minute of silence, and its task is completed', async () => {
    const files = {
      'plan.md': '---\nagent: wrapped\nretries: 0\n---\n# One\n\n- [ ] a: Write a.txt\n',
      'signalbox.yaml': 'agents:\n  wrapped: { kind: claude, command: ./wrapper }\n',
      wrapper: '#!/bin/sh\nclaude "$@"\ntest "$1" = --version || exec sleep 600\n',
    };
    const rig = await AgentRig.start('claude', files, works('claude'));
    chmodSync(join(rig.workspace.folder, 'wrapper'), 0o755);
    const { code, completed, lines, out, err } = await rig.run('run', 'plan.md', '--json');
    expect({ code, completed }, out + err).toEqual({ code: 0, completed: ['a'] });
    expect(lines.find(({ type }) => type === 'attempt-doomed')).toMatchObject({ doom: { kind: 'finished' } });
    expect(rig.processes()).toEqual([]);
    await rig.close();
  });
});
