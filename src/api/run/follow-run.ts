// Follows the run of another process: every event from now on, and at its end the report of that process.
import { isAlive } from '../../agents/process/process-identity.ts';
import type { PlanPath, RunId } from '../../core/model/ids.ts';
import { summaryOf } from '../../core/rules/outcome.ts';
import type { PlanState, RunState } from '../../core/state/state.ts';
import type { Store } from '../../store/store.ts';
import type { IsRunning } from '../look/reports.ts';
import { Refusal } from '../refusal.ts';
import type { RunReport } from '../reports/run.ts';
import type { Workspace } from '../workspace.ts';
import { Bell } from './bell.ts';
import { resultsOfRun } from './isolation/results-of-run.ts';
import type { Attached, AttachOptions, FollowedRun } from './run-door.ts';
import { runReport } from './run-report.ts';
import { stayAlive } from './stay-alive.ts';

export interface FollowParts {
  readonly workspace: Workspace;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly store: Store;
  readonly path: PlanPath;
  readonly isRunning: IsRunning;
}

const perRead = 1_000;
/** How soon it is noticed that the process died: it can tell nobody. */
const lookEveryMs = 500;
/** A runner lands what it has after it has said that it ended. */
const landsWithinMs = 10_000;

export async function followRun(parts: FollowParts, options: AttachOptions): Promise<Attached> {
  const { store, path } = parts;
  const leave = stayAlive();
  const bell = new Bell();
  const ring = () => bell.ring();
  const unwatch = store.watch(ring);
  const timer = setInterval(ring, lookEveryMs);
  options.signal?.addEventListener('abort', ring);
  try {
    const begun = await store.read((state) => ({ seq: state.seq, ...standing(parts, state.plans.get(path)) }));
    if (begun.run === null) throw neverRun(path);
    if (!begun.isGoingOn) return await reported(parts, begun.run);
    await options.onBegin?.(about(begun.run));
    return await follow(parts, options, bell, { after: begun.seq, run: begun.run });
  } finally {
    leave();
    unwatch();
    clearInterval(timer);
    options.signal?.removeEventListener('abort', ring);
  }
}

async function follow(
  parts: FollowParts,
  { onEvents, signal }: AttachOptions,
  bell: Bell,
  from: { readonly after: number; readonly run: RunState },
): Promise<Attached> {
  const { store, path } = parts;
  let { after } = from;
  let current: RunId = from.run.run;
  for (;;) {
    const rung = bell.next();
    // Asked before the events are read: what it recorded last is among them.
    const { run, isGoingOn } = await store.read((state) => standing(parts, state.plans.get(path)));
    const events = await store.events({ after, plan: path, withWorkspace: true, limit: perRead });
    after = events.at(-1)?.seq ?? after;
    const told = events.filter((event) => event.plan === path || event.type === 'clock-stepped');
    if (told.length > 0) onEvents?.(told);
    for (const event of told) if (event.type === 'run-handed-over' && event.run === current) current = event.to;
    const isOver = told.some((event) => event.type === 'run-ended' && event.run === current);
    if (isOver || (!isGoingOn && events.length === 0)) return reported(parts, run!, current);
    if (signal?.aborted) return { kind: 'left', plan: path };
    if (events.length < perRead) await rung;
  }
}

function standing({ isRunning }: FollowParts, plan: PlanState | undefined) {
  return { run: plan?.run ?? null, isGoingOn: plan !== undefined && isRunning(plan) };
}

const about = ({ run, runner: { pid }, begunAt }: RunState): FollowedRun => ({ run, pid, begunAt });

/** Of a run whose process died, as the next run will record it. */
async function reported(parts: FollowParts, last: RunState, followed: RunId = last.run): Promise<Attached> {
  const { store, path } = parts;
  const { run, plan, report } = await store.read((state) => {
    const known = state.plans.get(path)!;
    // Another run may have begun since; the one that was followed is over all the same.
    const own = known.run!.run === followed ? known.run! : last;
    const ended = own.ended ?? { outcome: 'aborted', exitCode: 143, at: state.at, summary: summaryOf(known) };
    return { run: own, plan: known.plan, report: runReport(state, { ...own, ended }, parts, null) };
  });
  const hasDied = run.ended === null || run.ended.exitCode === 137;
  if (plan.land === 'merge' && run.ended?.outcome === 'complete') await untilGone(run);
  // Whoever only follows lands nothing.
  const { land: _, ...kept } = plan;
  const whole: RunReport = { ...report, results: await resultsOfRun({ run, plan: kept }, parts) };
  return hasDied ? { kind: 'died', ...about(run), report: whole } : { kind: 'ended', ...about(run), report: whole };
}

async function untilGone({ runner }: RunState): Promise<void> {
  for (let left = landsWithinMs; left > 0 && isAlive(runner) === true; left -= 50)
    await new Promise((resolve) => setTimeout(resolve, 50));
}

export const neverRun = (path: PlanPath): Refusal =>
  new Refusal(2, `${path} has never been run here`, { instead: 'run it: signalbox run' });
