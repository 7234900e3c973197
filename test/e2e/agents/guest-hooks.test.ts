// A person's own Claude Code session beside a run: its hooks call the real command, with what Claude Code tells them on standard input.
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { running } from '../../rigs/left-behind.ts';
import { killForGood, type Line, Workspace } from '../rig.ts';

/** The machine may be busy with others. */
const patiently = { timeout: 30_000 };

const launcher = resolve('bin/signalbox.cjs');
const edit = (file: string) => ({ hook_event_name: 'PreToolUse', tool_name: 'Write', tool_input: { file_path: file } });
const stop = { hook_event_name: 'Stop' };

/** Claude Code, as far as hooks see it. */
class Session {
  private readonly w: Workspace;
  private readonly name: string;

  constructor(w: Workspace, name: string) {
    this.w = w;
    this.name = name;
  }

  private get how() {
    const { PATH, HOME, SIGNALBOX_STATE } = process.env;
    return { cwd: this.w.folder, env: { PATH, HOME, SIGNALBOX_STATE, SIGNALBOX_AGENT: this.name } };
  }

  /** Its answer; null: it passes without a word. Exit code 0, whatever it is. */
  told(what: object | string): Line {
    const input = typeof what === 'string' ? what : JSON.stringify(what);
    const args = [launcher, 'hook', 'claude', '--guest'];
    const { stdout, status } = spawnSync(process.execPath, args, { ...this.how, input, encoding: 'utf8' });
    expect(status).toBe(0);
    return stdout === '' ? null : JSON.parse(stdout);
  }

  /** One that goes on beside others. */
  tells(what: object) {
    const child = spawn(process.execPath, [launcher, 'hook', 'claude', '--guest'], this.how);
    running.add(child);
    let out = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text;
    });
    child.stdin.end(JSON.stringify(what));
    const ended = new Promise<string>((done) => {
      child.on('close', () => {
        running.delete(child);
        done(out);
      });
    });
    return { pid: child.pid!, ended };
  }
}

const reasonOf = (answer: Line): string => answer.hookSpecificOutput.permissionDecisionReason;
const table = async (w: Workspace) => {
  const { json } = await w.run('lock', 'list', '--json');
  const held = json.holds.map((one: Line) => `${one.owner} ${one.resource}`);
  return [...held, ...json.waits.map((one: Line) => `${one.owner} waits ${one.resources}`)].sort().join(', ');
};

/** One task that an agent performs, in the person's checkout. */
function workspace(script: string, keys = ''): Workspace {
  const w = new Workspace({
    'signalbox.yaml': 'retries: 0\nisolation: shared\nagents:\n  tool: {kind: command, command: [./tool.sh]}\n',
    'plan.yaml': `tasks:\n  a: {title: Write it, agent: tool, produces: text${keys}}\n`,
    'tool.sh': `#!/bin/sh\n${script}\necho done\n`,
  });
  chmodSync(join(w.folder, 'tool.sh'), 0o755);
  return w;
}

describe('two sessions', () => {
  it('share locks until the turn of one is over, and a hook that was killed waits no more', async () => {
    const w = new Workspace({ 'plan.md': '- [ ] a: A\n' });
    const [ann, bob] = [new Session(w, 'claude-1'), new Session(w, 'claude-2')];
    expect([ann.told(edit('x.txt')), w.has('.signalbox')]).toEqual([null, false]);
    await w.run('lock', 'try', 'z.txt', '--agent', 'cid');
    expect([ann.told(edit('x.txt')), bob.told(edit('y.txt'))]).toEqual([null, null]);
    expect(await table(w)).toBe('cid z.txt, claude-1 x.txt, claude-2 y.txt');

    const killed = bob.tells(edit('x.txt'));
    await expect.poll(() => table(w), patiently).toContain('claude-2 waits x.txt');
    await killForGood(killed.pid);
    expect(await table(w)).not.toContain('waits');

    // Neither is an attempt: who closes the circle is refused.
    const waiting = ann.tells(edit('y.txt'));
    await expect.poll(() => table(w), patiently).toContain('claude-1 waits y.txt');
    const refused = reasonOf(bob.told(edit('x.txt')));
    expect(refused).toContain('claude-2 holds y.txt and waits for x.txt, held by claude-1, which waits for y.txt');
    expect(refused).toContain('signalbox lock release y.txt --agent claude-2');
    expect(bob.told(stop)).toBeNull();
    expect(await waiting.ended).toBe('');
    expect(await table(w)).toBe('cid z.txt, claude-1 x.txt, claude-1 y.txt');
    expect(ann.told({ hook_event_name: 'SubagentStop' })).toBeNull();
    expect(await table(w)).toContain('claude-1 x.txt');
    expect(ann.told({ hook_event_name: 'SessionEnd', reason: 'other' })).toBeNull();
    expect(await table(w)).toBe('cid z.txt');
  });
});

describe('beside a run', () => {
  it('a guest is told of it, waits for what an attempt has, and goes on when it is free', async () => {
    const w = workspace('signalbox lock try x.txt; touch up; until test -e go; do sleep 0.05; done');
    const run = w.start('run', 'plan.yaml', '--json');
    await w.appears('up');
    const ann = new Session(w, 'claude-1');
    const { hookEventName, additionalContext } = ann.told({ hook_event_name: 'SessionStart' }).hookSpecificOutput;
    expect([hookEventName, additionalContext.split('\n')]).toEqual([
      'SessionStart',
      [expect.stringContaining('Signalbox is running plan.yaml here.'), expect.stringContaining('signalbox status')],
    ]);
    expect(reasonOf(ann.told(edit('.signalbox/state.db')))).toContain('belongs to Signalbox');
    const waiting = ann.tells(edit('x.txt'));
    await expect.poll(() => table(w), patiently).toContain('claude-1 waits x.txt');
    w.write('go', '');
    expect(await waiting.ended).toBe('');
    expect((await run.ended).code).toBe(0);
    expect(ann.told(stop)).toBeNull();
    expect(await table(w)).toBe('');
  });

  it('no attempt is stopped for a guest that would close a deadlock', async () => {
    const w = workspace(
      'signalbox lock try x.txt; touch up; until test -e go; do sleep 0.05; done; signalbox lock wait y.txt',
    );
    const run = w.start('run', 'plan.yaml', '--json');
    await w.appears('up');
    const ann = new Session(w, 'claude-1');
    expect(ann.told(edit('y.txt'))).toBeNull();
    w.write('go', '');
    await run.line(({ type }) => type === 'lock-waiting');
    const reason = reasonOf(ann.told(edit('x.txt')));
    expect(reason).toContain('claude-1 holds y.txt and waits for x.txt, held by a#1, which waits for y.txt');
    expect(reason).toContain('signalbox lock release y.txt --agent claude-1');
    expect(ann.told(stop)).toBeNull();
    const { code, lines, out } = await run.ended;
    expect(code, out).toBe(0);
    expect(lines.filter(({ type }) => /deadlock|doomed/.test(type))).toEqual([]);
  });

  it('a guest is not stopped for an attempt that closes one: the attempt is', async () => {
    const w = workspace(
      'test -e second && { echo done; exit; }; touch second; signalbox lock try x.txt; touch up; until test -e go; do sleep 0.05; done; signalbox lock wait y.txt; sleep 600',
    );
    const run = w.start('run', 'plan.yaml', '--json');
    await w.appears('up');
    const ann = new Session(w, 'claude-1');
    expect(ann.told(edit('y.txt'))).toBeNull();
    const waiting = ann.tells(edit('x.txt'));
    await expect.poll(() => table(w), patiently).toContain('claude-1 waits x.txt');
    w.write('go', '');
    expect(await run.line(({ type }) => type === 'deadlock-detected')).toMatchObject({ victim: 'a#1' });
    expect(await waiting.ended).toBe('');
    expect(await table(w)).toBe('claude-1 x.txt, claude-1 y.txt');
    expect(ann.told(stop)).toBeNull();
    expect((await run.ended).code).toBe(0);
  });
});

describe('trouble of Signalbox itself', () => {
  const message = (answer: Line): string => {
    expect(Object.keys(answer)).toEqual(['systemMessage']);
    return answer.systemMessage;
  };

  it('passes with a message: settings, state, what the hook was told', async () => {
    const w = new Workspace({ 'plan.md': '- [ ] a: A\n' });
    const ann = new Session(w, 'claude-1');
    await w.run('lock', 'try', 'x.txt', '--agent', 'cid');
    expect(message(ann.told('no JSON'))).toContain('no lock was taken for this call');
    expect(message(new Session(w, '#1').told(edit('x.txt')))).toContain('cannot be called #1');
    w.write('signalbox.yaml', 'agents: 7\n');
    expect(message(ann.told(edit('x.txt')))).toContain('signalbox.yaml:1: ');
    // What needs no lock needs no settings.
    expect(ann.told({ ...edit('x.txt'), tool_name: 'Bash' })).toBeNull();
    w.write('signalbox.yaml', '');
    writeFileSync(join(w.folder, '.signalbox/state.db'), 'no database'.repeat(1000));
    expect(message(ann.told(edit('x.txt')))).toContain('Nothing was locked or released, and nothing is blocked.');
    expect(message(ann.told(stop))).not.toBe('');
    expect(w.read('.signalbox/state.db')).toContain('no database');
  });

  it('passes too where the agent is of no kind that is known', () => {
    const { folder: cwd } = new Workspace();
    const args = [launcher, 'hook', 'nobody', '--guest'];
    const { status, stdout } = spawnSync(process.execPath, args, { cwd, input: '{}', encoding: 'utf8' });
    expect([status, JSON.parse(stdout).systemMessage]).toEqual([0, expect.stringContaining('nobody is not a kind')]);
  });
});
