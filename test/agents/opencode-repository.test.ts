// What opencode takes from the repository that it works in: what it is told there, but nothing that would run. And what the person has
// configured works as ever.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { planOf, works } from './ends.ts';
import { AgentRig, kinds } from './rig.ts';

const plugin = (mark: string, imported = '') =>
  `${imported}import { writeFileSync } from 'node:fs';\nexport const Mark = async () => { writeFileSync(${JSON.stringify(mark)}, ''); return {}; };\n`;
const agent = (description: string) => `---\ndescription: ${description}\nmode: subagent\n---\nHelp.\n`;

describe.runIf(kinds.includes('opencode'))('opencode in a repository', () => {
  it('reads AGENTS.md, and starts no plugin and no server from there', async () => {
    const files = {
      'plan.md': planOf('opencode', 'retries: 0\n'),
      'AGENTS.md': 'Never say zyzzyva.\n',
      '.opencode/plugin/theirs.ts': plugin('plugged'),
      '.opencode/agent/theirs.md': agent('From the repository'),
      'opencode.json': JSON.stringify({ mcp: { evil: { type: 'local', command: ['touch', 'served'] } } }),
    };
    const rig = await AgentRig.start('opencode', files, works('opencode'));
    const { code, ends, out, err } = await rig.run('run', 'plan.md', '--json');
    expect(code, `${out}\n${err}`).toBe(0);
    const asked = JSON.stringify(rig.model.asked[0]!.body);
    expect(asked.split('Never say zyzzyva.')).toHaveLength(2);
    expect(asked).not.toContain('From the repository');
    expect([rig.workspace.has('plugged'), rig.workspace.has('served')]).toEqual([false, false]);
    expect(ends[0].evidence.agent.loaded).toBeUndefined();
    await rig.close();
  });

  it('has the plugins, servers, agents and words of the person, and tells which', async () => {
    const rig = await AgentRig.start('opencode', { 'plan.md': planOf('opencode', 'retries: 0\n') }, works('opencode'));
    const config = join(rig.home, '.config/opencode');
    const put = (name: string, text: string) => {
      mkdirSync(dirname(join(config, name)), { recursive: true });
      writeFileSync(join(config, name), text);
    };
    put(
      'opencode.jsonc',
      JSON.stringify({
        mcp: { mine: { type: 'local', command: ['touch', 'served'] } },
        instructions: [join(config, 'rules.txt')],
      }),
    );
    put('plugin/mine.ts', plugin('plugged', `import 'helper';\n`));
    put('node_modules/helper/package.json', '{"name":"helper","version":"1.0.0","type":"module","main":"index.js"}');
    put('node_modules/helper/index.js', 'export {};\n');
    put('agent/mine.md', agent('Of the person'));
    put('AGENTS.md', 'Always say quux.\n');
    put('rules.txt', 'Never say xyzzy.\n');
    const run = await rig.start('run', 'plan.md').ended;
    expect(run.code, `${run.out}\n${run.err}`).toBe(0);
    expect(run.out).toContain('opencode works with what Signalbox did not give it: plugin mine.ts, MCP server mine');
    const asked = JSON.stringify(rig.model.asked[0]!.body);
    for (const words of ['Of the person', 'Always say quux.', 'Never say xyzzy.']) expect(asked).toContain(words);
    expect([rig.workspace.has('plugged'), rig.workspace.has('served')]).toEqual([true, true]);
    await rig.close();
  });
});
