// The second plan of README, as it stands, and with its second line changed for Codex.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { AgentRig, kinds, speech, taskIn } from './rig.ts';

const example = readFileSync('examples/agents.md', 'utf8');
const poems: Readonly<Record<string, string>> = {
  haiku: 'Red arm against dawn\nthe night train holds its long breath\nthen green, and the hills\n',
  limerick: 'A man\nin a box\nhad clocks\nand locks\nand a plan\n',
};

const plans = { claude: example, codex: example.replace(/\n.*\n/, '\nagent: codex\n') };

describe.each(['claude', 'codex'] as const)('examples/agents.md with %s', (kind) => {
  it.runIf(kinds.includes(kind))('is completed in a clone: two poems, and a verdict about them', async () => {
    const { write, shell } = speech[kind];
    const plan = 'examples/agents.md';
    const rig = await AgentRig.start(kind, { [plan]: plans[kind] }, (conversation) => {
      const poem = poems[taskIn(conversation)];
      if (poem !== undefined)
        return conversation.turn === 0
          ? { text: '', tools: [write(`${taskIn(conversation)}.txt`, poem)] }
          : { text: 'Done.' };
      if (conversation.turn === 0) return { text: '', tools: [shell('cat haiku.txt limerick.txt')] };
      return { text: `The one with ${/green, and the hills|clocks/.exec(conversation.results.join())?.[0]}.` };
    });
    const git = (...args: string[]) => execFileSync('git', args, { cwd: rig.workspace.folder, encoding: 'utf8' });
    git('init', '-q', '-b', 'main');
    git('add', '-A');
    git('-c', 'user.name=t', '-c', 'user.email=t@t', 'commit', '-q', '-m', 'begin');
    const { code, completed, failures, ends, out, err } = await rig.run('run', plan, '--json');
    expect({ code, failures }, `${out}\n${err}`).toEqual({ code: 0, failures: {} });
    expect([...completed].sort()).toEqual(['haiku', 'limerick', 'verdict']);
    expect(ends.map(({ evidence }) => evidence.agent.by)).toEqual([kind, kind, kind]);
    for (const [name, text] of Object.entries(poems)) expect(git('show', `signalbox/agents:${name}.txt`)).toBe(text);
    expect((await rig.run('read-findings', 'verdict')).out).toContain('The one with green, and the hills.');
    await rig.close();
  });
});
