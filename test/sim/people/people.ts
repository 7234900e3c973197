// The people around a plan: each command is a process of its own that makes one transaction, as `src/api/act/act.ts` does.
import { actIn } from '../../../src/api/act/act.ts';
import { type Answer, accept } from '../../../src/core/commands/accept-or-refuse.ts';
import { redoTask } from '../../../src/core/commands/override-rule.ts';
import { resumeTask } from '../../../src/core/commands/question.ts';
import { pausePlan, resumePlan, retryTask, skipTask, stopRun, suspendTask } from '../../../src/core/commands/steer.ts';
import { takeRevision } from '../../../src/core/commands/take-revision.ts';
import type { PlanState } from '../../../src/core/state/state.ts';
import { Outage } from '../../../src/store/outage.ts';
import type { Leaf } from '../checker/ledger.ts';
import type { Saved } from '../machine/sim-plan-file.ts';
import type { FaultKind } from '../tally.ts';
import type { World } from '../world.ts';

const wishes = {
  retry: 3,
  skip: 1,
  'skip-dependents': 0.6,
  'treat-as-done': 1.2,
  suspend: 1.5,
  resume: 1.5,
  pause: 0.5,
  'resume-plan': 0.5,
  stop: 0.4,
  reload: 0.6,
} as const satisfies Partial<Record<FaultKind, number>>;

type Wish = keyof typeof wishes;

/** Those that name no task. */
const ofPlan: ReadonlySet<Wish> = new Set(['pause', 'resume-plan', 'stop', 'reload']);

/** Somebody says something; mostly something that makes sense. */
export function saySomething(world: World, path: string): Promise<boolean> {
  return say(world, path, world.faultRandom.weighted(wishes), null);
}

/** False if it was refused, or failed. @param task a task's id; null: whichever fits. */
export async function say(world: World, path: string, wish: Wish, task: string | null): Promise<boolean> {
  const by = world.nextName(`${wish}-`);
  world.auditor.issued.set(by, recordedAs(wish));
  const process = world.newCommand();
  const store = world.openStore(process, { plan: path, isTurn: false });
  const target = task ?? chooseTask(world, path, wish);
  // Whoever wants to try what is completed means it.
  const isRedo = wish === 'retry' && world.auditor.plans.get(path)?.leaves.get(target)?.status === 'completed';
  try {
    const isDone = await store.transact((tx) =>
      actIn(tx, world.acting, () => {
        const plan = [...tx.state.plans.values()].find((known) => known.path === path);
        if (!plan) return false;
        const at = plan.plan.tasks.findIndex(({ id }) => id === target);
        // Gone with an edit.
        if (at === -1 && !ofPlan.has(wish)) return false;
        const answer = isRedo
          ? redoTask(tx.state, plan, at, { by })
          : wish === 'reload'
            ? reload(plan, world.planFiles.get(path)!.saved, by)
            : tell(plan, wish, at, by);
        if (!answer.ok) return false;
        for (const event of answer.events) tx.record(event);
        return true;
      }),
    );
    if (isDone) world.tally.fired(isRedo ? 'redo' : wish);
    return isDone;
  } catch (error) {
    if (error instanceof Outage) return false;
    throw error;
  } finally {
    await store.close();
    process.die();
  }
}

/** The name under which it is found in the log. */
function recordedAs(wish: Wish): string {
  if (wish === 'stop') return 'stop-stop';
  return wish === 'skip-dependents' ? 'skip' : wish;
}

function reload(known: PlanState, { plan, revision }: Saved, by: string): Answer {
  if (known.revision === revision) return accept([]);
  const taken = takeRevision(known, plan, revision, { by });
  return taken.ok ? accept(taken.events) : { ok: false, because: taken.because, instead: '' };
}

function tell(plan: PlanState, wish: Exclude<Wish, 'reload'>, task: number, by: string): Answer {
  switch (wish) {
    case 'retry':
      return retryTask(plan, task, { by });
    case 'skip':
      return skipTask(plan, task, { by });
    case 'skip-dependents':
      return skipTask(plan, task, { by, dependents: true });
    case 'treat-as-done':
      return skipTask(plan, task, { by, treatAsDone: true });
    case 'suspend':
      return suspendTask(plan, task, { by });
    case 'resume':
      return resumeTask(plan, task, { by });
    case 'pause':
      return pausePlan(plan, { by });
    case 'resume-plan':
      return resumePlan(plan, { by });
    case 'stop':
      return stopRun(plan, { mode: 'stop', by, exitCode: 143 });
    default:
      throw new Error(`nobody says ${wish satisfies never}`);
  }
}

function chooseTask(world: World, path: string, wish: Wish): string {
  const random = world.faultRandom;
  const ledger = world.auditor.plans.get(path);
  if (!ledger) return '';
  const fits: Partial<Record<Wish, (leaf: Leaf) => boolean>> = {
    retry: ({ status, notBefore }) => status === 'failed' || status === 'skipped' || notBefore > 0,
    skip: ({ status }) => status === 'failed' || status === 'in_progress',
    'treat-as-done': ({ status }) => status === 'failed' || status === 'in_progress' || status === 'skipped',
    suspend: ({ status }) => status === 'in_progress' || status === 'pending',
    resume: ({ status }) => status === 'suspended',
  };
  const fitting = [...ledger.leaves.values()].filter(fits[wish] ?? (() => true));
  if (fitting.length > 0 && random.chance(0.85)) return random.pick(fitting).task.id;
  return random.pick(ledger.plan.tasks).id;
}
