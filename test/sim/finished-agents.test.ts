// Coding agents whose process does not end with their stream, through the whole loop on a virtual clock.
import { expect, it } from 'vitest';
import type { AttemptHost } from '../../src/agents/process/attempt-host.ts';
import type { StreamSeen } from '../../src/agents/stream/stream-reader.ts';
import type { AgentReport } from '../../src/core/model/agent-result.ts';
import { finishedGraceMs, firstEventMs } from '../../src/core/model/defaults.ts';
import type { Evidence } from '../../src/core/model/failure.ts';
import { hostId, runId } from '../../src/core/model/ids.ts';
import { RunLoop } from '../../src/runner/loop/run-loop.ts';
import { MemoryLog } from '../../src/store/memory/memory-log.ts';
import { openMemory } from '../../src/store/memory/open-memory.ts';
import { planOf } from '../scenario.ts';
import { noFiles, simAgents } from './machine/sim-agents.ts';
import { untouchedFile } from './machine/sim-plan-file.ts';
import { SimProcess } from './machine/sim-process.ts';
import { ProcessClock, VirtualClock } from './machine/virtual-clock.ts';

const host = hostId('here');
const run = runId('r1');

/** One task by an agent that ends only when it is told to. */
async function lived(seen: StreamSeen, evidence: Evidence, keys = {}) {
  const plan = planOf('a', { keys: { a: { agent: 'claude', retries: 0, idleTimeoutMs: 0, ...keys } } });
  const clock = new VirtualClock(1_000_000);
  const process = new SimProcess(clock, { host, pid: 3, startTime: '3' });
  const store = openMemory(new MemoryLog(), { now: () => clock.now() });
  await store.transact((tx) => {
    tx.record({ type: 'plan-loaded', v: 1, plan: plan.path, revision: '1', definition: plan });
    const limits = { plan: 1, pools: {} };
    tx.record({ type: 'run-started', v: 1, plan: plan.path, run, runner: process.identity, limits });
  });
  const fake: AttemptHost = {
    start: ({ token }) => loop.observe({ kind: 'started', token, supervisor: { host, pid: 9, startTime: '9' } }),
    stop: (token) => loop.observe({ kind: 'ended', token, end: { kind: 'killed', code: 143 } }),
    adopt: () => undefined,
    lastOutputAt: () => undefined,
    close: async () => undefined,
  };
  const loop: RunLoop = new RunLoop({
    store,
    me: { host, plan: plan.path, run },
    machine: {
      clock: new ProcessClock(clock, process, 0),
      host: fake,
      files: noFiles,
      agents: { ...simAgents(), seenOf: () => seen, after: async () => evidence },
      planFile: untouchedFile,
      isGone: () => false,
      isRunnerAlive: () => true,
    },
  });
  const ended = loop.run();
  let isOver = false;
  void ended.then(() => (isOver = true));
  await clock.run(
    () => isOver,
    () => undefined,
  );
  const events = await store.events({});
  const doomed = events.find(({ type }) => type === 'attempt-doomed');
  return { outcome: (await ended).ended?.outcome, events, doomed, afterMs: doomed!.at - 1_000_000 };
}

const agent = (result: AgentReport['class']): AgentReport => ({ by: 'claude', class: result });

it('an agent that is done and lives on is ended, and its task is completed', async () => {
  const { outcome, doomed, afterMs } = await lived(
    { events: 5, isOver: true },
    { changed: true, agent: agent('done') },
  );
  expect(doomed).toMatchObject({ doom: { kind: 'finished' } });
  expect(afterMs).toBeGreaterThanOrEqual(finishedGraceMs);
  expect(afterMs).toBeLessThan(2 * finishedGraceMs);
  expect(outcome).toBe('complete');
});

it('what it says counts, and not that it was ended', async () => {
  const { events } = await lived({ events: 5, isOver: true }, { changed: true, agent: agent('max-turns') });
  expect(events.find(({ type }) => type === 'task-failed')).toMatchObject({
    failure: { kind: 'agent', class: 'max-turns' },
  });
  const empty = await lived({ events: 5, isOver: true }, { changed: false, agent: agent('done') });
  expect(empty.events.find(({ type }) => type === 'task-failed')).toMatchObject({ failure: { kind: 'nothing-done' } });
});

it('an agent that never speaks is tried again without a retry, and then a person decides', async () => {
  const { events, doomed, afterMs } = await lived(
    { events: 0, isOver: false },
    { agent: agent('no-result') },
    { retries: 0 },
  );
  expect(doomed).toMatchObject({ doom: { kind: 'mute', limitMs: firstEventMs } });
  expect(afterMs).toBeGreaterThanOrEqual(firstEventMs);
  const failure = { kind: 'mute', limitMs: firstEventMs };
  expect(events.find(({ type }) => type === 'retry-scheduled')).toMatchObject({ because: 'silent', failure });
  expect(events.find(({ type }) => type === 'decision-opened')).toMatchObject({
    kind: 'livelock',
    evidence: { kind: 'silence', times: 3 },
  });
});
