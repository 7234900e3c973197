// A real reviewer has no business in the files: what it tries to change is denied, and its answer counts all the same.
import { expect, it } from 'vitest';
import { works } from './ends.ts';
import { AgentRig, kinds, speech } from './rig.ts';

it.runIf(kinds.length > 0).each(kinds)('%s reviews and is denied its edit; its review counts', async (kind) => {
  const files = {
    'plan.md': `---\nagent: ${kind}\nreview: agent\nretries: 0\n---\n# One\n\n- [ ] a: Write a.txt\n`,
    'signalbox.yaml': `review-agent: ${kind}\n`,
  };
  const answers: string[] = [];
  const rig = await AgentRig.start(kind, files, (conversation) => {
    if (!conversation.prompt.includes('# Review of a#1')) return works(kind)(conversation);
    answers.push(...conversation.results);
    return conversation.turn === 0
      ? { text: '', tools: [speech[kind].write('b.txt', 'spoiled\n')] }
      : { text: '{"verdict":"approved"}' };
  });
  const { code, completed, lines, out, err } = await rig.run('run', 'plan.md', '--json');
  expect(code, `${out}\n${err}`).toBe(0);
  expect(completed).toEqual(['a']);
  expect(answers).toEqual([expect.stringMatching(/review/i)]);
  expect(rig.workspace.has('b.txt')).toBe(false);
  expect(rig.workspace.read('a.txt')).toBe('made\n');
  const reviews = lines.filter(({ type }) => type === 'review-ended');
  expect(reviews).toMatchObject([{ by: kind, result: 'approved', agent: { class: 'done' } }]);
  await rig.close();
});
