// Stories about locks that several tests begin with, and events as one word each.
import type { Event, StoredEvent } from '../src/core/model/event.ts';
import type { Plan } from '../src/core/model/plan.ts';
import type { DeadlockRules } from '../src/core/model/run-event.ts';
import { log, planOf, type Scenario } from './scenario.ts';

/** Each task of the plan runs, the first one longest. */
export function running(plan: Plan | string = 'a, b', deadlock?: DeadlockRules): Scenario {
  const definition = typeof plan === 'string' ? planOf(plan) : plan;
  const scenario = log(definition).load().startRun({}, undefined, undefined, deadlock);
  for (const { id } of definition.tasks) scenario.schedule(id).start(id).after(1);
  return scenario;
}

/** `a` has x and waits for y, which `b` has: what is left is that `b` asks for x. */
export const almost = (plan?: Plan | string, deadlock?: DeadlockRules): Scenario =>
  running(plan, deadlock).lock('a', 'x').lock('b', 'y').lock('a', 'y');

/** `b`, the younger, was chosen. */
export const deadlocked = (plan?: Plan | string): Scenario => almost(plan).lock('b', 'x');

/** Its processes are dead and its files are what they were. */
export const overAndPutBack = (scenario: Scenario, id: string): Scenario => {
  const { token } = scenario.live(id);
  return scenario.end(id, { kind: 'killed', code: null }).saveWork(token, 'saved-1').putBack(token);
};

export function brief(event: Event): string {
  switch (event.type) {
    case 'lock-acquired':
    case 'lock-released':
      return `${event.type} ${event.attempt ?? event.agent} ${event.resource}`;
    case 'lock-waiting':
    case 'lock-refused':
    case 'lock-wait-ended':
      return `${event.type} ${event.attempt ?? event.agent}`;
    case 'need-added':
      return `${event.type} ${event.task} on ${event.on} ${event.resource}`;
    case 'retry-scheduled':
      return `${event.type} ${event.attempt} ${event.because}`;
    case 'deadlock-detected':
    case 'deadlock-resolved':
      return `${event.type} ${event.victim}`;
    case 'attempt-doomed':
      return `${event.type} ${event.attempt} ${event.doom.kind}`;
    case 'run-ended':
      return `${event.type} ${event.outcome}`;
    default:
      return 'attempt' in event && event.attempt !== undefined ? `${event.type} ${event.attempt}` : event.type;
  }
}

/** What was recorded after an event, as words. */
export const since = (events: readonly StoredEvent[], seq: number): string[] =>
  events.filter((event) => event.seq > seq).map(brief);
