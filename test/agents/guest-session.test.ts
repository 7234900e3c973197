// A person's own Claude Code, with the hooks of a guest: the real program tells them what happens, and obeys them.
import { spawn } from 'node:child_process';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { AgentRig, kinds, speech } from './rig.ts';

const command = `${process.execPath} ${resolve('bin/signalbox.cjs')} hook claude --guest`;
const hooks = Object.fromEntries(
  ['SessionStart', 'PreToolUse', 'PostToolUse', 'SubagentStop', 'Stop', 'SessionEnd'].map((event) => [
    event,
    [{ ...(event.includes('Tool') ? { matcher: '*' } : {}), hooks: [{ type: 'command', command, timeout: 60 }] }],
  ]),
);

describe.runIf(kinds.includes('claude'))('a session of Claude Code', () => {
  const { write, shell } = speech.claude;

  it('is one guest in all its hooks and in its shell, and leaves no lock behind', async () => {
    const files = { 'plan.md': '- [ ] a: A\n', 'hooks.json': JSON.stringify({ hooks }) };
    const steps = [write('mine.txt', 'x\n'), write('.signalbox/x', 'x\n'), shell('echo "$SIGNALBOX_AGENT" > name.txt')];
    const results: string[] = [];
    const rig = await AgentRig.start('claude', files, (conversation) => {
      results.push(...conversation.results);
      const step = steps[conversation.turn];
      return step ? { text: '', tools: [step] } : { text: 'Done.' };
    });
    const { folder } = rig.workspace;
    await rig.run('set', 'plan.md');
    await rig.run('lock', 'try', 'hers.txt', '--agent', 'ann');
    const env = { ...rig.env, IS_SANDBOX: '1' };
    const args = ['-p', '--dangerously-skip-permissions', '--settings', join(folder, 'hooks.json'), 'Write it.'];
    const session = spawn('claude', args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] });
    let out = '';
    session.stdout.on('data', (text) => {
      out += text;
    });
    const code = await new Promise((done) => session.on('close', done));
    expect(code, out).toBe(0);
    const told = JSON.stringify(rig.model.asked.map(({ body }) => body));
    expect(told).toContain('Signalbox has a plan here, plan.md; it is not being run.');
    expect(results.join('\n')).toContain('What lies in .signalbox belongs to Signalbox');
    const name = `claude-${session.pid}`;
    expect(rig.workspace.read('name.txt')).toBe(`${name}\n`);
    const { lines } = await rig.run('events', '--json');
    const own = lines.filter(({ agent }) => agent === name).map(({ type, resource }) => `${type} ${resource}`);
    expect(own).toEqual(['lock-acquired mine.txt', 'lock-released mine.txt']);
  });
});
