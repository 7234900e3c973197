// From work of the loop to the order that starts it.
import { type OrderRequest, orderMerge, prepareOrder } from '../../agents/prepare-order.ts';
import type { StartOrder } from '../../agents/process/attempt-host.ts';
import type { RunSite } from '../run-site.ts';
import { mergeOrder } from '../trees/merge-orders.ts';
import type { TreesOfRun } from '../trees/trees-of-run.ts';
import type { AgentWitness } from './agent-witness.ts';
import type { TaskLogs } from './task-logs.ts';
import { told } from './told.ts';
import type { Work } from './work.ts';

export interface OrderParts {
  readonly site: RunSite;
  readonly logs: TaskLogs;
  readonly witness: AgentWitness;
  readonly trees: TreesOfRun;
  readonly environment: Readonly<Record<string, string>>;
  readonly personal: Readonly<Record<string, string | undefined>>;
}

/** Whatever it is told. */
export function requestFor(work: Work, parts: Omit<OrderParts, 'witness'>): OrderRequest {
  const { plan, task, live } = work;
  const { site, logs, trees, environment, personal } = parts;
  const { attempt, token, run, job } = live;
  const { root: workspace, commandFolder: commands, userFolder: state, settings } = site;
  const paths = { workspace, tree: trees.rootOf(work), attempts: logs.folder, commands, state };
  return { plan, task, attempt, token, run, job, settings, paths, environment, personal };
}

export function orderFor(work: Work, parts: OrderParts): StartOrder | { readonly unstartable: string } {
  const { site, logs, witness, trees } = parts;
  const { token, job, mostUsd } = work.live;
  const about = requestFor(work, parts);
  if (job.kind === 'merge') return mergeFor(work, about, site);
  const text = witness.textFor(token);
  const prepared = prepareOrder({
    ...about,
    identity: trees.identityIn(token),
    ...(mostUsd === undefined ? {} : { mostUsd }),
    ...told({ ...work, ...trees.foundIn(token) }, site, logs),
    ...(text === undefined ? {} : { text }),
  });
  return prepared.kind === 'order' ? prepared.order : { unstartable: prepared.message };
}

function mergeFor(work: Work, request: OrderRequest, site: RunSite): ReturnType<typeof orderFor> {
  const order = mergeOrder(work, site);
  return order === null ? { unstartable: 'there is nothing to merge' } : orderMerge(request, order);
}
