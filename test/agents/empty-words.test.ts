// An agent's word is no evidence.
import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import type { Started } from '../e2e/rig.ts';
import { planOf } from './ends.ts';
import { AgentRig, kinds, reportOf, speech, taskIn } from './rig.ts';

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

  it('while another agent works in the same folder: the change of the other is not its own', async () => {
    const plan = `---\nagent: ${kind}\nretries: 0\n---\n# Two\n\n- [ ] a: Write a.txt\n  - files: a.txt\n- [ ] b: Write b.txt\n  - files: b.txt\n`;
    let hasWritten: () => void;
    const written = new Promise<void>((resolve) => {
      hasWritten = resolve;
    });
    const rig = await AgentRig.start(kind, { 'plan.md': plan }, async (conversation) => {
      if (taskIn(conversation) === 'b') {
        if (conversation.turn === 0) return { text: '', tools: [speech[kind].write('b.txt', 'b\n')] };
        hasWritten();
        return { text: 'Wrote b.txt.' };
      }
      await written;
      return { text: 'All done.' };
    });
    const { code, completed, ends, failures, out, err } = await rig.run('run', 'plan.md', '--json');
    expect({ code, completed, failures }, `${out}\n${err}`).toEqual({
      code: 1,
      completed: ['b'],
      failures: { a: { kind: 'nothing-done', lacks: 'calls' } },
    });
    expect(ends.find(({ task }) => task === 'a')?.evidence).toMatchObject({ changed: false, toolCalls: 0 });
    expect(rig.workspace.has('a.txt')).toBe(false);
  });

  it('while a command writes there', async () => {
    const plan = `# Two\n\n- [ ] a: Write a.txt\n  - agent: ${kind}\n  - retries: 0\n- [ ] r: Plain\n  - run: until test -e up; do sleep 0.1; done; echo r > r.txt\n`;
    let run: Started | undefined;
    const rig = await AgentRig.start(kind, { 'plan.md': plan }, async () => {
      rig.workspace.write('up', '');
      await run!.line(({ type, task }) => type === 'task-completed' && task === 'r');
      return { text: 'All done.' };
    });
    run = rig.start('run', 'plan.md', '--json');
    const { code, completed, failures, out, err } = reportOf(await run.ended);
    expect({ code, completed, failures }, `${out}\n${err}`).toEqual({
      code: 1,
      completed: ['r'],
      failures: { a: { kind: 'nothing-done', lacks: 'calls' } },
    });
  });
});

describe.runIf(kinds.includes('opencode'))('opencode says that it is done', () => {
  const trusting = `agents:\n  opencode: { env: { OPENCODE_DISABLE_PROJECT_CONFIG: "0" } }\n`;

  it.each([
    ['with git, and reads no configuration of the repository', true, ''],
    ['with git', true, trusting],
    ['without git', false, trusting],
  ])('%s, and only what the program itself left in the repository is new', async (_, isGit, settings) => {
    const files = {
      'plan.md': planOf('opencode', 'retries: 0\nisolation: shared\n'),
      'signalbox.yaml': settings,
      '.opencode/agent/helper.md': '---\ndescription: Helps\nmode: subagent\n---\nHelp.\n',
    };
    const rig = await AgentRig.start('opencode', files, ({ turn }) =>
      turn === 0 ? { text: '', tools: [speech.opencode.shell('ls')] } : { text: 'All done.' },
    );
    if (isGit) for (const args of commits) execFileSync('git', args, { cwd: rig.workspace.folder });
    const { code, ends, failures, out, err } = await rig.run('run', 'plan.md', '--json');
    expect({ code, failures }, `${out}\n${err}`).toEqual({
      code: 1,
      failures: { a: { kind: 'nothing-done', lacks: 'change' } },
    });
    expect(ends[0].evidence).toMatchObject({ changed: false, toolCalls: 1 });
    expect(ends[0].evidence.audit).toBeUndefined();
    expect(rig.workspace.has('.opencode/.gitignore')).toBe(settings !== '');
    await rig.close();
  });
});

const commits = [
  ['init', '-q'],
  ['add', '--all'],
  ['-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qm', 'a'],
];
