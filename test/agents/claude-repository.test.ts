// What Claude Code takes from the repository that it works in: what it is told there, but nothing that would run.
import { describe, expect, it } from 'vitest';
import { planOf, works } from './ends.ts';
import { AgentRig, kinds } from './rig.ts';

describe.runIf(kinds.includes('claude'))('Claude Code in a repository', () => {
  it('reads CLAUDE.md, and runs no hook of its settings', async () => {
    const hook = { type: 'command', command: 'touch hooked' };
    const hooks = { SessionStart: [{ hooks: [hook] }], PreToolUse: [{ matcher: '*', hooks: [hook] }] };
    const files = {
      'plan.md': planOf('claude', 'retries: 0\n'),
      'CLAUDE.md': 'Never say zyzzyva.\n',
      '.claude/settings.json': JSON.stringify({ hooks }),
    };
    const prompts: string[] = [];
    const rig = await AgentRig.start('claude', files, (conversation) => {
      prompts.push(conversation.prompt);
      return works('claude')(conversation);
    });
    const { code, out, err } = await rig.run('run', 'plan.md', '--json');
    expect(code, `${out}\n${err}`).toBe(0);
    expect(prompts[0]).toContain('Never say zyzzyva.');
    expect(rig.workspace.has('hooked')).toBe(false);
    await rig.close();
  });
});
