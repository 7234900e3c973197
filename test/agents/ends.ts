// How an agent ended and what became of its task: one row of a table is one task, one agent, one scripted model.
import { expect } from 'vitest';
import type { ResultClass } from '../../src/core/model/agent-result.ts';
import type { Script, Turn } from './models/model-server.ts';
import type { AgentName } from './programs.ts';
import { AgentRig, speech } from './rig.ts';

export interface EndRow {
  readonly name: string;
  /** The first answer of the model, in each attempt. */
  readonly first: Turn;
  readonly args?: readonly string[];
  readonly class: ResultClass;
  /** Part of what the log says about it. */
  readonly said: RegExp;
  readonly exit: number;
  /** Where it says when its account may go on. */
  readonly resetsAt?: number;
}

export const planOf = (kind: AgentName, keys = '') =>
  `---\nagent: ${kind}\n${keys}---\n# One\n\n- [ ] a: Write a.txt\n`;

export const settingsOf = (kind: AgentName, args: readonly string[]) =>
  `agents:\n  ${kind}: { kind: ${kind}, args: ${JSON.stringify(args)} }\n`;

/** Writes the file, and says so. */
export const works =
  (kind: AgentName): Script =>
  ({ turn }) =>
    turn === 0 ? { text: '', tools: [speech[kind].write('a.txt', 'made\n')] } : { text: 'Wrote a.txt.' };

/** The task fails with this, after as many attempts. */
export async function fails(kind: AgentName, row: EndRow, retries: number, attempts: number): Promise<void> {
  const { rig, report } = await ended(kind, row, retries);
  const { code, ends, failures, out, err } = report;
  expect(code, `${out}\n${err}`).toBe(1);
  expect(ends).toHaveLength(attempts);
  expect(ends[0].end).toEqual({ kind: 'exited', code: row.exit });
  expect(ends[0].evidence.agent).toMatchObject({ class: row.class, said: expect.stringMatching(row.said) });
  expect(failures.a).toMatchObject({ kind: 'agent', class: row.class, message: expect.stringMatching(row.said) });
  await rig.close();
}

async function ended(kind: AgentName, { first, args = [] }: EndRow, retries: number) {
  const files = {
    'plan.md': planOf(kind, `retries: ${retries}\n`),
    ...(args.length > 0 ? { 'signalbox.yaml': settingsOf(kind, args) } : {}),
  };
  const rig = await AgentRig.start(kind, files, () => first);
  return { rig, report: await rig.run('run', 'plan.md', '--json') };
}

/** The conversation is at its end: nothing goes on in it, and the next attempt has a new one. */
export async function startsAfresh(kind: AgentName, row: EndRow): Promise<void> {
  const rig = await AgentRig.start(kind, { 'plan.md': planOf(kind, 'retries: 1\n') }, (conversation) => {
    if (conversation.prompt.includes('This is a new conversation, because the earlier one is too long'))
      return works(kind)(conversation);
    return conversation.turn === 0 ? { text: 'I look.', tools: [speech[kind].shell('true')] } : row.first;
  });
  const { code, ends, out, err } = await rig.run('run', 'plan.md', '--json');
  await rig.close();
  expect(code, `${out}\n${err}`).toBe(0);
  const [first, second] = ends.map(({ evidence }) => evidence.agent);
  expect(ends[0].end).toEqual({ kind: 'exited', code: row.exit });
  expect(first).toMatchObject({ class: row.class, said: expect.stringMatching(row.said) });
  expect(second).toMatchObject({ class: 'done' });
  expect(second.resumed).toBeUndefined();
  expect(second.session).not.toBe(first.session);
}

/** The account has to wait: the task is pending again, nothing has failed. */
export async function waits(kind: AgentName, row: EndRow, env: Readonly<Record<string, string>> = {}): Promise<void> {
  const rig = await AgentRig.start(kind, { 'plan.md': planOf(kind, 'retries: 0\n') }, () => row.first);
  const run = rig.startWith(env, 'run', 'plan.md', '--json');
  const end = await run.line(({ type }) => type === 'attempt-ended');
  expect(end.end).toEqual({ kind: 'exited', code: row.exit });
  expect(end.evidence.agent).toMatchObject({ class: row.class, said: expect.stringMatching(row.said) });
  const { resetsAt } = end.evidence.agent;
  expect(resetsAt && Date.parse(resetsAt)).toBe(row.resetsAt);
  const again = await run.line(({ type }) => type === 'retry-scheduled' || type === 'task-failed');
  expect(again).toMatchObject({ type: 'retry-scheduled', because: 'quota' });
  const { until, guessed } = await run.line(({ type }) => type === 'quota-paused');
  expect(guessed).toBe(row.resetsAt === undefined ? true : undefined);
  if (row.resetsAt !== undefined) {
    // Not all machines at one moment, and none before the reset.
    expect(Date.parse(until)).toBeGreaterThanOrEqual(row.resetsAt);
    expect(Date.parse(until)).toBeLessThanOrEqual(row.resetsAt + 5_000);
  }
  run.kill('SIGTERM');
  const { lines } = await run.ended;
  expect(lines.filter(({ type }) => type === 'task-failed')).toEqual([]);
  await rig.close();
}
