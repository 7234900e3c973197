// The effort of the settings reaches the model.
import { expect, it } from 'vitest';
import { planOf, works } from './ends.ts';
import { AgentRig, kinds } from './rig.ts';

const able = kinds.filter((kind) => kind === 'claude' || kind === 'codex');

it.runIf(able.length > 0).each(able)('%s is told how hard to think', async (kind) => {
  const files = { 'plan.md': planOf(kind, 'retries: 0\n'), 'signalbox.yaml': `agents:\n  ${kind}: { effort: low }\n` };
  const rig = await AgentRig.start(kind, files, works(kind));
  const { code, out, err } = await rig.run('run', 'plan.md', '--json');
  await rig.close();
  expect(code, `${out}\n${err}`).toBe(0);
  expect(JSON.stringify(rig.model.asked.map(({ body }) => body))).toContain('"effort":"low"');
});
