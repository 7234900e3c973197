// What Claude Code can do beside its hooks, in other places and after its end: no attempt has the tools for that.
import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { planOf, settingsOf } from './ends.ts';
import type { Script, ToolCall } from './models/model-server.ts';
import { AgentRig, kinds, speech } from './rig.ts';

/** A reviewer says its verdict, and everybody else writes a file. */
function calling(calls: readonly ToolCall[], results: string[]): Script {
  return ({ prompt, turn, results: given }) => {
    results.push(...given);
    const isReview = prompt.includes('# Review of');
    const all = isReview ? calls : [...calls, speech.claude.write('a.txt', 'made\n')];
    if (turn < all.length) return { text: '', tools: [all[turn]!] };
    return { text: isReview ? '{"verdict":"approved"}' : 'Done.' };
  };
}

const monitor = (command: string): ToolCall => ({
  name: 'Monitor',
  input: { command, description: 'watch', timeout_ms: 8000, persistent: false },
});

const cron = { cron: '* * * * *', prompt: 'go on', recurring: true, durable: true };
const script = "export const meta = { name: 'w', description: 'w' }\nawait agent('look', { isolation: 'worktree' })\n";
const others: readonly ToolCall[] = [
  { name: 'EnterWorktree', input: { name: 'side' } },
  { name: 'ExitWorktree', input: { action: 'keep' } },
  { name: 'ScheduleWakeup', input: { delaySeconds: 60, reason: 'later', prompt: 'go on' } },
  { name: 'CronCreate', input: cron },
  { name: 'CronList', input: {} },
  { name: 'CronDelete', input: { id: 'x' } },
  { name: 'Workflow', input: { script } },
  { name: 'ListAgents', input: {} },
  { name: 'SendMessage', input: { to: 'main', message: 'hello', summary: 'a greeting' } },
];

/** Makes the workspace a repository. */
function begin({ workspace: { folder } }: AgentRig) {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, encoding: 'utf8' });
  git('init', '-q', '-b', 'main');
  git('add', '-A');
  git('-c', 'user.name=t', '-c', 'user.email=t@t', 'commit', '-q', '-m', 'begin');
  return git;
}

describe.runIf(kinds.includes('claude'))('Claude Code', () => {
  it('has no second shell, where files of others are', async () => {
    const results: string[] = [];
    const files = {
      'plan.md': planOf('claude', 'retries: 0\nreview: agent\n'),
      'signalbox.yaml': 'review-agent: claude\naudit: fail\n',
      'hers.txt': 'hers\n',
    };
    const rig = await AgentRig.start(
      'claude',
      files,
      calling([monitor('echo mon > hers.txt; echo x > spoiled.txt')], results),
    );
    expect((await rig.run('lock', 'try', 'hers.txt', '--agent', 'ann')).code).toBe(0);
    const { code, completed, out, err } = await rig.run('run', 'plan.md', '--json');
    expect({ code, completed }, out + err).toEqual({ code: 0, completed: ['a'] });
    expect([rig.workspace.read('hers.txt'), rig.workspace.has('spoiled.txt')]).toEqual(['hers\n', false]);
    expect(results.filter((result) => result.includes('Monitor is disabled'))).toHaveLength(2);
    await rig.close();
  });

  it('works in no other tree and leaves nothing for later', async () => {
    const results: string[] = [];
    const rig = await AgentRig.start(
      'claude',
      { 'plan.md': planOf('claude', 'retries: 0\n') },
      calling(others, results),
    );
    const git = begin(rig);
    const { code, out, err } = await rig.run('run', 'plan.md', '--json');
    expect(code, out + err).toBe(0);
    for (const { name } of others) expect(results.join('\n')).toContain(`No such tool available: ${name}.`);
    expect([rig.workspace.has('.claude'), git('branch', '--list', 'worktree-*')]).toEqual([false, '']);
    await rig.close();
  });

  it('does without what the person forbids, too', async () => {
    const results: string[] = [];
    const calls = [monitor('echo x > b.txt'), speech.claude.shell('echo x > c.txt')];
    const files = {
      'plan.md': planOf('claude', 'retries: 0\n'),
      'signalbox.yaml': settingsOf('claude', ['--disallowedTools', 'Bash']),
    };
    const rig = await AgentRig.start('claude', files, calling(calls, results));
    const { code, out, err } = await rig.run('run', 'plan.md', '--json');
    expect(code, out + err).toBe(0);
    expect([rig.workspace.has('b.txt'), rig.workspace.has('c.txt')], results.join('\n')).toEqual([false, false]);
    await rig.close();
  });

  it.each(['enforced', 'advisory'])('gives a subagent no tree of its own, with locks %s', async (locks) => {
    const results: string[] = [];
    const task = { description: 'look', prompt: 'Look around.', isolation: 'worktree' };
    const calls = [{ name: 'Agent', input: { ...task, subagent_type: 'general-purpose' } }];
    const files = { 'plan.md': planOf('claude', 'retries: 0\n'), 'signalbox.yaml': `locks: ${locks}\n` };
    const rig = await AgentRig.start('claude', files, calling(calls, results));
    const git = begin(rig);
    const { code, out, err } = await rig.run('run', 'plan.md', '--json');
    expect(code, out + err).toBe(0);
    const refusal = locks === 'enforced' ? 'call it without "isolation"' : 'an attempt of Signalbox makes no worktrees';
    expect(results[0]).toContain(refusal);
    expect([rig.workspace.has('.claude'), git('branch', '--list', 'worktree-*')]).toEqual([false, '']);
    await rig.close();
  });
});
