// People who work on tasks by hand, of a plan that nobody runs, and take locks by name beside: with the tasks they are one party.
import { actIn } from '../../../src/api/act/act.ts';
import type { Answer } from '../../../src/core/commands/accept-or-refuse.ts';
import { markCompleted, markFailed, markStarted } from '../../../src/core/commands/mark-task.ts';
import type { Event, StoredEvent } from '../../../src/core/model/event.ts';
import { planPath, taskId } from '../../../src/core/model/ids.ts';
import { isLockEvent } from '../../../src/core/model/lock-event.ts';
import type { Plan } from '../../../src/core/model/plan.ts';
import { Outage } from '../../../src/store/outage.ts';
import type { Transaction } from '../../../src/store/store.ts';
import type { SimProcess } from '../machine/sim-process.ts';
import type { Random } from '../random.ts';
import type { World } from '../world.ts';

export const handPlan = planPath('hand.md');

/** One task for each few of the keys that agents fight for. */
export function planByHand(keys: readonly string[]): Plan {
  const tasks = Array.from({ length: 24 }, (_, i) => {
    const key = keys[i % keys.length]!;
    const next = keys[(i + 1) % keys.length]!;
    const locks = i % 3 === 0 ? { reads: [key] } : i % 3 === 1 ? { files: [key] } : { files: [key], reads: [next] };
    return { id: taskId(`h${i}`), title: `By hand ${i}`, line: i + 1, phase: 0, keys: { retries: 4, ...locks } };
  });
  return { path: handPlan, title: 'By hand', order: 'explicit', phases: [{ name: 'All' }], tasks };
}

/** Everything else nobody says about that plan; its locks are looked at like all others. */
export const isByHand = (event: StoredEvent): boolean =>
  ['plan-loaded', 'task-started', 'task-handed-in', 'task-completed', 'task-failed'].includes(event.type) ||
  isLockEvent(event);

/** Which tasks are worked on, as the log says it. */
export class HandClaims {
  private readonly at = new Map<string, { readonly by: string; readonly task: string }>();

  claim(event: StoredEvent): void {
    if (event.plan !== handPlan) return;
    if (event.type === 'task-started') this.at.set(`#${event.token}`, { by: event.by, task: event.task });
    else if (event.type === 'task-handed-in' || event.type === 'task-failed') {
      for (const [owner, { task }] of this.at) if (task === event.task) this.at.delete(owner);
    }
  }

  isAtWork(owner: string): boolean {
    return this.at.has(owner);
  }

  /** Under whose name it is known who waits. */
  personOf(owner: string): string {
    return this.at.get(owner)?.by ?? owner;
  }

  tasksOf(name: string): string[] {
    return [...this.at.values()].filter(({ by }) => by === name).map(({ task }) => task);
  }
}

/** Whichever can be started, if one can. It ends when they have gone, however they went. */
export async function startByHand(
  world: World,
  random: Random,
  { name: by, self }: { readonly name: string; readonly self: SimProcess },
): Promise<void> {
  const isStarted = await command(world, (tx) => {
    if (!tx.state.plans.get(handPlan)) {
      const definition = planByHand(world.keysOfAgents);
      tx.record({ type: 'plan-loaded', v: 1, plan: handPlan, revision: '1', definition });
    }
    const plan = tx.state.plans.get(handPlan)!;
    const first = random.int(0, plan.tasks.length - 1);
    for (let n = 0; n < plan.tasks.length; n++) {
      const answer = markStarted(tx.state, plan, (first + n) % plan.tasks.length, { by });
      if (answer.ok) return answer;
    }
    return null;
  });
  if (isStarted) world.tally.fired('started-by-hand');
  const end = () => world.promise(endByHand(world, random, by));
  if (self.alive) self.onDeath(end);
  else end();
}

/** Everything that they have started; a command that fails is called again. */
async function endByHand(world: World, random: Random, name: string): Promise<void> {
  const left = () => world.auditor.locks.hands.tasksOf(name);
  for (let [task] = left(); task !== undefined; [task] = left()) {
    await new Promise<void>((resolve) => void world.clock.after(random.spread(10, 20_000), resolve));
    const isDone = random.chance(0.3);
    const isMarked = await command(world, (tx) => {
      const plan = tx.state.plans.get(handPlan)!;
      const i = plan.index.get(taskId(task!))!;
      if (plan.tasks[i]!.hand?.by !== name) return null;
      if (isDone) return markCompleted(tx.state, plan, i, { by: name, checks: 0 });
      return markFailed(tx.state, plan, i, { by: name, error: 'no', now: tx.now });
    });
    if (isMarked) world.tally.fired('ended-by-hand');
  }
}

/** Whether it was done. One that dies on the way may have been, or not. */
function command(world: World, work: (tx: Transaction) => Answer | null): Promise<boolean> {
  const process = world.newCommand();
  return new Promise((resolve, reject) => {
    process.onDeath(() => resolve(false));
    const store = world.openStore(process, { plan: handPlan, isTurn: false });
    store
      .transact((tx) => mark(world, tx, work))
      .catch((error) => {
        if (error instanceof Outage) return false;
        throw error;
      })
      .then(async (isDone) => {
        resolve(isDone);
        await store.close();
        process.die();
      })
      .catch(reject);
  });
}

function mark(world: World, tx: Transaction, work: (tx: Transaction) => Answer | null): boolean {
  return actIn(tx, world.acting, () => {
    const answer = work(tx);
    const events: readonly Event[] = answer?.ok ? answer.events : [];
    for (const event of events) tx.record(event);
    return events.length > 0;
  });
}
