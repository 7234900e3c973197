// The table of opencode's ends: what it says, what is understood of it, and what becomes of the task.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fails, planOf, works } from './ends.ts';
import { AgentRig, kinds, reportOf } from './rig.ts';

describe.runIf(kinds.includes('opencode'))('opencode ends', () => {
  it('with a wrong key: fails at once, whatever tries are left', () => {
    const first = { status: 401, error: { error: { message: 'bad key' } } };
    const row = { name: 'key', first, class: 'authentication', said: /bad key/, exit: 1 } as const;
    return fails('opencode', row, 3, 1);
  });

  // It adds its `$schema` to a configuration that has none. With a folder of its own git and gh would miss theirs.
  it.fails('and has changed no file of the person', async () => {
    const rig = await AgentRig.start('opencode', { 'plan.md': planOf('opencode', 'retries: 0\n') }, works('opencode'));
    const file = join(rig.home, '.config/opencode/opencode.json');
    const { $schema: _, ...rest } = JSON.parse(readFileSync(file, 'utf8'));
    writeFileSync(file, JSON.stringify(rest));
    await rig.run('run', 'plan.md', '--json');
    const after = readFileSync(file, 'utf8');
    await rig.close();
    expect(after).toBe(JSON.stringify(rest));
  });

  it('not at all while its account is limited: only an idle timeout ends it', async () => {
    const keys = 'retries: 0\nidle-timeout: 30s\n';
    const rig = await AgentRig.start('opencode', { 'plan.md': planOf('opencode', keys) }, () => ({
      status: 429,
      error: { error: { message: 'slow down' } },
    }));
    const { code, failures, out, err } = reportOf(await rig.start('run', 'plan.md', '--json').ended);
    expect(code, `${out}\n${err}`).toBe(1);
    expect(failures.a.kind).toBe('idle');
    expect(rig.model.asked.length).toBeGreaterThan(1);
    expect(rig.processes()).toEqual([]);
  });
});
