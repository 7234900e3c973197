// What a person needs to know to decide, put together from the state: what it blocks, what goes on, what the attempt printed.
import { existsSync } from 'node:fs';
import { relative } from 'node:path';
import { outputFile } from '../../agents/process/attempt-files.ts';
import { tailOfLog } from '../../agents/stream/tail-of-log.ts';
import { goingOn } from '../../core/explain/going-on.ts';
import type { OpenDecision } from '../../core/model/decision.ts';
import { attemptId } from '../../core/model/ids.ts';
import { attemptNumber } from '../../core/state/earlier-rounds.ts';
import type { PlanState } from '../../core/state/state.ts';
import type { BlockedBranch, DecisionShowReport } from '../reports/decisions.ts';
import { optionReports } from './choice-words.ts';

export interface Place {
  readonly root: string;
  readonly attempts: string;
}

export function showDecision(plan: PlanState, asked: OpenDecision, place: Place, running: boolean): DecisionShowReport {
  const about = asked.task === undefined ? undefined : plan.index.get(asked.task);
  const own = about === undefined ? undefined : plan.tasks[about]!;
  const decision = asItIsNow(plan, asked, running);
  return {
    plan: plan.path,
    decision,
    title: about === undefined ? '' : plan.plan.tasks[about]!.title,
    failure: own?.failure ?? null,
    ...(about === undefined ? {} : optionalOf(plan, about)),
    attempts: own?.attempts ?? 0,
    accept: about === undefined ? [] : (plan.plan.tasks[about]!.keys.accept ?? []),
    ...printed(plan, about, place),
    rest: restOf(plan, decision, place),
    tree: branches(plan, decision),
    options: optionReports(decision),
    running,
  };
}

const optionalOf = ({ plan }: PlanState, i: number) => (plan.tasks[i]!.optional ? { optional: true as const } : {});

/** Work that went on when the question was asked may be over. */
export function asItIsNow(plan: PlanState, asked: OpenDecision, isRunning: boolean): OpenDecision {
  const about = asked.task === undefined ? -1 : (plan.index.get(asked.task) ?? -1);
  const blocked = asked.blocks.tasks.flatMap((id) => plan.index.get(id) ?? []);
  return { ...asked, goesOn: goingOn(plan, { about, blocked, isRunning }) };
}

/** A failed check has a log of its own; it tells more than that of the attempt. */
function printed(plan: PlanState, about: number | undefined, { root, attempts: folder }: Place) {
  const none = { log: null, tail: [] };
  if (about === undefined) return none;
  const { token, failure } = plan.tasks[about]!;
  if (token === 0) return none;
  const attempt = attemptId(plan.plan.tasks[about]!.id, attemptNumber(plan, about));
  const own = { token, attempt };
  const check = failure?.kind === 'check' ? { token: failure.token, attempt } : own;
  const name = existsSync(outputFile(folder, check)) ? check : own;
  const file = outputFile(folder, name);
  if (!existsSync(file)) return none;
  return { log: relative(root, file), tail: tailOfLog(folder, name, root, { lines: 10, maxBytes: 4_000 }) };
}

function restOf(plan: PlanState, { evidence }: OpenDecision, place: Place): DecisionShowReport['rest'] {
  const tasks = evidence?.kind === 'batch' ? evidence.rest.tasks : [];
  return tasks.flatMap((task) => {
    const i = plan.index.get(task);
    if (i === undefined) return [];
    return { task, failure: plan.tasks[i]!.failure, ...optionalOf(plan, i), log: printed(plan, i, place).log };
  });
}

/** Each blocked task below the first one it waits for that is blocked as well, in the order of the plan. */
function branches(plan: PlanState, { task, blocks }: OpenDecision): BlockedBranch[] {
  const blocked = new Set<string>(blocks.tasks);
  if (task !== undefined) blocked.delete(task);
  const below = new Map<string, string[]>();
  for (const id of blocked) {
    const parent = waitsFor(plan, id).find((other) => blocked.has(other) && other !== id) ?? '';
    const others = below.get(parent) ?? [];
    others.push(id);
    below.set(parent, others);
  }
  const found: BlockedBranch[] = [];
  const stack = (below.get('') ?? []).map((id) => ({ id, depth: 0 })).reverse();
  while (stack.length > 0) {
    const { id, depth } = stack.pop()!;
    const { title } = plan.plan.tasks[plan.index.get(id as never)!]!;
    found.push({ task: id, title, depth });
    for (const other of [...(below.get(id) ?? [])].reverse()) stack.push({ id: other, depth: depth + 1 });
  }
  return found;
}

/** Leaves that the task needs by name, itself or through a group around it or named. */
function waitsFor(plan: PlanState, id: string): string[] {
  const found: string[] = [];
  let at = plan.index.get(id as never);
  while (at !== undefined) {
    const { needs, parent } = plan.plan.tasks[at]!;
    for (const need of needs ?? []) {
      const first = plan.index.get(need);
      if (first === undefined) continue;
      for (let i = first; i < plan.graph.after[first]!; i++) found.push(plan.plan.tasks[i]!.id);
    }
    at = parent;
  }
  return found;
}
