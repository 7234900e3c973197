// Budgets of Claude Code: what it is told to keep to, and what becomes of the task and of the run when it has reached that.
import { describe, expect, it } from 'vitest';
import { works } from './ends.ts';
import { AgentRig, kinds, speech, taskIn } from './rig.ts';

const { shell, write } = speech.claude;
const two = (keys: string, own = '') =>
  `---\nagent: claude\nmax-parallel: 1\nretries: 0\n${keys}---\n# Two\n\n- [ ] a: Write a.txt\n${own}- [ ] b: Write b.txt\n`;
/** It would go on for ever. */
const spends = () => ({ text: 'again', tools: [shell('true')] });
const settings = (usd: string) => `agents:\n  claude: { budget-usd: ${usd} }\n`;

describe.runIf(kinds.includes('claude'))('Claude Code and budget-usd', () => {
  it('of an attempt: it stops there, and the attempt has failed', async () => {
    const rig = await AgentRig.start('claude', { 'plan.md': two(''), 'signalbox.yaml': settings('0.0001') }, spends);
    const { code, ends, failures, out, err } = await rig.run('run', 'plan.md', '--json');
    expect(code, `${out}\n${err}`).toBe(1);
    expect(ends.map(({ evidence }) => evidence.agent.class)).toEqual(['budget', 'budget']);
    for (const { evidence } of ends) expect(evidence.agent.costUsd).toBeGreaterThan(0.0001);
    expect(failures.a).toMatchObject({ kind: 'agent', class: 'budget' });
    await rig.close();
  });

  it('of a run: it stops at what is left, nothing has failed, and the next run goes on', async () => {
    let isRich = false;
    // The next run goes on in the conversation of the first, so its turns do not tell what is left to do.
    const made = new Set<string>();
    const rig = await AgentRig.start('claude', { 'plan.md': two('budget-usd: 0.0001\n') }, (conversation) => {
      if (!isRich) return spends();
      const file = `${taskIn(conversation)}.txt`;
      if (made.has(file)) return { text: 'Wrote it.' };
      made.add(file);
      return { text: '', tools: [write(file, 'made\n')] };
    });
    const { code, ends, failures, json, lines, out, err } = await rig.run('run', 'plan.md', '--json');
    expect(code, `${out}\n${err}`).toBe(6);
    expect(ends.map(({ evidence }) => evidence.agent.class)).toEqual(['budget']);
    expect(failures).toEqual({});
    expect(lines.filter(({ type }) => type === 'retry-scheduled')).toMatchObject([{ task: 'a', because: 'budget' }]);
    expect(json).toMatchObject({ pausedBy: 'budget', budgets: [{ budgetUsd: 0.0001, tasks: 2 }] });
    isRich = true;
    const next = await rig.run('run', 'plan.md', '--json', '--budget-usd', '5');
    expect(next.code, `${next.out}\n${next.err}`).toBe(0);
    expect(next.completed).toEqual(['a', 'b']);
    await rig.close();
  });

  it('of a task: it stops at what is left, and the others go on', async () => {
    const files = { 'plan.md': two('', '  - budget-usd: 0.0001\n') };
    const rig = await AgentRig.start('claude', files, (conversation) => {
      if (taskIn(conversation) === 'a') return spends();
      return conversation.turn === 0 ? { text: '', tools: [write('b.txt', 'made\n')] } : { text: 'Wrote it.' };
    });
    const { code, completed, failures, json, out, err } = await rig.run('run', 'plan.md', '--json');
    expect(code, `${out}\n${err}`).toBe(6);
    expect([completed, failures]).toEqual([['b'], {}]);
    expect(json.budgets).toMatchObject([{ task: 'a', budgetUsd: 0.0001 }]);
    await rig.close();
  });

  it('in a review: its answer is read from its last message, and its cost is charged', async () => {
    const files = {
      'plan.md': '---\nagent: claude\nreview: agent\n---\n# One\n\n- [ ] a: Write a.txt\n',
      'signalbox.yaml': 'review-agent: claude\n',
    };
    const rig = await AgentRig.start('claude', files, (conversation) => {
      if (!/"verdict"/.test(conversation.prompt)) return works('claude')(conversation);
      return conversation.turn === 0
        ? { text: 'Looking.', tools: [shell('cat a.txt')] }
        : { text: '{"verdict":"approved"}' };
    });
    const { code, ends, json, lines, out, err } = await rig.run('run', 'plan.md', '--json');
    expect(code, `${out}\n${err}`).toBe(0);
    const reviews = lines.filter(({ type }) => type === 'review-ended');
    expect(reviews).toMatchObject([{ result: 'approved', agent: { class: 'done', costUsd: expect.any(Number) } }]);
    expect(json.cost.usd).toBeCloseTo(ends[0].evidence.agent.costUsd + reviews[0].agent.costUsd, 9);
    await rig.close();
  });
});
