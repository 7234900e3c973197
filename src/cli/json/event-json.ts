// An event as programs read it: `type`, `seq` and `at` first, times as ISO strings, without what is only ours (version,
// clock) and without the whole definition of a plan.
import type { AgentReport } from '../../core/model/agent-result.ts';
import type { StoredEvent } from '../../core/model/event.ts';
import { isoTime } from './iso-time.ts';

export function eventJson(event: StoredEvent): object {
  const { type, seq, at, v: _version, clock: _clock, ...fields } = event;
  const times = event.type === 'quota-paused' ? { until: isoTime(event.until) } : evidenceTimes(event);
  return { type, seq, at: isoTime(at), ...readable(fields), ...times };
}

function evidenceTimes(event: StoredEvent): object {
  if (event.type === 'review-ended') return event.agent ? { agent: withTime(event.agent) } : {};
  const evidence = event.type === 'attempt-ended' ? event.evidence : undefined;
  const agent = evidence?.agent;
  return agent ? { evidence: { ...evidence, agent: withTime(agent) } } : {};
}

const withTime = (agent: AgentReport): object =>
  agent.resetsAt === undefined ? agent : { ...agent, resetsAt: isoTime(agent.resetsAt) };

/** A definition may be megabytes; how many tasks it has is what a reader of the stream wants. Counts count leaves. */
function readable(fields: Record<string, unknown>): object {
  const { definition, notBefore, deadline, ...rest } = fields as Times & { definition?: Definition };
  return {
    ...rest,
    ...(notBefore === undefined ? {} : { notBefore: isoTime(notBefore) }),
    ...(deadline === undefined ? {} : { deadline: isoTime(deadline) }),
    ...(definition === undefined ? {} : { tasks: definition.tasks.filter((task) => !task.group).length }),
  };
}

interface Times {
  readonly notBefore?: number;
  readonly deadline?: number;
}

interface Definition {
  readonly tasks: readonly { readonly group?: true }[];
}
