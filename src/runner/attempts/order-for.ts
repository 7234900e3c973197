// From work of the loop to the order that starts it, with what its agent must be told of what happened before.

import { prepareOrder } from '../../agents/prepare-order.ts';
import type { StartOrder } from '../../agents/process/attempt-host.ts';
import type { AgentWitness } from './agent-witness.ts';
import type { Ground } from './ground.ts';
import type { TaskLogs } from './task-logs.ts';
import type { Work } from './work.ts';

export interface OrderParts {
  readonly ground: Ground;
  readonly logs: TaskLogs;
  readonly witness: AgentWitness;
  readonly environment: Readonly<Record<string, string>>;
}

const mostLog = 4_000;

export function orderFor(work: Work, parts: OrderParts): StartOrder | { readonly unstartable: string } {
  const { plan, task, live, note, stopped, review, results } = work;
  const { ground, logs, witness, environment } = parts;
  const { attempt, token, run, warnings, job } = live;
  const paths = { workspace: ground.root, attempts: logs.folder, commands: ground.commandFolder };
  const text = witness.textFor(token);
  const told = {
    warnings,
    ...feedback(work, logs),
    ...(note === null ? {} : { note }),
    ...(stopped ? { stopped } : {}),
    ...(review ? { review } : {}),
    ...(results ? { results } : {}),
    ...(text === undefined ? {} : { text }),
  };
  const { settings } = ground;
  const prepared = prepareOrder({ plan, task, attempt, token, run, job, settings, paths, environment, ...told });
  return prepared.kind === 'order' ? prepared.order : { unstartable: prepared.message };
}

function feedback({ failure, task, live }: Work, logs: TaskLogs) {
  if (!failure) return {};
  // Nobody reads what a plain command is told.
  if (failure.kind !== 'check' || (task.keys.run !== undefined && live.job.kind === 'attempt' && !live.job.agent))
    return { previous: failure };
  const attempts = Number(/#(\d+)$/.exec(live.attempt)?.[1] ?? 1);
  const checkLog = logs.tailOfCheck(task.id, failure.token, attempts, mostLog);
  return { previous: failure, ...(checkLog === '' ? {} : { checkLog }) };
}
