// From work of the loop to the order that starts it.
import { prepareOrder } from '../../agents/prepare-order.ts';
import type { StartOrder } from '../../agents/process/attempt-host.ts';
import type { AgentWitness } from './agent-witness.ts';
import type { Ground } from './ground.ts';
import type { TaskLogs } from './task-logs.ts';
import { told } from './told.ts';
import type { Work } from './work.ts';

export interface OrderParts {
  readonly ground: Ground;
  readonly logs: TaskLogs;
  readonly witness: AgentWitness;
  readonly environment: Readonly<Record<string, string>>;
  readonly personal: Readonly<Record<string, string | undefined>>;
}

export function orderFor(work: Work, parts: OrderParts): StartOrder | { readonly unstartable: string } {
  const { plan, task, live } = work;
  const { ground, logs, witness, environment, personal } = parts;
  const { attempt, token, run, job, mostUsd } = live;
  const { root: workspace, commandFolder: commands, userFolder: state, settings } = ground;
  const paths = { workspace, attempts: logs.folder, commands, state };
  const text = witness.textFor(token);
  const prepared = prepareOrder({
    ...{ plan, task, attempt, token, run, job, settings, paths, environment, personal },
    ...(mostUsd === undefined ? {} : { mostUsd }),
    ...told(work, ground, logs),
    ...(text === undefined ? {} : { text }),
  });
  return prepared.kind === 'order' ? prepared.order : { unstartable: prepared.message };
}
