// What an agent reads: all that it is judged by, and what its needs left behind. Another attempt also reads what went wrong, with the end of
// the log. `signalbox prompt` shows it.
import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Workspace } from '../rig.ts';

const recorded = (kind: string, name: string) => readFileSync(`test/fixtures/streams/${kind}/${name}.jsonl`, 'utf8');

interface Files {
  readonly tasks: string;
  /** What the agent `mine` does. */
  readonly mine?: string;
  /** What a program does that calls itself Claude Code. */
  readonly claude?: string;
  readonly settings?: string;
}

function ground({ tasks, mine = 'true', claude = 'true', settings = '' }: Files): Workspace {
  const w = new Workspace({
    'signalbox.yaml': `retries: 0\nlocks: advisory\non-failure: ask\n${settings}agents:\n  mine: {kind: command, command: [sh, mine.sh]}\n  claude: {command: [./claude.sh]}\n`,
    'plan.yaml': `tasks:\n${tasks}\n`,
    'mine.sh': `cat > /dev/null\n${mine}\n`,
    'claude.sh': `#!/bin/sh\ntest "$1" = --version && { echo "2.1.325 (Claude Code)"; exit; }\ncat > /dev/null\n${claude}\n`,
    stream: recorded('claude', 'done'),
  });
  chmodSync(join(w.folder, 'claude.sh'), 0o755);
  return w;
}

async function promptOf(w: Workspace, task: string): Promise<string> {
  const { code, out, err } = await w.run('prompt', task, '--plan', 'plan.yaml');
  expect(code, err).toBe(0);
  return out;
}

describe('after a failure', () => {
  it('an agent reads the end of what the last attempt printed, harmless and bounded', async () => {
    const mine = 'seq 100000; printf "ERROR: cannot find module \\033[31mx\\033[0m\\n" >&2; exit 3';
    const w = ground({ tasks: '  a: {agent: mine}', mine });
    expect((await w.run('run', 'plan.yaml')).code).toBe(1);
    const text = await promptOf(w, 'a');
    expect(text).toContain('The previous attempt ended with exit code 3.\n\nIt printed at the end:\n\n```\n…');
    expect(text).toContain('\n100000\nERROR: cannot find module x\n```');
    expect(text.length).toBeLessThan(8_000);
  });

  it('an agent that does again what went well in the end reads nothing of it', async () => {
    const mine = 'test "$SIGNALBOX_ATTEMPT" = "a#2" && echo > made';
    const w = ground({ tasks: '  a: {agent: mine, retries: 1}', mine });
    expect((await w.run('run', 'plan.yaml')).code).toBe(0);
    expect((await w.run('retry', 'a', '--force')).code).toBe(0);
    const text = await promptOf(w, 'a');
    expect(text).toContain('Your attempt is a#3');
    expect(text).not.toContain('The previous attempt');
  });

  it('the same goes for one that took too long', async () => {
    const w = ground({ tasks: '  a: {agent: mine, timeout: 1s}', mine: 'echo loading the corpus; sleep 60' });
    expect((await w.run('run', 'plan.yaml')).code).toBe(1);
    expect(await promptOf(w, 'a')).toMatch(
      /took longer than 1 s\.\n\nIt printed at the end:\n\n```\nloading the corpus\n/,
    );
  });

  it('and for an agent that replaces a command', async () => {
    const tasks =
      '  z: {run: "true"}\n  a: {run: "echo no compiler; exit 2", needs: [z]}\n  b: {run: "true", needs: [a]}';
    const w = ground({ tasks });
    expect((await w.run('run', 'plan.yaml')).code).toBe(5);
    expect((await w.run('decide', 'd1', 'other-agent', '--agent', 'mine')).code).toBe(0);
    const text = await promptOf(w, 'a');
    expect(text).toContain('```\nno compiler\n```');
    expect(text).toContain('## What you can build on');
    // A command is judged by its exit code and its checks, whoever performs it.
    expect(text).not.toContain('## How it is judged');
  });

  it('a coding agent is told what stood on its standard error', async () => {
    const w = ground({ tasks: '  a: {agent: claude}', claude: 'echo "node: bad option" >&2; exit 9' });
    expect((await w.run('run', 'plan.yaml')).code).toBe(1);
    const text = await promptOf(w, 'a');
    expect(text).toContain('## Before');
    expect(text.match(/node: bad option/g)).toHaveLength(1);
  });

  it('a conversation that goes on knows what was said in it', async () => {
    const claude = 'head -n 3 stream; echo "npm warn old lockfile" >&2; sleep 60';
    const w = ground({ tasks: '  a: {agent: claude, timeout: 1s}', claude });
    expect((await w.run('run', 'plan.yaml')).code).toBe(1);
    const text = await promptOf(w, 'a');
    expect(text).toMatch(/^# Go on with a/);
    expect(text).toContain('standard error ended with:\n\n```\nnpm warn old lockfile\n');
    expect(text).not.toContain('It printed at the end');
  });
});

describe('what it is judged by', () => {
  it.each<[string, string, RegExp]>([
    [
      'a change, where nothing else proves it',
      'agent: mine',
      /## How it is judged\n\nSomething in this folder must have changed when you end/,
    ],
    ['nothing more, where a check does', 'agent: mine, check: "true"', /must succeed:\n\n- `true`\n\n## Files/],
    ['the review of an agent', 'agent: mine, review: agent', /another agent reviews what you changed/],
    [
      'the review of a person',
      'agent: mine, check: "true", review: human',
      /- `true`\n\nThen a person reviews what you changed/,
    ],
    [
      'its last message, and who reviews that',
      'agent: mine, produces: text, review: human',
      /Your last message is the result[\s\S]*a person reviews it/,
    ],
  ])('%s', async (_, keys, words) => {
    const w = ground({ tasks: `  a: {${keys}}`, settings: 'review-agent: mine\n' });
    expect(await promptOf(w, 'a')).toMatch(words);
  });

  it('its locks, where a write without one is a failure', async () => {
    const failing = ground({ tasks: '  a: {agent: claude}\n  b: {agent: mine}', settings: 'audit: fail\n' });
    expect(await promptOf(failing, 'a')).toContain('A file that you write without its lock makes the attempt fail.');
    // Nobody knows what other programs write.
    expect(await promptOf(failing, 'b')).not.toContain('without its lock');
    expect(await promptOf(ground({ tasks: '  a: {agent: claude}' }), 'a')).not.toContain('without its lock');
  });

  it('a coding agent hears that nothing will notify it', async () => {
    const w = ground({ tasks: '  a: {agent: claude}\n  b: {agent: mine}' });
    const words = /Nothing will notify you/;
    expect(await promptOf(w, 'a')).toMatch(words);
    expect(await promptOf(w, 'b')).not.toMatch(words);
  });
});

describe('what it builds on', () => {
  it('has the text of findings, the newest and not too much of it', async () => {
    const mine = 'echo "The port is 8081."; seq 3000';
    const w = ground({ tasks: '  a: {agent: mine, produces: text}\n  b: {agent: mine, needs: [a]}', mine });
    await w.run('run', 'plan.yaml', '--only', 'a');
    const text = await promptOf(w, 'b');
    expect(text).toContain('- a: a (its findings are in docs/plan-outputs/plan/findings/a.md)\n');
    expect(text).toContain('What a#1 found out.\n\nThe port is 8081.\n1\n');
    expect(text).toContain('…\n```');
    expect(text.length).toBeLessThan(8_000);
  });

  it('has those of the tasks in a group', async () => {
    const tasks =
      '  g: {subtasks: {x: {agent: mine, produces: text}, y: {run: "true"}}}\n  b: {agent: mine, needs: [g]}';
    const w = ground({ tasks, mine: 'echo "Found it."' });
    await w.run('run', 'plan.yaml', '--only', 'g');
    const text = await promptOf(w, 'b');
    expect(text).toContain('Found it.');
    expect(text).toMatch(/- x: x .*[\s\S]*- y: y/);
  });
});
