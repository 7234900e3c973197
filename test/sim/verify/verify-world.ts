// Simulates verification on the rules alone: attempts, checks and reviews that come out by chance, runners that are killed in the
// middle of them, people who answer late, twice, wrongly or never. First a time of trouble; then all is calm, every question is
// answered, and the plan must come to an end. Every event is audited before the next one.

import { matchRevision } from '../../../src/core/commands/match-revision.ts';
import type { Event, StoredEvent } from '../../../src/core/model/event.ts';
import { hostId, runId } from '../../../src/core/model/ids.ts';
import type { Plan } from '../../../src/core/model/plan.ts';
import type { RunStarted } from '../../../src/core/model/run-event.ts';
import { decide, type Me } from '../../../src/core/rules/decide.ts';
import { checkEnded, mergeEnded, reviewEnded } from '../../../src/core/rules/job-end.ts';
import { summaryOf } from '../../../src/core/rules/outcome.ts';
import { askAgain } from '../../../src/core/rules/plan-decisions.ts';
import { nextTimer } from '../../../src/core/rules/timers.ts';
import { createState, evolve } from '../../../src/core/state/evolve.ts';
import type { LiveAttempt, PlanState, State } from '../../../src/core/state/state.ts';
import { restored } from '../../restored.ts';
import { printState } from '../print-state.ts';
import { Random } from '../random.ts';
import { randomVerifiedPlan } from './random-verified-plan.ts';
import { Broken, VerifyAuditor } from './verify-auditor.ts';
import { comesOut, type Odds } from './verify-behaviour.ts';
import { answer, type Said, steer } from './verify-people.ts';

export interface VerifyOptions {
  /** Slow plans that get somewhere: no loop may be found. */
  readonly healthy?: boolean;
  /** Plants a bug: changes what the rules record. */
  readonly sabotage?: (events: Event[], state: State) => Event[];
}

export interface VerifyResult {
  readonly seed: number;
  readonly broken: Broken | null;
  readonly events: readonly StoredEvent[];
  readonly outcome: string;
}

const host = hostId('here');

export function simulateVerification(seed: number, options: VerifyOptions = {}): VerifyResult {
  const world = new VerifyWorld(seed, options);
  let broken: Broken | null = null;
  let outcome = '?';
  try {
    outcome = world.perform();
  } catch (error) {
    broken = error instanceof Broken ? error : new Broken('no error', String((error as Error).stack));
  }
  return { seed, broken, events: world.events, outcome };
}

class VerifyWorld {
  readonly events: StoredEvent[] = [];
  private state: State = createState();
  private readonly random: Random;
  private readonly options: VerifyOptions;
  private readonly odds: Odds;
  private readonly limit: number;
  private readonly auditor: VerifyAuditor;
  private readonly file: Plan;
  private me: Me | null = null;
  private now = 1_000_000;
  private runs = 0;
  private people = 0;
  private revision = 1;

  constructor(seed: number, options: VerifyOptions) {
    this.random = new Random(seed);
    this.options = options;
    this.file = randomVerifiedPlan(this.random);
    this.limit = this.random.int(1, 4);
    const healthy = options.healthy === true;
    const chance = () => this.random.pick([0.5, 0.8, 0.95]);
    const isolated = this.random.chance(0.5);
    this.odds = healthy
      ? { attempt: 0.9, check: 0.9, review: 0.75, merge: 0.9, healthy, isolated }
      : { attempt: chance(), check: chance(), review: chance(), merge: chance(), healthy, isolated };
    this.auditor = new VerifyAuditor(this.file, this.limit);
    this.load(this.file);
  }

  perform(): string {
    const { random } = this;
    for (let n = random.int(20, 120); n > 0; n--) {
      this.step(
        this.options.healthy ? 'work' : random.weighted({ work: 12, answer: 3, steer: 2, kill: 0.7, load: 0.3 }),
      );
      if (random.chance(0.05)) this.restore();
    }
    return this.calm();
  }

  private get plan(): PlanState {
    return this.state.plans.get(this.file.path)!;
  }

  /** Everything that is open is answered, and the plan run again, until nothing is left to do. */
  private calm(): string {
    for (let n = 0; n < 3_000; n++) {
      const { plan } = this;
      if (plan.paused) this.record([{ type: 'plan-resumed', v: 1, plan: plan.path, by: 'ann' }]);
      if (!this.me) this.startRun();
      if (this.me) this.work();
      const [first] = this.plan.decisions.values();
      if (first && (this.plan.live === 0 || this.random.chance(0.2)))
        this.say(answer(this.random, this.plan, first, this.nextName(), true));
      const { run, decisions } = this.plan;
      if (run?.ended && decisions.size === 0 && this.plan.live === 0) {
        if (run.ended.outcome === 'complete' || run.ended.outcome === 'failed') {
          this.restore();
          return run.ended.outcome;
        }
        const at = this.plan.tasks.findIndex(({ status }) => status === 'suspended');
        if (at !== -1)
          this.record([{ type: 'task-resumed', v: 1, plan: plan.path, task: plan.plan.tasks[at]!.id, by: 'ann' }]);
      }
    }
    throw new Broken('it comes to an end', `after 3,000 steps it is ${this.plan.run?.ended?.outcome ?? 'still going'}`);
  }

  private step(what: 'work' | 'answer' | 'steer' | 'kill' | 'load'): void {
    const { random, plan } = this;
    if (!this.me && random.chance(0.5)) this.startRun();
    switch (what) {
      case 'work':
        return this.work();
      case 'answer': {
        // An old one too: what was answered before, or is over.
        const known = [...plan.decisions.values()];
        if (known.length > 0) this.say(answer(random, plan, random.pick(known), this.nextName(), false));
        return;
      }
      case 'steer':
        return this.say(steer(random, plan, this.nextName()));
      case 'kill':
        return this.kill();
      default:
        return this.reload();
    }
  }

  /** Something that runs comes out, or time passes. */
  private work(): void {
    const { random } = this;
    const all = [...this.state.live.values()];
    if (all.length > 0 && random.chance(0.85)) {
      const live = random.pick(all);
      if (live.startedAt === 0 && random.chance(0.7)) this.started(live);
      else this.ended(live);
    } else {
      const next = nextTimer(this.state);
      this.now =
        next === Number.POSITIVE_INFINITY || random.chance(0.3)
          ? this.now + random.int(1, 60_000)
          : Math.max(this.now, next);
    }
    this.settle();
  }

  private started({ job, ...live }: LiveAttempt): void {
    const { plan, run, task, attempt, token } = live;
    const supervisor = { host, pid: token, startTime: '1' };
    const type = job.kind === 'attempt' ? 'attempt-started' : 'job-started';
    this.record([{ type, v: 1, plan, run, task, attempt, token, supervisor }]);
  }

  private ended(live: LiveAttempt): void {
    const isLost = this.me?.run !== live.run;
    const { end, evidence, answer: said, merge } = comesOut(this.random, live, this.plan.plan, this.odds, isLost);
    this.auditor.truth.set(live.token, { end, answer: said, ...(merge ? { merge } : {}) });
    const { plan, run, task, attempt, token, job } = live;
    if (job.kind === 'check') return this.record([checkEnded(this.plan, live, job.check, end)]);
    if (job.kind === 'review') return this.record([reviewEnded(live, 'reviewer', end, said)]);
    if (job.kind === 'merge') return this.record([mergeEnded(live, end, merge ?? null)]);
    const seen = evidence === undefined ? {} : { evidence };
    this.record([{ type: 'attempt-ended', v: 1, plan, run, task, attempt, token, end, ...seen }]);
    for (const salvage of [...this.state.salvage.values()]) {
      const { host: _h, because: _b, saved: _s, ...about } = salvage;
      this.record([
        { type: 'work-saved', v: 1, ...about, saved: null, files: 0 },
        { type: 'files-put-back', v: 1, ...about },
      ]);
    }
  }

  private say({ answer: said, kind }: Said): void {
    const by = `person-${this.people}`;
    this.auditor.issued.set(by, kind);
    if (!said.ok) return;
    this.record(said.events);
    this.settle(null);
    // Somebody else had the same question before them, and was slower.
    this.settle();
  }

  private nextName(): string {
    return `person-${++this.people}`;
  }

  private kill(): void {
    const { run, path } = this.plan;
    this.me = null;
    if (!run || run.ended) return;
    const summary = summaryOf(this.plan);
    this.record([{ type: 'run-ended', v: 1, plan: path, run: run.run, outcome: 'aborted', exitCode: 137, summary }]);
  }

  private startRun(): void {
    const { random } = this;
    const run = runId(`run-${++this.runs}`);
    const rules: Partial<RunStarted> = this.options.healthy
      ? {}
      : {
          ...(random.chance(0.3)
            ? { onFailure: random.pick(['ask', 'retry', 'skip', 'escalate', 'abort'] as const) }
            : {}),
          ...(random.chance(0.5) ? { escalationAgent: 'debugger' } : {}),
          ...(random.chance(0.4) ? { decideWithinMs: random.int(1_000, 100_000) } : {}),
        };
    const isLast = this.runs > 400;
    const limits = { plan: this.limit, pools: { db: 1 } };
    const runner = { host, pid: this.runs, startTime: '1' };
    this.me = { host, plan: this.file.path, run };
    this.record([
      {
        type: 'run-started',
        v: 1,
        plan: this.file.path,
        run,
        runner,
        limits,
        ...rules,
        ...(isLast ? { onFailure: 'skip' } : {}),
        ...(this.odds.isolated ? { isolation: { branch: 'results', base: 'base', trees: '/trees', prefix: '' } } : {}),
      },
    ]);
    for (
      let more = askAgain(this.state, this.plan, this.now);
      more;
      more = askAgain(this.state, this.plan, this.now, more.next)
    )
      this.record(more.events);
    this.settle();
  }

  /** Its author adds a task, or takes a check away. */
  private reload(): void {
    if (this.plan.live > 0) return;
    const { random, plan } = this;
    const tasks = this.file.tasks.map((task) =>
      random.chance(0.1) ? { ...task, keys: { ...task.keys, check: ['other'] } } : task,
    );
    const phases = this.file.phases.map((phase) => (random.chance(0.2) ? { ...phase, check: ['new'] } : phase));
    this.load(matchRevision(plan, { ...this.file, tasks, phases }).definition);
    this.settle();
  }

  private load(definition: Plan): void {
    this.record([{ type: 'plan-loaded', v: 1, plan: this.file.path, revision: `r${this.revision++}`, definition }]);
  }

  /** Decides until there is nothing to add. */
  private settle(me: Me | null = this.me): void {
    for (let n = 0; ; n++) {
      const events = decide(this.state, this.now, me);
      if (events.length === 0) break;
      if (n > 1_000) throw new Broken('deciding comes to an end', events.map(({ type }) => type).join());
      this.record(this.options.sabotage?.(events, this.state) ?? events);
    }
    this.auditor.settled();
    if (this.plan.run?.ended) this.me = null;
  }

  private record(events: readonly Event[]): void {
    for (const event of events) {
      const stored = { ...event, seq: this.state.seq + 1, at: this.now } as StoredEvent;
      this.events.push(stored);
      evolve(this.state, stored);
      this.auditor.audit(stored, this.plan.plan);
      const isLoop = stored.type === 'decision-opened' && stored.kind === 'livelock';
      if (isLoop && this.options.healthy) throw new Broken('no false alarm', JSON.stringify(stored.evidence));
    }
  }

  /** The process is another from here on, and has the state from a snapshot. */
  private restore(): void {
    const copy = restored(this.state, this.events);
    if (printState(copy) !== printState(this.state)) throw new Broken('same fold', 'a snapshot restores another state');
    const whole = createState();
    for (const event of this.events) evolve(whole, event);
    if (printState(whole) !== printState(this.state)) throw new Broken('same fold', 'the log folds to another state');
    this.state = copy;
  }
}
