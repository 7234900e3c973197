// A real reviewer that goes round its hooks, or works without them. What it may not edit is in `reviewers.test.ts`.
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { works } from './ends.ts';
import type { Script } from './models/model-server.ts';
import { AgentRig, kinds, speech } from './rig.ts';

describe.runIf(kinds.includes('claude'))('Claude Code reviews', () => {
  const plan = '---\nagent: claude\nreview: agent\nretries: 0\n---\n# One\n\n- [ ] a: Write a.txt\n';
  const reviewing =
    (review: Script): Script =>
    (conversation) =>
      conversation.prompt.includes('# Review of a#1') ? review(conversation) : works('claude')(conversation);

  it('and changes files through the shell: its verdict is no review, and it gets no lock', async () => {
    const files = { 'plan.md': plan, 'signalbox.yaml': 'review-agent: claude\naudit: fail\n' };
    let reviews = 0;
    const rig = await AgentRig.start(
      'claude',
      files,
      reviewing(({ turn }) => {
        if (turn > 0) return { text: '{"verdict":"approved"}' };
        reviews++;
        return { text: '', tools: [speech.claude.shell(`echo ${reviews} > a.txt; echo ${reviews} > b.txt`)] };
      }),
    );
    const { code, completed, lines, out, err, failures } = await rig.run('run', 'plan.md', '--json');
    const problem = 'the reviewer changed a.txt and b.txt, and a reviewer changes no files';
    const ended = lines.filter(({ type }) => type === 'review-ended');
    expect(ended, `${out}\n${err}`).toMatchObject(Array(3).fill({ by: 'claude', result: 'unreadable', problem }));
    expect({ code, completed, failures }).toMatchObject({
      code: 1,
      completed: [],
      failures: { a: { kind: 'review', message: expect.stringContaining(problem) } },
    });
    expect(lines.filter(({ type, resource }) => type === 'lock-acquired' && resource === 'b.txt')).toEqual([]);
    await rig.close();
  });

  it('and undoes what its command wrote: its review counts', async () => {
    const files = { 'plan.md': plan, 'signalbox.yaml': 'review-agent: claude\n' };
    const command = 'cp a.txt kept; echo tried > a.txt; cp kept a.txt; rm kept; cat a.txt';
    const rig = await AgentRig.start(
      'claude',
      files,
      reviewing(({ turn }) =>
        turn === 0 ? { text: '', tools: [speech.claude.shell(command)] } : { text: '{"verdict":"approved"}' },
      ),
    );
    const { code, completed, out, err } = await rig.run('run', 'plan.md', '--json');
    expect({ code, completed }, `${out}\n${err}`).toEqual({ code: 0, completed: ['a'] });
    await rig.close();
  });

  it('without its hooks: it is stopped, and that is no review', async () => {
    const wrapper =
      '#!/bin/sh\nfor word do shift; case "$word" in --settings) skip=1;; *) [ -n "$skip" ] && skip= || set -- "$@" "$word";; esac; done\nexec claude "$@"\n';
    const settings = 'review-agent: wrapped\nagents:\n  wrapped: { kind: claude, command: ./wrapper }\n';
    const rig = await AgentRig.start(
      'claude',
      { 'plan.md': plan, 'signalbox.yaml': settings, wrapper },
      reviewing(({ turn }) =>
        turn === 0 ? { text: '', tools: [speech.claude.shell('ls')] } : { text: '{"verdict":"approved"}' },
      ),
    );
    chmodSync(join(rig.workspace.folder, 'wrapper'), 0o755);
    const { code, lines, out, err } = await rig.run('run', 'plan.md', '--json');
    expect(code, `${out}\n${err}`).toBe(1);
    const ended = lines.filter(({ type }) => type === 'review-ended');
    const problem = expect.stringContaining('its hooks did not reach Signalbox');
    expect(ended).toMatchObject(Array(3).fill({ result: 'unreadable', problem }));
    await rig.close();
  });
});
