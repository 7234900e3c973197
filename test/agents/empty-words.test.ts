// An agent's word is no evidence.
import { describe, expect, it } from 'vitest';
import { planOf } from './ends.ts';
import { AgentRig, kinds } from './rig.ts';

describe.each(kinds)('%s says that it is done', (kind) => {
  it('and did nothing: the task fails', async () => {
    const rig = await AgentRig.start(kind, { 'plan.md': planOf(kind, 'retries: 0\n') }, () => ({ text: 'I am done.' }));
    const { code, ends, failures, out, err } = await rig.run('run', 'plan.md', '--json');
    expect(code, `${out}\n${err}`).toBe(1);
    expect(ends).toMatchObject([{ end: { kind: 'exited', code: 0 }, evidence: { changed: false, toolCalls: 0 } }]);
    expect(ends[0].evidence.agent).toMatchObject({ class: 'done', said: 'I am done.' });
    expect(failures.a).toEqual({ kind: 'nothing-done', lacks: 'calls' });
    const again = await rig.run('run', 'plan.md', '--retry', 'a');
    expect(again.out).toMatch(
      /a +Write a\.txt +failed: ended without an error, but called no tool and changed nothing/,
    );
  });
});
