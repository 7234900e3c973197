// The real programs in a git repository: each works in a tree of its own without being asked to, is held there, goes on there in its
// conversation, and its work is merged.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { planOf } from './ends.ts';
import { AgentRig, kinds, speech } from './rig.ts';

const check = "check: 'grep -q second a.txt || { echo no second line; false; }'\n";

describe.each(kinds)('%s in a git repository', (kind) => {
  it('edits its own tree and no other, goes on there, and is merged', async () => {
    const { write, shell } = speech[kind];
    const results: string[] = [];
    const files = { 'plan.md': planOf(kind, `retries: 1\n${check}`), 'old.txt': 'old\n' };
    const rig = await AgentRig.start(kind, files, ({ turn, results: latest }) => {
      results.push(...latest);
      if (turn === 0) return { text: '', tools: [write('a.txt', 'first\n')] };
      if (turn === 1) return { text: '', tools: [write(join(rig.workspace.folder, 'outside.txt'), 'mine\n')] };
      if (turn === 2) return { text: 'My number is 4711.' };
      return turn === 3 ? { text: '', tools: [shell('echo second >> a.txt; cat a.txt')] } : { text: 'Done.' };
    });
    const { workspace, model } = rig;
    const git = (...args: string[]) => execFileSync('git', args, { cwd: workspace.folder, encoding: 'utf8' });
    git('init', '-q', '-b', 'main');
    git('add', '-A');
    git('-c', 'user.name=t', '-c', 'user.email=t@t', 'commit', '-q', '-m', 'begin');
    const { code, ends, lines, out, err } = await rig.run('run', 'plan.md', '--json');
    expect(code, `${out}\n${err}`).toBe(0);
    const { isolation } = lines.find(({ type }) => type === 'run-started')!;
    expect(isolation).toMatchObject({ branch: 'signalbox/plan', onto: 'main' });
    expect(git('show', 'signalbox/plan:a.txt')).toBe('first\nsecond\n');
    expect(lines.filter(({ type }) => type === 'merge-ended')).toMatchObject([{ attempt: 'a#2', result: 'merged' }]);

    // Gemini CLI stays in its folder by itself, before any hook is asked.
    const refusal = kind === 'gemini' ? 'Path not in workspace' : 'is in another checkout, where others work';
    expect(results.join('\n')).toContain(refusal);
    expect([workspace.has('outside.txt'), workspace.has('a.txt')]).toEqual([false, false]);
    expect(git('diff', '--stat', 'HEAD')).toBe('');
    expect(ends.map(({ evidence }) => evidence.incidents)).toEqual([undefined, undefined]);

    const [first, second] = ends.map(({ evidence }) => evidence.agent);
    expect(second).toMatchObject({ resumed: true, session: first.session, folder: first.folder });
    expect(first.folder).toBe(join(isolation.trees, 'tasks/a'));
    expect(JSON.stringify(model.asked.at(-1)!.body)).toContain('My number is 4711.');
    await rig.close();
  });
});
