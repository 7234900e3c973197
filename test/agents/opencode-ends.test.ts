// The table of opencode's ends: what it says, what is understood of it, and what becomes of the task.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fails, planOf, works } from './ends.ts';
import { AgentRig, kinds, speech } from './rig.ts';

describe.runIf(kinds.includes('opencode'))('opencode ends', () => {
  it('with a wrong key: fails at once, whatever tries are left', () => {
    const first = { status: 401, error: { error: { message: 'bad key' } } };
    const row = { name: 'key', first, class: 'authentication', said: /bad key/, exit: 1 } as const;
    return fails('opencode', row, 3, 1);
  });

  it('well, whatever the person leaves to be asked, in a subagent too', async () => {
    const files = {
      'plan.md': planOf('opencode', 'retries: 0\nidle-timeout: 60s\n'),
      '.env': 'KEY=1\n',
      'notes.txt': 'hello\n',
      'opencode.json': JSON.stringify({ permission: { '*': 'ask', read: { '*': 'ask' }, 'db_*': 'ask' } }),
    };
    const tools = (...named: readonly [string, object][]) => named.map(([name, input]) => ({ name, input }));
    const read = (name: string) => ['read', { filePath: join(rig.workspace.folder, name) }] as [string, object];
    const task: [string, object] = [
      'task',
      { description: 'look', prompt: 'Look at the secrets.', subagent_type: 'general' },
    ];
    const returned: string[] = [];
    const rig = await AgentRig.start('opencode', files, ({ prompt, turn, results }) => {
      returned.push(...results);
      const isMain = prompt.includes('This is task a of');
      if (turn === 0) return { text: '', tools: isMain ? tools(read('notes.txt'), task) : tools(read('.env')) };
      if (!isMain || turn > 1) return { text: 'Done.' };
      return { text: '', tools: [speech.opencode.write('a.txt', 'made\n')] };
    });
    const { code, ends, out, err } = await rig.run('run', 'plan.md', '--json');
    await rig.close();
    expect(code, `${out}\n${err}`).toBe(0);
    expect(ends).toMatchObject([{ evidence: { agent: { class: 'done' } } }]);
    expect(returned.join('\n')).toContain('KEY=1');
    expect(returned.join('\n')).not.toContain('rejected');
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
    const rig = await AgentRig.start(
      'opencode',
      { 'plan.md': planOf('opencode', keys), 'signalbox.yaml': 'livelock: {silence: 1}\n' },
      () => ({
        status: 429,
        error: { error: { message: 'slow down' } },
      }),
    );
    const { code, out, err } = await rig.start('run', 'plan.md', '--json').ended;
    expect(code, `${out}\n${err}`).toBe(4);
    expect(out).toContain('"evidence":{"kind":"silence","times":1');
    expect(rig.model.asked.length).toBeGreaterThan(1);
    expect(rig.processes()).toEqual([]);
  });
});
