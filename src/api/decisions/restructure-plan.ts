// `decide D1 restructure`: another shape of the plan as the answer to a decision, with a look at what it changes before it is done. The
// new shape is kept in the log; the author's file is changed only when asked for.
import { join } from 'node:path';
import type { OpenDecision } from '../../core/decision.ts';
import type { Event } from '../../core/event.ts';
import type { PlanPath, TaskId } from '../../core/ids.ts';
import type { Plan } from '../../core/plan.ts';
import { askAgain } from '../../core/plan-decisions.ts';
import { leafStatus } from '../../core/refresh.ts';
import { type Restructure, restructure, withoutClosingTasks } from '../../core/restructure.ts';
import type { PlanState } from '../../core/state.ts';
import { settle } from '../../runner/settle.ts';
import type { Store, Transaction } from '../../store/store.ts';
import { forceRevision } from '../load-revision.ts';
import { readPlanFile, validPlan } from '../plan-file.ts';
import { Refusal } from '../refusal.ts';
import { replaceFile } from '../replace-file.ts';
import type { Workspace } from '../workspace.ts';
import { findDecision, knownIn, refuseMissing } from './find-decision.ts';

export type PlanChange = Restructure | { readonly kind: 'reload' };

export interface RestructureOptions {
  readonly by: string;
  readonly reason?: string;
  /** Only tell what would change. */
  readonly preview?: boolean;
  /** Also change the author's file. */
  readonly write?: boolean;
  /** Ended tasks may lose their place. */
  readonly confirmed?: boolean;
}

export interface RestructureReport {
  readonly plan: PlanPath;
  readonly decision: string;
  readonly change: PlanChange['kind'];
  readonly applied: boolean;
  /** By the definition. */
  readonly added: readonly TaskId[];
  readonly removed: readonly TaskId[];
  readonly changed: readonly TaskId[];
  /** Failed, and to be tried again. */
  readonly retried: readonly TaskId[];
  /** Were blocked, and are not any more. */
  readonly unblocked: readonly TaskId[];
  /** The file was changed too. */
  readonly written: boolean;
}

export interface RestructureParts {
  readonly workspace: Workspace;
  readonly store: Store;
  readonly path: PlanPath;
}

class PreviewOnly extends Error {}

export async function restructurePlan(
  parts: RestructureParts,
  id: string,
  change: PlanChange,
  options: RestructureOptions,
): Promise<RestructureReport> {
  const { store, workspace, path } = parts;
  const file = readPlanFile(workspace, path);
  const fresh = change.kind === 'reload' ? await validPlan(workspace, file) : null;
  const written = options.write && change.kind !== 'reload' ? await editedText(parts, change) : null;
  let report: RestructureReport | null = null;
  let missing: ReturnType<typeof knownIn> | null = null;
  try {
    await store.transact((tx) => {
      const plan = tx.state.plans.get(path)!;
      const decision = findDecision(plan, id);
      if (decision === null) {
        missing = knownIn(plan);
        throw new PreviewOnly();
      }
      if (!decision.options.includes('restructure')) {
        throw new Refusal(2, `${decision.id} is not answered by another shape of the plan`, {
          instead: `choose one of: ${decision.options.join(', ')}`,
        });
      }
      report = carryOut(tx, plan, decision, {
        change,
        fresh,
        revision: file.revision,
        options,
        written: written !== null,
      });
      // Nothing of it is kept: what it would change was seen.
      if (options.preview) throw new PreviewOnly();
    });
  } catch (error) {
    if (!(error instanceof PreviewOnly)) throw error;
  }
  if (missing !== null) return refuseMissing(store, path, id, missing);
  if (written !== null && !options.preview) replaceFile(join(workspace.root, path), written);
  return report!;
}

interface Wanted {
  readonly change: PlanChange;
  /** What the file says now, with `reload`. */
  readonly fresh: Plan | null;
  readonly revision: string;
  readonly options: RestructureOptions;
  readonly written: boolean;
}

function carryOut(tx: Transaction, plan: PlanState, decision: OpenDecision, wanted: Wanted): RestructureReport {
  const { change, options, written } = wanted;
  const { load, retried, dropped } = newShape(plan, wanted);
  if (dropped.length > 0 && !options.confirmed && !options.preview) {
    const names = dropped.map(({ task, status }) => `${task} (${status})`).join(', ');
    throw new Refusal(2, `this drops what has ended already: ${names}`, { instead: 'say --confirm to do so' });
  }
  const blockedBefore = blockedTasks(plan);
  const before = meanings(withoutClosingTasks(plan.plan));
  tx.record({
    type: 'decision-answered',
    v: 1,
    plan: plan.path,
    decision: decision.id,
    ...(decision.task === undefined ? {} : { task: decision.task }),
    choice: 'restructure',
    by: options.by,
    reason: [words(change), ...(options.reason === undefined ? [] : [options.reason])].join(': '),
    affected: [...new Set([...namesIn(change), ...retried])],
  });
  tx.record(load);
  for (const task of retried) tx.record({ type: 'task-retried', v: 1, plan: plan.path, task, by: options.by });
  const now = tx.state.plans.get(plan.path)!;
  for (let more = askAgain(tx.state, now, tx.now); more; more = askAgain(tx.state, now, tx.now, more.next)) {
    for (const event of more.events) tx.record(event);
  }
  settle(tx, null);
  const after = meanings(withoutClosingTasks(now.plan));
  const stillBlocked = new Set(blockedTasks(now));
  return {
    plan: plan.path,
    decision: decision.id,
    change: change.kind,
    applied: options.preview !== true,
    added: [...after.keys()].filter((id) => !before.has(id)),
    removed: [...before.keys()].filter((id) => !after.has(id)),
    changed: [...after.keys()].filter((id) => before.has(id) && before.get(id) !== after.get(id)),
    retried,
    unblocked: blockedBefore.filter((id) => !stillBlocked.has(id) && after.has(id)),
    written: written && options.preview !== true,
  };
}

function newShape(plan: PlanState, { change, fresh, revision }: Wanted) {
  if (change.kind === 'reload') {
    if (plan.live > 0) {
      throw new Refusal(2, `attempts of ${plan.path} are running`, {
        instead: 'let them end, or stop them with: signalbox stop',
      });
    }
    const { event } = forceRevision(plan, fresh!, revision);
    return { load: event, retried: [] as TaskId[], dropped: [] };
  }
  const result = restructure(plan, change);
  if (!result.ok) throw new Refusal(2, result.because, { instead: result.instead });
  // The same revision: as long as nobody edits the file, this is what it stands for.
  const load: Event = {
    type: 'plan-loaded',
    v: 1,
    plan: plan.path,
    revision: plan.revision,
    definition: result.plan,
  };
  return { load, retried: [...result.retried], dropped: result.dropped };
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

/** What the file would say; refused when no way of writing it reads back the same. */
async function editedText({ workspace, path, store }: RestructureParts, change: Restructure): Promise<string> {
  const file = readPlanFile(workspace, path);
  const before = await validPlan(workspace, file);
  const known = await store.read((state) => {
    const plan = state.plans.get(path)!;
    return { revision: plan.revision, result: restructure(plan, change) };
  });
  if (!known.result.ok) throw new Refusal(2, known.result.because, { instead: known.result.instead });
  const instead = 'leave out --write: the change is kept beside the state, and the file stays as it is';
  if (known.revision !== file.revision) throw new Refusal(2, `${path} was edited since it was loaded`, { instead });
  const { editPlan } = await import('../../plan/edit-plan.ts');
  const { readPlan } = await import('../../plan/read-plan.ts');
  const read = (text: string) => readPlan({ text, file: path, path, settings: workspace.settings }).plan;
  const text = editPlan({ text: file.text, change, before, after: known.result.plan, read });
  if (text === null) throw new Refusal(2, `this change cannot be written into ${path} by itself`, { instead });
  return text;
}
