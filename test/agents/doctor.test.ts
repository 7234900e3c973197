// `doctor` with the real programs: their versions, what their hooks do not cover, and that Codex runs commands here.
import { describe, expect, it } from 'vitest';
import { planOf } from './ends.ts';
import { programs } from './programs.ts';
import { AgentRig, kinds } from './rig.ts';

describe.each(kinds)('doctor and %s', (kind) => {
  it('finds the one that a plan names', async () => {
    let asked = 0;
    const rig = await AgentRig.start(kind, { 'plan.md': planOf(kind, '') }, () => {
      asked++;
      return { text: 'Hello.' };
    });
    await rig.run('set', 'plan.md');
    const { code, out } = await rig.run('doctor');
    expect(code, out).toBe(0);
    expect(out).toMatch(
      new RegExp(`✔ agent ${kind} \\(plan\\.md\\): .*${programs[kind].version.replaceAll('.', '\\.')}`),
    );
    expect(out).toContain(`✔ agent ${kind}: its edits take locks by themselves; not covered: tools of MCP servers`);
    expect(out.includes(`✔ agent ${kind}: it runs commands`)).toBe(kind === 'codex');
    // No model is needed for that.
    expect(asked).toBe(0);
  });
});
