// The effort of the settings reaches the model.
import { describe, expect, it } from 'vitest';
import { planOf, works } from './ends.ts';
import { AgentRig, kinds } from './rig.ts';

describe.each(['claude', 'codex'] as const)('%s', (kind) => {
  it.runIf(kinds.includes(kind))('is told how hard to think', async () => {
    const files = {
      'plan.md': planOf(kind, 'retries: 0\n'),
      'signalbox.yaml': `agents:\n  ${kind}: { effort: low }\n`,
    };
    const rig = await AgentRig.start(kind, files, works(kind));
    const { code, out, err } = await rig.run('run', 'plan.md', '--json');
    await rig.close();
    expect(code, `${out}\n${err}`).toBe(0);
    expect(JSON.stringify(rig.model.asked.map(({ body }) => body))).toContain('"effort":"low"');
  });
});
