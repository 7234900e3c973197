// A plan of six tasks with needs, files and checks, from the first start to the last commit of the log, by each kind of agent.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { AgentRig, kinds, speech, taskIn } from './rig.ts';

const plan = (agent: string) => `---
agent: ${agent}
max-parallel: 2
retries: 0
---
# Six

- [ ] a: Write the first file
  - files: a.txt
  - check: test -s a.txt
- [ ] b: Write the second file
  - files: b.txt
- [ ] c: Write the third file → a
  - files: c.txt
  - check: grep -q "made by c" c.txt
- [ ] d: Write the fourth file → a, b
  - files: d.txt
- [ ] e: Write the fifth file → c
  - files: e.txt
- [ ] f: Write the last file → d, e
  - files: f.txt
  - check: cat a.txt b.txt c.txt d.txt e.txt f.txt
`;

describe.each(kinds)('six tasks by %s', (kind) => {
  it('are completed, each by one attempt that says how it went', async () => {
    const { write, shell, files } = speech[kind];
    const rig = await AgentRig.start(kind, { 'plan.md': plan(kind) }, (conversation) => {
      const task = taskIn(conversation);
      if (conversation.turn === 0) return { text: 'I write it.', tools: [write(`${task}.txt`, `made by ${task}\n`)] };
      if (conversation.turn === 1) return { text: '', tools: [shell(`cat ${task}.txt`)] };
      return { text: `Wrote ${task}.txt: ${conversation.results.join(' ').includes(`made by ${task}`)}` };
    });
    const { code, ends, completed, failures, out, err } = await rig.run('run', 'plan.md', '--json');
    expect({ code, failures }, `${out}\n${err}`).toEqual({ code: 0, failures: {} });
    expect([...completed].sort()).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
    expect(ends).toHaveLength(6);
    const sessions = new Set<string>();
    for (const { task, end, evidence } of ends) {
      expect(end).toEqual({ kind: 'exited', code: 0 });
      const { agent } = evidence;
      expect(agent).toMatchObject({ class: 'done', said: `Wrote ${task}.txt: true`, writes: [`${task}.txt`] });
      expect(evidence).toMatchObject({ output: true, changed: true, toolCalls: 2 });
      const [{ input, cached, output }] = agent.usage;
      expect({ input: input + (kind === 'claude' ? 0 : cached), cached, output }).toEqual({
        input: 300,
        cached: 30,
        output: 60,
      });
      expect(agent.costUsd === undefined).toBe(kind === 'codex' || kind === 'gemini');
      sessions.add(agent.session);
      expect(rig.workspace.read(`${task}.txt`)).toBe(`made by ${task}\n`);
    }
    expect(sessions.size).toBe(6);
    expect(rig.processes()).toEqual([]);
    for (const [name, text] of Object.entries(files(rig.model.url))) {
      expect(readFileSync(join(rig.home, name), 'utf8'), `${name} of the person`).toBe(text);
    }
  });
});
