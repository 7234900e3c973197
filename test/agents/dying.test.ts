// Deaths in the middle of a tool call, of the agent and of the runner: nothing is left behind, nothing is judged twice.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { killForGood, type Started } from '../e2e/rig.ts';
import { planOf } from './ends.ts';
import type { ToolCall } from './models/model-server.ts';
import type { AgentName } from './programs.ts';
import { AgentRig, kinds, named, reportOf, speech } from './rig.ts';

const mostMs = 6_000;
/** In seconds: more than it takes to start on a busy machine. */
const quiet: Readonly<Record<AgentName, number>> = { claude: 8, codex: 8, opencode: 30, gemini: 15 };

/** The agent calls a tool that runs until the file `go` is there, and then makes the file of its task. */
async function midCall(kind: AgentName, keys = '', settings = '') {
  const command = 'touch up; until test -e go; do sleep 0.1; done; echo made > a.txt';
  const { rig, run, early } = await begin(kind, speech[kind].shell(command), keys, settings);
  await Promise.race([rig.workspace.appears('up'), early]);
  return { rig, run };
}

/** The agent edits the file of its task, which another holds: its hook waits for the lock. */
async function midHook(kind: AgentName) {
  const { rig, run, early } = await begin(kind, speech[kind].write('a.txt', 'made\n'), '', '', 'a.txt');
  await Promise.race([run.line(({ type, resource }) => type === 'lock-waiting' && resource === 'a.txt'), early]);
  return { rig, run };
}

/** @param held the file that another has locked before */
async function begin(kind: AgentName, call: ToolCall, keys: string, settings: string, held?: string) {
  const files = { 'plan.md': planOf(kind, `retries: 0\n${keys}`), 'signalbox.yaml': settings };
  // Also in a conversation that goes on after a death, the file has to be made first.
  const rig: AgentRig = await AgentRig.start(kind, files, () =>
    rig.workspace.has('a.txt') ? { text: 'Wrote a.txt.' } : { text: '', tools: [call] },
  );
  if (held !== undefined) expect((await rig.run('lock', 'try', held, '--agent', 'ann')).code).toBe(0);
  const run = rig.start('run', 'plan.md', '--json');
  const early = run.ended.then(({ out, err }) => {
    throw new Error(`it ended before its call:\n${out}\n${err}`);
  });
  return { rig, run, early };
}

const textOf = (file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
};

/** The process that Signalbox started: the program may be a wrapper around another one. */
function agentOf(rig: AgentRig, kind: AgentName): number {
  const pids = rig.processes().filter((pid) => {
    const [first = '', second = ''] = textOf(`/proc/${pid}/cmdline`).split('\0');
    return first.endsWith(`/${kind}`) || second.endsWith(`/${kind}`) || second.endsWith(`/${kind}.js`);
  });
  if (pids.length === 0) throw new Error(`no agent among\n${named(rig.processes()).join('\n')}`);
  return Math.min(...pids);
}

/** The worker shell leads it, in a session of its own. */
function groupOf(agent: number): number {
  const group = (pid: number) => Number(textOf(`/proc/${pid}/stat`).split(') ').at(-1)!.split(' ')[2]);
  if (!(group(agent) > 1) || group(agent) === group(process.pid)) throw new Error('it has no group of its own');
  return group(agent);
}

const gone = async (rig: AgentRig, except: readonly number[] = []) => {
  const left = () => named(rig.processes().filter((pid) => !except.includes(pid)));
  await expect.poll(left, { timeout: mostMs, interval: 50 }).toEqual([]);
};

/** Whom the signal is sent to: the program that Signalbox started, or its whole process group, which the worker shell leads. */
type Whom = 'pid' | 'group';

type Then =
  /** The task fails at once: the program's exit code, and the class that it is given. */
  | { readonly exit: number; readonly classes: readonly string[] }
  /** The worker shell dies too, so nobody knows how it ended: it is tried again for free. */
  | 'lost'
  /** Only a wrapper around the program gets the signal, and keeps it to itself. */
  | 'goes on';

interface Death {
  readonly signal: 'SIGINT' | 'SIGTERM' | 'SIGKILL';
  readonly whom: Whom;
  /** While a tool runs, or while the hook of an edit waits for a lock. */
  readonly during: 'tool' | 'hook';
  readonly then: Then;
}

const killed = (exit: number): Then => ({ exit, classes: ['killed'] });
const noResult = (exit: number): Then => ({ exit, classes: ['no-result'] });
const dies = (signal: Death['signal'], whom: Whom, then: Then, during: Death['during'] = 'tool'): Death => ({
  signal,
  whom,
  during,
  then,
});

/** An interrupted Claude Code says that it was, but now and then exits before it has. */
const interrupted: Then = { exit: 0, classes: ['crash', 'no-result'] };

const deaths: Readonly<Record<AgentName, readonly Death[]>> = {
  claude: [
    dies('SIGINT', 'pid', interrupted),
    dies('SIGINT', 'pid', interrupted, 'hook'),
    dies('SIGTERM', 'pid', killed(143)),
    dies('SIGTERM', 'pid', killed(143), 'hook'),
    dies('SIGTERM', 'group', killed(143)),
    dies('SIGTERM', 'group', killed(143), 'hook'),
    dies('SIGKILL', 'pid', killed(137)),
    dies('SIGKILL', 'group', 'lost'),
  ],
  codex: [
    dies('SIGINT', 'pid', noResult(1)),
    dies('SIGTERM', 'pid', killed(143)),
    dies('SIGTERM', 'group', killed(143)),
    dies('SIGKILL', 'pid', killed(137)),
    dies('SIGKILL', 'group', 'lost'),
  ],
  opencode: [
    dies('SIGINT', 'pid', killed(130)),
    dies('SIGTERM', 'pid', killed(143)),
    dies('SIGTERM', 'group', killed(143)),
    dies('SIGKILL', 'pid', killed(137)),
    dies('SIGKILL', 'group', 'lost'),
  ],
  gemini: [
    dies('SIGINT', 'pid', 'goes on'),
    dies('SIGTERM', 'pid', 'goes on'),
    dies('SIGTERM', 'group', noResult(0)),
    dies('SIGKILL', 'pid', killed(137)),
    dies('SIGKILL', 'group', 'lost'),
  ],
};

describe.each(kinds)('%s dies', (kind) => {
  it.each(deaths[kind])('by $signal of its $whom in a $during: $then', async ({ signal, whom, during, then }) => {
    const { rig, run } = await (during === 'tool' ? midCall(kind) : midHook(kind));
    const agent = agentOf(rig, kind);
    const first = rig.processes();
    process.kill(whom === 'pid' ? agent : -groupOf(agent), signal);
    if (then === 'goes on') {
      rig.workspace.write('go', '');
      return judgedOnce(rig, reportOf(await run.ended));
    }
    const { end, evidence } = await run.line(({ type }) => type === 'attempt-ended');
    if (then === 'lost') {
      expect(end).toEqual({ kind: 'lost' });
      expect(named(rig.processes().filter((pid) => pid !== run.pid && first.includes(pid)))).toEqual([]);
      return triedAgain(rig, run);
    }
    await gone(rig, [run.pid]);
    const { code, failures, completed, out, err } = reportOf(await run.ended);
    expect({ code, completed }, `${out}\n${err}`).toEqual({ code: 1, completed: [] });
    expect(end).toEqual({ kind: 'exited', code: then.exit });
    expect(then.classes).toContain(evidence.agent.class);
    expect(failures.a).toMatchObject({ kind: 'agent', class: evidence.agent.class });
    // By the shell that started it, and nothing else is a reason.
    if (signal === 'SIGKILL') expect(failures.a).toMatchObject({ message: 'Killed' });
    expect(rig.workspace.has('a.txt')).toBe(false);
  });
});

async function judgedOnce(rig: AgentRig, { code, completed, ends, out, err }: ReturnType<typeof reportOf>) {
  expect(code, `${out}\n${err}`).toBe(0);
  expect(completed).toEqual(['a']);
  expect(ends).toMatchObject([{ attempt: 'a#1', end: { kind: 'exited', code: 0 } }]);
  expect(ends[0].evidence).toMatchObject({ changed: true, toolCalls: 1, agent: { class: 'done' } });
  expect(ends[0].evidence.agent.usage).toMatchObject([{ output: 40 }]);
  expect(rig.model.asked).toHaveLength(2);
  await gone(rig);
}

/** Although there is no retry left. */
async function triedAgain(rig: AgentRig, run: Started): Promise<void> {
  const again = await run.line(({ type }) => type === 'retry-scheduled' || type === 'task-failed');
  expect(again).toMatchObject({ type: 'retry-scheduled', because: 'lost' });
  rig.workspace.write('go', '');
  const { code, completed, ends, out, err } = reportOf(await run.ended);
  expect({ code, completed }, `${out}\n${err}`).toEqual({ code: 0, completed: ['a'] });
  expect(ends.map(({ attempt, end }) => [attempt, end.kind])).toEqual([
    ['a#1', 'lost'],
    ['a#2', 'exited'],
  ]);
  await gone(rig);
}

describe.each(kinds)('%s takes too long', (kind) => {
  it('for a call: it is stopped, nothing is left, and silence is no failure', async () => {
    const { rig, run } = await midCall(kind, `idle-timeout: ${quiet[kind]}s\n`, 'livelock: {silence: 1}\n');
    await run.line(({ type }) => type === 'attempt-doomed');
    await gone(rig, [run.pid]);
    expect(await run.line(({ type }) => type === 'decision-opened')).toMatchObject({ evidence: { kind: 'silence' } });
    expect((await run.ended).code).toBe(4);
    expect(rig.workspace.has('a.txt')).toBe(false);
  });

  it('for its task: it is stopped, nothing is left, and the task has failed', async () => {
    const { rig, run } = await midCall(kind, `timeout: ${quiet[kind]}s\n`);
    await run.line(({ type }) => type === 'attempt-doomed');
    await gone(rig, [run.pid]);
    const { code, failures, completed, out, err } = reportOf(await run.ended);
    expect({ code, completed }, `${out}\n${err}`).toEqual({ code: 1, completed: [] });
    expect(failures.a).toEqual({ kind: 'timeout', limitMs: quiet[kind] * 1000 });
    expect(rig.workspace.has('a.txt')).toBe(false);
  });
});

describe.each(kinds)('the runner of %s dies', (kind) => {
  it('by SIGTERM: nothing is left', async () => {
    const { rig, run } = await midCall(kind);
    run.kill('SIGTERM');
    await gone(rig);
    await run.ended;
    expect(rig.workspace.has('a.txt')).toBe(false);
  });

  it('by SIGINT twice, the first of which lets it go on: nothing is left', async () => {
    const { rig, run } = await midCall(kind);
    run.kill('SIGINT');
    await run.line(({ type }) => type === 'run-stopping');
    expect(rig.processes()).toContain(agentOf(rig, kind));
    run.kill('SIGINT');
    await gone(rig);
    expect((await run.ended).code).toBe(130);
    expect(rig.workspace.has('a.txt')).toBe(false);
  });

  it('by SIGKILL: the next one adopts the agent and judges it once', async () => {
    const { rig, run } = await midCall(kind);
    await killForGood(run.pid);
    const next = rig.start('run', 'plan.md', '--json');
    await next.line(({ type }) => type === 'run-started');
    rig.workspace.write('go', '');
    await judgedOnce(rig, reportOf(await next.ended));
  });

  it('by SIGKILL after the agent had ended: the next one judges it once', async () => {
    const { rig, run } = await midCall(kind);
    run.kill('SIGSTOP');
    rig.workspace.write('go', '');
    const agent = agentOf(rig, kind);
    await expect.poll(() => rig.processes().includes(agent), { timeout: 60_000, interval: 50 }).toBe(false);
    await killForGood(run.pid);
    await judgedOnce(rig, await rig.run('run', 'plan.md', '--json'));
  });
});
