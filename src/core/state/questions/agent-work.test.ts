import { expect, it } from 'vitest';
import { begin, planOf } from '../../../../test/scenario.ts';
import type { StoredEvent } from '../../model/event.ts';
import type { TaskKeys } from '../../model/plan.ts';
import { agentAlive, agentBegins, mayUseAgents } from './agent-work.ts';

const scenario = (keys: TaskKeys) => begin(planOf('a, b', { keys: { a: keys } }));
const asEvent = (event: object) => ({ plan: planOf('a').path, task: 'a', ...event }) as unknown as StoredEvent;

it('an agent of the plan is one, and a command of its author is none', () => {
  const agent = scenario({ agent: 'tool' });
  expect([agentAlive(agent.state), mayUseAgents(agent.state)]).toEqual([false, true]);
  expect(agentAlive(agent.schedule('a').state)).toBe(true);
  expect(agentBegins(agent.state, asEvent({ type: 'attempt-scheduled' }))).toBe(true);
  const command = scenario({ run: 'true' }).schedule('a');
  expect([agentAlive(command.state), mayUseAgents(command.state)]).toEqual([false, false]);
  expect(agentBegins(command.state, asEvent({ type: 'attempt-scheduled' }))).toBe(false);
});

it('an agent that stands in for a command is one; so is a reviewer, and what is not known', () => {
  const { state } = scenario({ run: 'true' });
  expect(agentBegins(state, asEvent({ type: 'attempt-scheduled', agent: 'tool' }))).toBe(true);
  expect(agentBegins(state, asEvent({ type: 'review-scheduled' }))).toBe(true);
  expect(agentBegins(state, asEvent({ type: 'attempt-scheduled', task: 'gone' }))).toBe(true);
  expect(agentBegins(state, asEvent({ type: 'attempt-scheduled', plan: 'other.md' }))).toBe(true);
  expect(agentBegins(state, asEvent({ type: 'task-completed' }))).toBe(false);
  expect(mayUseAgents(scenario({ run: 'true', review: 'agent' }).state)).toBe(true);
});

it("a check is the author's, also of what an agent did", () => {
  const checked = scenario({ agent: 'tool', check: ['true'] })
    .schedule('a')
    .end('a', 0)
    .goOn();
  expect(checked.live('a').job.kind).toBe('check');
  expect(agentAlive(checked.state)).toBe(false);
});

it('what the shell commands of an attempt wrote without a lock is kept while it lives, fifty files of it', () => {
  const working = scenario({ agent: 'tool' }).schedule('a');
  const { plan, run, task, attempt, token } = working.live('a');
  const about = { type: 'write-found', v: 1, plan, run, task, attempt, token } as const;
  const files = Array.from({ length: 40 }, (_, i) => ({ path: `f${i}`, finding: 'late' }) as const);
  working.record({ ...about, files: [{ path: 'x', finding: 'foreign', holder: 'ann' }] });
  working.record({ ...about, files }).record({ ...about, files });
  const { found } = working.live('a');
  expect(found).toHaveLength(50);
  expect(found?.[0]).toEqual({ path: 'x', finding: 'foreign', holder: 'ann' });
});
