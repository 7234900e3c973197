// `decide D1 restructure`: another shape of the plan as the answer to a decision, with a look at what it changes before it is done. The
// new shape is kept in the log; the author's file is changed only when asked for.
import { join } from 'node:path';
import { type Answer, accept, refuse } from '../../core/commands/accept-or-refuse.ts';
import { againstOwnWork } from '../../core/commands/answer-decision.ts';
import {
  type Restructure,
  type Restructured,
  restructure,
  withoutClosingTasks,
} from '../../core/commands/restructure.ts';
import type { OpenDecision } from '../../core/model/decision.ts';
import type { Event } from '../../core/model/event.ts';
import type { TaskId } from '../../core/model/ids.ts';
import type { Plan } from '../../core/model/plan.ts';
import { leafStatus } from '../../core/ready/refresh.ts';
import { askAgain } from '../../core/rules/plan-decisions.ts';
import type { PlanState } from '../../core/state/state.ts';
import { type Acting, act } from '../act/act.ts';
import { reloadRevision } from '../act/load-revision.ts';
import { approvedPlan } from '../approval/approved-plan.ts';
import { readPlanFile } from '../files/plan-file.ts';
import { replaceFile } from '../files/replace-file.ts';
import { Refusal } from '../refusal.ts';
import type { RestructureReport } from '../reports/decisions.ts';
import type { Workspace } from '../workspace.ts';
import { editedText } from './edited-text.ts';
import { findDecision, knownIn, refuseMissing } from './find-decision.ts';

export type PlanChange = Restructure | { readonly kind: 'reload' };

export interface RestructureOptions {
  readonly by: string;
  readonly asAgent: boolean;
  readonly reason?: string;
  /** Only tell what would change. */
  readonly preview?: boolean;
  /** Also change the author's file. */
  readonly write?: boolean;
  /** Ended tasks may lose their place. */
  readonly confirmed?: boolean;
}

export interface RestructureParts extends Acting {
  readonly workspace: Workspace;
}

/** Thrown when everything is recorded: what would change was seen, and nothing of it is kept. */
class PreviewOnly extends Error {
  readonly report: RestructureReport;

  constructor(report: RestructureReport) {
    super('preview');
    this.report = report;
  }
}

export async function restructurePlan(
  parts: RestructureParts,
  id: string,
  changes: readonly PlanChange[],
  options: RestructureOptions,
): Promise<RestructureReport> {
  const { store, workspace, path } = parts;
  const file = readPlanFile(workspace, path);
  const shapes = changes.filter((change) => change.kind !== 'reload');
  const fresh = shapes.length < changes.length ? await approvedPlan(workspace, file) : null;
  const edited = options.write && fresh === null ? await editedText(parts, shapes) : null;
  const wanted: Wanted = { changes, shapes, fresh, revision: file.revision, options, written: edited !== null };
  let before: Before | undefined;
  try {
    const { seen: report } = await act(
      parts,
      function* (plan, state, now) {
        const decision = findDecision(plan, id);
        if (decision === null) return;
        refuseOtherAnswers(decision);
        const shape = newShape(plan, wanted);
        before = {
          decision,
          blocked: blockedTasks(plan),
          meanings: meanings(withoutClosingTasks(plan.plan)),
          retried: shape.retried,
        };
        yield restructured(plan, decision, shape, wanted);
        const fromHere = state.plans.get(path)!;
        for (let more = askAgain(state, fromHere, now); more; more = askAgain(state, fromHere, now, more.next))
          yield accept(more.events);
      },
      (plan) => {
        const report = before ? reportOf(plan, before, wanted) : null;
        if (report && options.preview) throw new PreviewOnly(report);
        return report;
      },
    );
    if (report === null)
      return refuseMissing(store, path, id, await store.read((state) => knownIn(state.plans.get(path)!)));
    if (edited !== null) replaceFile(join(workspace.root, path), edited);
    return report;
  } catch (error) {
    if (!(error instanceof PreviewOnly)) throw error;
    return error.report;
  }
}

interface Wanted {
  readonly changes: readonly PlanChange[];
  /** Those that are no `reload`. */
  readonly shapes: readonly Restructure[];
  /** What the file says now, with `reload`. */
  readonly fresh: Plan | null;
  readonly revision: string;
  readonly options: RestructureOptions;
  readonly written: boolean;
}

interface Before {
  readonly decision: OpenDecision;
  readonly blocked: readonly TaskId[];
  /** What each task says, by its id. */
  readonly meanings: ReadonlyMap<TaskId, string>;
  readonly retried: readonly TaskId[];
}

function refuseOtherAnswers({ id, options }: OpenDecision): void {
  if (options.includes('restructure')) return;
  throw new Refusal(2, `${id} cannot be answered with restructure`, {
    instead: `choose one of: ${options.join(', ')}`,
  });
}

function restructured(plan: PlanState, decision: OpenDecision, shape: Shape, { changes, options }: Wanted): Answer {
  const { load, retried, dropped } = shape;
  const own = options.preview ? null : againstOwnWork(plan, decision, options);
  if (own) return own;
  if (dropped.length > 0 && !options.confirmed && !options.preview) {
    const names = dropped.map(({ task, status }) => `${task} (${status})`).join(', ');
    return refuse(`this would drop tasks that have ended: ${names}`, 'add --confirm to drop them');
  }
  return accept([
    {
      type: 'decision-answered',
      v: 1,
      plan: plan.path,
      decision: decision.id,
      ...(decision.task === undefined ? {} : { task: decision.task }),
      choice: 'restructure',
      by: options.by,
      reason: [changes.map(words).join(', '), ...(options.reason === undefined ? [] : [options.reason])].join(': '),
      affected: [...new Set([...changes.flatMap(namesIn), ...retried])],
    },
    ...load,
    ...retried.map((task): Event => ({ type: 'task-retried', v: 1, plan: plan.path, task, by: options.by })),
  ]);
}

function reportOf(plan: PlanState, before: Before, { changes, options, written }: Wanted): RestructureReport {
  const { meanings: then, decision, retried } = before;
  const now = meanings(withoutClosingTasks(plan.plan));
  const stillBlocked = new Set(blockedTasks(plan));
  return {
    plan: plan.path,
    decision: decision.id,
    changes: changes.map(({ kind }) => kind),
    applied: options.preview !== true,
    added: [...now.keys()].filter((id) => !then.has(id)),
    removed: [...then.keys()].filter((id) => !now.has(id)),
    changed: [...now.keys()].filter((id) => then.has(id) && then.get(id) !== now.get(id)),
    retried,
    unblocked: before.blocked.filter((id) => !stillBlocked.has(id) && now.has(id)),
    written: written && options.preview !== true,
  };
}

interface Shape {
  readonly load: readonly Event[];
  readonly retried: readonly TaskId[];
  readonly dropped: Extract<Restructured, { ok: true }>['dropped'];
}

function newShape(plan: PlanState, { shapes, fresh, revision, options }: Wanted): Shape {
  if (fresh !== null) {
    return { load: reloadRevision(plan, fresh, revision, options.by).events, retried: [], dropped: [] };
  }
  const result = restructure(plan, shapes);
  if (!result.ok) throw new Refusal(2, result.because, { instead: result.instead });
  // The same revision: as long as nobody edits the file, this is what it stands for.
  const load: Event = {
    type: 'plan-loaded',
    v: 1,
    plan: plan.path,
    revision: plan.revision,
    definition: result.plan,
  };
  return { load: [load], retried: result.retried, dropped: result.dropped };
}

const blockedTasks = (plan: PlanState): TaskId[] =>
  plan.plan.tasks.flatMap(({ id, group, closes }, i) =>
    !group && closes === undefined && leafStatus(plan, i) === 'blocked' ? id : [],
  );

function meanings(plan: Plan): Map<TaskId, string> {
  return new Map(
    plan.tasks.map((task) => {
      const { line: _, parent, ...rest } = task;
      return [task.id, JSON.stringify([rest, parent === undefined ? null : plan.tasks[parent]!.id])];
    }),
  );
}

function namesIn(change: PlanChange): TaskId[] {
  switch (change.kind) {
    case 'reload':
      return [];
    case 'merge':
      return [change.into, change.from];
    default:
      return [change.task];
  }
}

function words(change: PlanChange): string {
  switch (change.kind) {
    case 'reload':
      return 'the plan was read again';
    case 'merge':
      return `${change.from} became a part of ${change.into}`;
    case 'move':
      return `${change.task} comes later, in ${change.phase}`;
    default:
      return `${change.task} needs ${change.need} no longer`;
  }
}
