// Builders for tests of the core: a plan from one line of text, and a log that folds events as a store would.
//
//   planOf('a, b → a, g → b ~> a { c, d* → c } | +e, -f')
//
// `→` needs, `~>` prefers (several names apart by spaces), `{ }` subtasks of a group, `*` optional (also for everything inside), `+` ticked
// [x], `-` ticked [-], `^` marked [P], `|` the next phase: a plan with one is ordered by phases.

import { type LockAnswer, requestLocks } from '../src/core/commands/lock-request.ts';
import type { Event, StoredEvent } from '../src/core/model/event.ts';
import type { AttemptEnd, Doom, Failure } from '../src/core/model/failure.ts';
import {
  attemptId,
  hostId,
  type ProcessIdentity,
  planPath,
  runId,
  type TaskId,
  taskId,
} from '../src/core/model/ids.ts';
import type { Plan, Task, TaskKeys } from '../src/core/model/plan.ts';
import type { DeadlockRules, Limits, StopMode } from '../src/core/model/run-event.ts';
import type { Selection } from '../src/core/model/selection.ts';
import { decide, type Me } from '../src/core/rules/decide.ts';
import { createState, evolve } from '../src/core/state/evolve.ts';
import { type LockOwner, ownerOf, ownerOfToken, partyOf } from '../src/core/state/lock-state.ts';
import { statusOf } from '../src/core/state/questions/status.ts';
import type { LiveAttempt, PlanState, State, Status, TaskState } from '../src/core/state/state.ts';
import type { Want } from '../src/locks/lock-table.ts';
import { parseResource } from '../src/locks/resource.ts';

export interface PlanOptions extends Partial<Omit<Plan, 'tasks' | 'phases' | 'path' | 'isolation'>> {
  readonly path?: string;
  /** By task id. */
  readonly keys?: Readonly<Record<string, TaskKeys>>;
}

type Draft = { -readonly [Key in keyof Task]: Task[Key] } & { needs?: TaskId[]; prefers?: TaskId[] };

export function planOf(text: string, options: PlanOptions = {}): Plan {
  const { path = 'plan.md', keys = {}, ...rest } = options;
  const tasks: Draft[] = [];
  const groups: number[] = [];
  let phase = 0;
  let list: 'needs' | 'prefers' | null = null;
  for (const [token] of text.matchAll(/→|~>|[{}|,*^]|[+-]?[\w.]+/g)) {
    const last = tasks.at(-1)!;
    if (token === '→') list = 'needs';
    else if (token === '~>') list = 'prefers';
    else if (token === '*') last.optional = true;
    else if (token === '^') last.parallel = true;
    else if (token === '{') {
      last.group = true;
      groups.push(tasks.length - 1);
      list = null;
    } else if (token === '}') groups.pop();
    else if (token === '|') phase++;
    else if (token !== ',' && list) last[list] = [...(last[list] ?? []), taskId(token)];
    else if (token !== ',') tasks.push(draft(token, phase, groups.at(-1), tasks, keys));
    if (token === ',' || token === '}' || token === '|') list = null;
  }
  const phases = Array.from({ length: phase + 1 }, (_, i) => ({ name: `Phase ${i + 1}` }));
  return { path: planPath(path), title: 'Plan', order: phase > 0 ? 'phases' : 'explicit', phases, tasks, ...rest };
}

function draft(
  token: string,
  phase: number,
  parent: number | undefined,
  tasks: Draft[],
  keys: NonNullable<PlanOptions['keys']>,
): Draft {
  const ticked = ({ '+': 'completed', '-': 'skipped' } as const)[token[0]!];
  const id = taskId(ticked ? token.slice(1) : token);
  return {
    id,
    title: `Task ${id}`,
    line: tasks.length + 1,
    phase,
    keys: keys[id] ?? { run: 'true' },
    ...(parent === undefined ? {} : { parent }),
    ...(parent !== undefined && tasks[parent]!.optional ? { optional: true } : {}),
    ...(ticked ? { ticked } : {}),
  };
}

export const here: ProcessIdentity = { host: hostId('here'), pid: 7, startTime: '70' };
export const firstRun = runId('run-1');
/** When every scenario begins. */
export const dawn = 1_000_000;

export const log = (plan: Plan, state: State = createState()): Scenario => new Scenario(plan, state);

/** Loaded, and a run started with room for everything unless the limits say otherwise. */
export const begin = (plan: Plan | string, limits: Partial<Limits> = {}): Scenario =>
  log(typeof plan === 'string' ? planOf(plan) : plan)
    .load()
    .startRun(limits);

type Unplaced<E> = E extends Event ? Omit<E, 'v' | 'plan'> : never;

export class Scenario {
  readonly state: State;
  readonly events: StoredEvent[] = [];
  readonly me: Me;
  /** Plans whose runner is dead. */
  readonly dead = new Set<string>();
  private readonly definition: Plan;
  private now: number;

  constructor(definition: Plan, state: State) {
    this.definition = definition;
    this.state = state;
    this.now = Math.max(state.at, dawn);
    this.me = { host: here.host, plan: definition.path, run: firstRun };
  }

  get plan(): PlanState {
    return this.state.plans.get(this.definition.path)!;
  }

  get time(): number {
    return this.now;
  }

  index(id: string): number {
    return this.plan.index.get(taskId(id))!;
  }

  task(id: string): TaskState {
    return this.plan.tasks[this.index(id)]!;
  }

  live(id: string): LiveAttempt {
    return this.task(id).live!;
  }

  status(id: string): Status {
    return statusOf(this.plan, this.index(id));
  }

  /** Every leaf by status: `{ completed: 'a b', blocked: 'c' }`. */
  statuses(): Record<string, string> {
    const all: Record<string, string> = {};
    this.plan.plan.tasks.forEach((task, i) => {
      if (task.group) return;
      const status = statusOf(this.plan, i);
      all[status] = all[status] ? `${all[status]} ${task.id}` : task.id;
    });
    return all;
  }

  ready(): string[] {
    return this.plan.ready.inOrder().map((i) => this.plan.plan.tasks[i]!.id);
  }

  after(ms: number): this {
    this.now += ms;
    return this;
  }

  /** Folds events as if the store had committed them. */
  record(...events: readonly Event[]): this {
    for (const event of events) {
      const stored = { ...event, seq: this.state.seq + 1, at: this.now } as StoredEvent;
      this.events.push(stored);
      evolve(this.state, stored);
    }
    return this;
  }

  /** Decides until there is nothing to add; returns what was added. */
  decide(me: Me | null = this.me): Event[] {
    const added: Event[] = [];
    for (let events = decide(this.state, this.now, me); events.length > 0; events = decide(this.state, this.now, me)) {
      this.record(...events);
      added.push(...events);
      if (added.length > 10 * this.plan.tasks.length + 100) throw new Error('decide never comes to an end');
    }
    return added;
  }

  /** What follows by itself, whoever looks at the log. */
  settle(): this {
    this.decide(null);
    return this;
  }

  /** What its runner does next. */
  goOn(): this {
    this.decide();
    return this;
  }

  load(definition: Plan = this.definition, revision = 'r1'): this {
    return this.add({ type: 'plan-loaded', revision, definition });
  }

  startRun(limits: Partial<Limits> = {}, run = firstRun, selection?: Selection, deadlock?: DeadlockRules): this {
    const all = { plan: 1_000_000, pools: {}, ...limits };
    const more = { ...(selection ? { selection } : {}), ...(deadlock ? { deadlock } : {}) };
    return this.add({ type: 'run-started', run, runner: here, limits: all, ...more });
  }

  stop(mode: StopMode, run = firstRun): this {
    return this.add({ type: 'run-stopping', run, mode, by: 'ann', exitCode: 143 });
  }

  pause(reason?: string): this {
    return this.add({ type: 'plan-paused', by: 'ann', ...(reason === undefined ? {} : { reason }) });
  }

  resumePlan(): this {
    return this.add({ type: 'plan-resumed', by: 'ann' });
  }

  startOver(): this {
    return this.add({ type: 'plan-reset', by: 'ann', round: (this.plan.earlier?.rounds ?? 0) + 1 });
  }

  schedule(...ids: readonly string[]): this {
    for (const id of ids) {
      const task = taskId(id);
      const attempt = attemptId(task, (this.task(id)?.attempts ?? 0) + 1);
      const token = this.state.token + 1;
      this.add({ type: 'attempt-scheduled', run: this.run, task, attempt, token, host: here.host });
    }
    return this;
  }

  start(...ids: readonly string[]): this {
    for (const id of ids) this.add({ type: 'attempt-started', ...this.about(id), supervisor: here });
    return this;
  }

  doom(id: string, doom: Doom): this {
    return this.add({ type: 'attempt-doomed', ...this.about(id), doom });
  }

  /** A number is an exit code. */
  end(id: string, end: AttemptEnd | number): this {
    const seen: AttemptEnd = typeof end === 'number' ? { kind: 'exited', code: end } : end;
    return this.add({ type: 'attempt-ended', ...this.about(id), end: seen });
  }

  /** The judgement that an ended attempt is to be repeated. */
  again(id: string, waitMs = 0, because: 'failed' | 'lost' | 'stopped' = 'failed', failure?: Failure): this {
    const { attempt, run } = this.task(id).ended!;
    const notBefore = this.now + waitMs;
    const why = failure ? { failure } : {};
    return this.add({ type: 'retry-scheduled', run, task: taskId(id), attempt, because, notBefore, ...why });
  }

  /** One whole attempt that fails, and the wait for the next. */
  failOnce(id: string, waitMs = 0): this {
    return this.schedule(id).start(id).end(id, 1).again(id, waitMs, 'failed', { kind: 'exit', code: 1 });
  }

  endBackoff(id: string): this {
    return this.add({ type: 'backoff-ended', task: taskId(id) });
  }

  complete(...ids: readonly string[]): this {
    for (const id of ids) this.add({ type: 'task-completed', task: taskId(id) });
    return this;
  }

  fail(...ids: readonly string[]): this {
    for (const id of ids) this.add({ type: 'task-failed', task: taskId(id), failure: { kind: 'exit', code: 1 } });
    return this;
  }

  skip(...ids: readonly string[]): this {
    for (const id of ids) this.add({ type: 'task-skipped', task: taskId(id), by: 'ann' });
    return this;
  }

  treatAsDone(...ids: readonly string[]): this {
    for (const id of ids) this.add({ type: 'task-skipped', task: taskId(id), by: 'ann', treatAsDone: true });
    return this;
  }

  suspend(...ids: readonly string[]): this {
    for (const id of ids) this.add({ type: 'task-suspended', task: taskId(id), by: 'ann' });
    return this;
  }

  resume(...ids: readonly string[]): this {
    for (const id of ids) this.add({ type: 'task-resumed', task: taskId(id), by: 'ann' });
    return this;
  }

  retry(...ids: readonly string[]): this {
    for (const id of ids) this.add({ type: 'task-retried', task: taskId(id), by: 'ann' });
    return this;
  }

  /** The attempt of a task, by the task's id; anybody else by name. */
  owner(who: string): LockOwner {
    const live = this.plan.tasks[this.index(who)]?.live;
    const known = this.state.locks.owners.get(live ? ownerOfToken(live.token) : who);
    if (known || live) return known ?? ownerOf(live!);
    return { owner: who, name: who, plan: planPath(''), task: null, token: 0, run: null, until: 0, process: null };
  }

  /** As `lock wait` does, or `lock try`: `src/a.ts ~db:test`, apart by spaces, `~` for shared. */
  ask(who: string, keys: string, queue = true): LockAnswer {
    const owner = this.owner(who);
    const lease = owner.token === 0 ? { lease: { until: this.now + 1_000 } } : {};
    const request = { owner, wants: wantsIn(keys), queue, now: this.now, process: here, ...lease };
    const watched = new Set([...this.state.plans.keys()].filter((plan) => !this.dead.has(plan)));
    return requestLocks(this.state, request, { record: (event) => void this.record(event), watched });
  }

  lock(who: string, keys: string): this {
    this.ask(who, keys);
    return this;
  }

  release(who: string, keys: string, because: 'released' | 'forced' = 'released'): this {
    const party = partyOf(this.owner(who));
    for (const { key } of wantsIn(keys)) this.record({ type: 'lock-released', v: 1, ...party, resource: key, because });
    return this;
  }

  giveUp(who: string): this {
    const owner = this.owner(who);
    for (const { ticket } of this.state.locks.table.waitsOf(owner.owner))
      this.record({ type: 'lock-wait-ended', v: 1, ...partyOf(owner), ticket, because: 'timeout' });
    return this;
  }

  saveWork(token: number, saved: string | null = null): this {
    const { plan, run, task, attempt } = this.state.salvage.get(token)!;
    return this.record({ type: 'work-saved', v: 1, plan, run, task, attempt, token, saved, files: saved ? 1 : 0 });
  }

  putBack(token: number): this {
    const { plan, run, task, attempt } = this.state.salvage.get(token)!;
    return this.record({ type: 'files-put-back', v: 1, plan, run, task, attempt, token });
  }

  /** Who has what: `a#1 x, b#1 ~y`; then who waits: `a#1 waits y`. */
  locks(): string {
    const { table, owners } = this.state.locks;
    const say = ({ key, mode }: Want) => (mode === 'shared' ? `~${key}` : key);
    const holds = [...table.holds()].map((hold) => `${owners.get(hold.owner)!.name} ${say(hold)}`);
    const waits = [...table.requests()].map(
      ({ owner, wants }) => `${owners.get(owner)!.name} waits ${wants.map(say).join(' ')}`,
    );
    return [...holds.sort(), ...waits].join(', ');
  }

  private get run() {
    return this.plan.run?.run ?? firstRun;
  }

  private about(id: string) {
    const { run, task, attempt, token } = this.live(id);
    return { run, task, attempt, token };
  }

  private add(event: Unplaced<Event>): this {
    return this.record({ v: 1, plan: this.definition.path, ...event } as Event);
  }
}

function wantsIn(keys: string): Want[] {
  return keys.split(' ').map((text) => {
    const mode = text.startsWith('~') ? 'shared' : 'exclusive';
    const read = parseResource(mode === 'shared' ? text.slice(1) : text);
    if (!read.ok) throw new Error(`${text} ${read.problem}`);
    return { key: read.resource.key, mode };
  });
}

/** What every event about an attempt says; the token is that of the n-th attempt of a log with one task. */
export const about = (task: string, n = 1, token = n) => ({
  v: 1 as const,
  plan: planPath('plan.md'),
  run: firstRun,
  task: taskId(task),
  attempt: attemptId(taskId(task), n),
  token,
});
