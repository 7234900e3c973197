// Deaths in the middle of a tool call, of the agent and of the runner: nothing is left behind, nothing is judged twice.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { killForGood } from '../e2e/rig.ts';
import { planOf } from './ends.ts';
import type { AgentName } from './programs.ts';
import { AgentRig, kinds, named, reportOf, speech } from './rig.ts';

const mostMs = 6_000;
/** In seconds: more than it takes to start on a busy machine. */
const quiet: Readonly<Record<AgentName, number>> = { claude: 8, codex: 8, opencode: 30, gemini: 15 };

/** The agent calls a tool that runs until the file `go` is there, and then makes the file of its task. */
async function midCall(kind: AgentName, keys = '', settings = '') {
  const command = 'touch up; until test -e go; do sleep 0.1; done; echo made > a.txt';
  const files = { 'plan.md': planOf(kind, `retries: 0\n${keys}`), 'signalbox.yaml': settings };
  const rig = await AgentRig.start(kind, files, ({ turn }) =>
    turn === 0 ? { text: '', tools: [speech[kind].shell(command)] } : { text: 'Wrote a.txt.' },
  );
  const run = rig.start('run', 'plan.md', '--json');
  const started = run.ended.then(({ out, err }) => {
    throw new Error(`it ended before its call:\n${out}\n${err}`);
  });
  await Promise.race([rig.workspace.appears('up'), started]);
  return { rig, run };
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

const gone = async (rig: AgentRig, except: readonly number[] = []) => {
  const left = () => named(rig.processes().filter((pid) => !except.includes(pid)));
  await expect.poll(left, { timeout: mostMs, interval: 50 }).toEqual([]);
};

type Signals = Partial<Record<'SIGINT' | 'SIGTERM' | 'SIGKILL', number>>;

/** With which code it exits. Only the wrapper of Gemini gets what is left out, and keeps it to itself. */
const exits: Readonly<Record<AgentName, Signals>> = {
  claude: { SIGINT: 0, SIGTERM: 143, SIGKILL: 137 },
  codex: { SIGINT: 1, SIGTERM: 143, SIGKILL: 137 },
  opencode: { SIGINT: 130, SIGTERM: 143, SIGKILL: 137 },
  gemini: { SIGKILL: 137 },
};

describe.each(kinds)('%s dies in a call', (kind) => {
  it.each(Object.entries(exits[kind]))('by %s: the task fails and nothing is left', async (signal, exit) => {
    const { rig, run } = await midCall(kind);
    process.kill(agentOf(rig, kind), signal);
    const { end, evidence } = await run.line(({ type }) => type === 'attempt-ended');
    await gone(rig, [run.pid]);
    const { code, failures, completed, out, err } = reportOf(await run.ended);
    expect({ code, completed }, `${out}\n${err}`).toEqual({ code: 1, completed: [] });
    expect(end).toEqual({ kind: 'exited', code: exit });
    // An interrupted Claude Code says that it was, but now and then exits before it has.
    const usual = exit > 128 ? ['killed'] : ['no-result'];
    const classes = kind === 'claude' && signal === 'SIGINT' ? ['crash', 'no-result'] : usual;
    expect(classes).toContain(evidence.agent.class);
    expect(failures.a).toMatchObject({ kind: 'agent', class: evidence.agent.class });
    expect(rig.workspace.has('a.txt')).toBe(false);
  });

  it('by SIGKILL: the log says that it was killed', async () => {
    const { rig, run } = await midCall(kind);
    process.kill(agentOf(rig, kind), 'SIGKILL');
    const { failures } = reportOf(await run.ended);
    await rig.close();
    // By the shell that started it, and nothing else is a reason.
    expect(failures.a).toEqual({ kind: 'agent', class: 'killed', message: 'Killed' });
  });
});

describe.each(kinds)('%s takes too long', (kind) => {
  it('for a call: it is stopped, nothing is left, and silence is no failure', async () => {
    const { rig, run } = await midCall(kind, `idle-timeout: ${quiet[kind]}s\n`, 'livelock: {silence: 1}\n');
    await run.line(({ type }) => type === 'attempt-doomed');
    await gone(rig, [run.pid]);
    expect(await run.line(({ type }) => type === 'decision-opened')).toMatchObject({ evidence: { kind: 'silence' } });
    expect((await run.ended).code).toBe(4);
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

  async function judgedOnce(rig: AgentRig, { code, completed, ends, out, err }: ReturnType<typeof reportOf>) {
    expect(code, `${out}\n${err}`).toBe(0);
    expect(completed).toEqual(['a']);
    expect(ends).toMatchObject([{ attempt: 'a#1', end: { kind: 'exited', code: 0 } }]);
    expect(ends[0].evidence).toMatchObject({ changed: true, toolCalls: 1, agent: { class: 'done' } });
    expect(ends[0].evidence.agent.usage).toMatchObject([{ output: 40 }]);
    expect(rig.model.asked).toHaveLength(2);
    await gone(rig);
  }
});
