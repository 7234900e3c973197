// Real coding agents write a plan: they look at the workspace, work in a copy of it, and are told what is wrong with their answer.
import { describe, expect, it } from 'vitest';
import { AgentRig, kinds, speech } from './rig.ts';

const bad = '# Bad\n\n- [ ] a: First → nowhere\n';
const good = (kind: string) =>
  `Here is the plan:\n\n\`\`\`markdown\n---\nagent: ${kind}\n---\n# Good\n\n- [ ] a: Write a.txt\n  - check: \`test -f a.txt\`\n\`\`\`\n`;

describe.each(kinds)('%s writes a plan', (kind) => {
  it('that is mended in the second round, and held until it is approved', async () => {
    const prompts: string[] = [];
    const seen: string[] = [];
    const rig = await AgentRig.start(kind, { 'here.txt': 'I am here\n' }, ({ turn, prompt, results }) => {
      if (turn === 0) {
        prompts.push(prompt);
        return { text: '', tools: [speech[kind].shell('cat here.txt; echo spoiled > here.txt; echo new > new.txt')] };
      }
      seen.push(...results);
      return { text: prompts.length === 1 ? bad : good(kind) };
    });
    const { code, json, out, err } = await rig.run('plan', 'make', 'a.txt', '--json');
    expect({ code, json }, out + err).toMatchObject({
      code: 0,
      json: { outcome: 'written', plan: 'plan.md', agent: kind, rounds: 2, tasks: 1, notes: [] },
    });
    // The copy is the same in all rounds.
    expect(seen).toEqual([expect.stringContaining('I am here'), expect.stringContaining('spoiled')]);
    expect(prompts[1]).toContain('[unknown-id]');
    expect(rig.workspace.read('here.txt')).toBe('I am here\n');
    expect([rig.workspace.has('new.txt'), rig.workspace.has('.signalbox')]).toEqual([false, false]);
    expect(rig.workspace.read('plan.md')).toContain(`agent: ${kind}\n---\n# Good\n`);
    expect((await rig.run('run', 'plan.md')).code).toBe(4);
    expect(rig.processes()).toEqual([]);
    await rig.close();
  });

  it('not, because its service refuses it: exit 1, with the reason', async () => {
    const rig = await AgentRig.start(kind, {}, () => ({ status: 401, error: { message: 'invalid key' } }));
    const { code, json, out, err } = await rig.run('plan', 'make', 'a.txt', '--json');
    expect({ code, json }, out + err).toMatchObject({
      code: 1,
      json: { outcome: 'failed', plan: null, failure: { kind: 'agent' } },
    });
    expect(rig.workspace.has('plan.md')).toBe(false);
    await rig.close();
  });
});
