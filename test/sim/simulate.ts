// One simulation: the real loop and the real core on a virtual clock. First a time of faults with generations of runners that
// die and are started again; then everything is healed, and the plan must come to the end that the plain rules foretell.
import { createHash } from 'node:crypto';
import type { StoredEvent } from '../../src/core/model/event.ts';
import type { Plan } from '../../src/core/model/plan.ts';
import type { Settings } from '../../src/core/model/settings.ts';
import { Violation } from './checker/auditor.ts';
import { foretell, type Prophecy } from './checker/prophecy.ts';
import { SimPlanFile } from './machine/sim-plan-file.ts';
import { type RunEnd, SimRunner } from './machine/sim-runner.ts';
import { chooseFate } from './people/behaviour.ts';
import { HandClaims } from './people/hand-workers.ts';
import { guestLocks, tidyUp } from './people/lock-scripts.ts';
import { say, saySomething } from './people/people.ts';
import type { Random } from './random.ts';
import { editPlan, randomPlan } from './random-plan.ts';
import type { Tally } from './tally.ts';
import { type Sabotage, World } from './world.ts';

export interface SimOptions {
  readonly sabotage?: Sabotage;
}

export interface SimResult {
  readonly seed: number;
  readonly violation: Violation | null;
  /** Of the whole log. */
  readonly hash: string;
  readonly events: readonly StoredEvent[];
  readonly tally: Tally;
  readonly tasks: number;
  /** The most agents that lived at once. */
  readonly agents: number;
  readonly outcomes: readonly string[];
  readonly virtualMs: number;
}

export function simulate(seed: number, options: SimOptions = {}): Promise<SimResult> {
  return new Simulation(seed, options).perform();
}

/** One plan with its author, its runner and what is to become of it. */
interface Course {
  file: Plan;
  edition: number;
  readonly settings: Settings;
  runner: SimRunner | null;
  /** What the rules foretold when everything was healed. */
  prophecy: Prophecy | null;
  outcome: string | null;
  /** Nobody starts it again for now. */
  isUnattended: boolean;
  /** Run once more after the end: nothing may start. */
  encore: boolean;
  done: boolean;
}

const mostSteps = 400_000;
const mostVirtualMs = 7 * 24 * 3_600_000;

class Simulation {
  private readonly seed: number;
  private readonly world: World;
  private readonly courses: Course[];
  private readonly badness: number;
  /** Files that are half written. */
  private saving = 0;

  constructor(seed: number, { sabotage = {} }: SimOptions) {
    this.seed = seed;
    this.world = new World(seed, sabotage);
    const random = this.world.random.fork('plans');
    this.badness = random.pick([0, 0, 0.03, 0.1]);
    const workspace = random.chance(0.4) ? { maxParallel: random.int(8, 14) } : {};
    const settings: Settings = { agents: {}, defaults: {}, unsupported: [], ...workspace };
    const paths = random.chance(0.3) ? ['a.md', 'b.md'] : ['a.md'];
    const size = random.chance(0.9) ? random.int(50, 120) : random.int(20, 50);
    this.courses = paths.map((path) => this.newCourse(random, path, Math.ceil(size / paths.length), settings));
  }

  async perform(): Promise<SimResult> {
    const { world } = this;
    const { clock, auditor } = world;
    const start = clock.now();
    try {
      this.plan(start);
      await clock.run(
        () => this.isOver(start),
        () => auditor.beforeWaiting(),
      );
      if (!auditor.violation && !this.courses.every(({ done }) => done)) {
        auditor.violation = new Violation('progress', `not over after ${clock.now() - start} ms, ${clock.steps} steps`);
      }
      auditor.compareFolds();
      this.countVictims();
    } finally {
      world.killAll();
    }
    const { rows } = world.log;
    return {
      seed: this.seed,
      violation: auditor.violation,
      hash: createHash('sha256').update(JSON.stringify(rows)).digest('hex'),
      events: auditor.events,
      tally: world.tally,
      tasks: this.courses.reduce((sum, { file }) => sum + file.tasks.length, 0),
      agents: auditor.attempts.peak,
      outcomes: this.courses.map(({ outcome }) => outcome ?? '?'),
      virtualMs: clock.now() - start,
    };
  }

  /** Those who can be chosen no more. */
  private countVictims(): void {
    const times = new Map<string, number>();
    const hands = new HandClaims();
    for (const event of this.world.auditor.events) {
      hands.claim(event);
      if (event.type === 'plan-edited') this.world.tally.fired(`edit-${event.result}`);
      const isDeadlock = event.type === 'deadlock-detected' || event.type === 'lock-refused';
      if (isDeadlock && event.cycle.some((name) => hands.tasksOf(name).length > 0))
        this.world.tally.fired('deadlock-by-hand');
      if (event.type !== 'deadlock-detected') continue;
      const task = `${event.plan} ${event.victimTask}`;
      times.set(task, (times.get(task) ?? 0) + 1);
      if (times.get(task) === 3) this.world.tally.fired('victim-three-times');
    }
  }

  private newCourse(random: Random, path: string, size: number, settings: Settings): Course {
    const file = randomPlan(random, { path, size });
    const course: Course = {
      file,
      edition: 0,
      settings,
      runner: null,
      prophecy: null,
      outcome: null,
      isUnattended: false,
      encore: false,
      done: false,
    };
    this.publish(course, file);
    return course;
  }

  /** The author saves the file. */
  private publish(course: Course, file: Plan): void {
    course.file = file;
    course.edition++;
    const saved = { plan: file, revision: revisionOf(course) };
    this.world.auditor.definitions.set(saved.revision, file);
    const random = this.world.random.fork(`fates ${revisionOf(course)}`);
    for (const task of file.tasks) {
      const key = `${file.path} ${task.id}`;
      if (!this.world.fates.has(key)) this.world.fates.set(key, chooseFate(random, task, this.badness));
    }
    const { planFiles } = this.world;
    const known = planFiles.get(file.path);
    if (known) known.save(saved);
    else planFiles.set(file.path, new SimPlanFile(saved));
  }

  private isOver(start: number): boolean {
    const { clock, auditor } = this.world;
    if (auditor.violation || this.courses.every(({ done }) => done)) return true;
    return clock.steps > mostSteps || clock.now() - start > mostVirtualMs;
  }

  private plan(start: number): void {
    const { clock, faultRandom: random } = this.world;
    const lastsMs = random.spread(20_000, 150_000);
    for (let n = random.int(24, 50); n > 0; n--) clock.at(start + random.int(0, lastsMs), () => this.inflict());
    for (const course of this.courses) clock.at(start, () => this.run(course));
    // Where all want the same few, people do too.
    const people = this.world.random.fork('people').int(0, this.world.isHot ? 8 : 1);
    for (let n = 0; n < people; n++) clock.at(start + (n * lastsMs) / 8, () => this.promise(guestLocks(this.world)));
    clock.at(start + lastsMs, () => this.promise(this.heal()));
  }

  private run(course: Course): void {
    const { world } = this;
    if (course.runner || course.done || course.isUnattended || world.auditor.violation) return;
    const random = world.faultRandom;
    const maxParallel = !world.isCalm && random.chance(0.15) ? random.int(0, 12) : undefined;
    const { path } = course.file;
    const file = world.planFiles.get(path)!;
    const runner = new SimRunner(world, { path, file, settings: course.settings, maxParallel });
    const isHealed = course.prophecy !== null;
    course.runner = runner;
    runner.process.onDeath(() => {
      course.runner = null;
      const pauseMs = world.isCalm ? 10 : random.chance(0.85) ? random.spread(20, 5_000) : random.spread(5_000, 40_000);
      world.clock.after(pauseMs, () => this.run(course));
    });
    this.promise(runner.perform().then((end) => this.ended(course, end, isHealed)));
  }

  /** @param isHealed it began after everything was healed; one that began before may have limits of its own. */
  private ended(course: Course, end: RunEnd, isHealed: boolean): void {
    const { world } = this;
    if (end.kind === 'refused' && course.edition > 1) this.undoEdits(course);
    if (end.kind !== 'ended' || !course.prophecy || !isHealed) return;
    if (end.outcome === 'aborted' || end.outcome === 'paused') return;
    const ledger = world.auditor.plans.get(course.file.path)!;
    if (course.encore) {
      const isSame = end.outcome === course.outcome && ledger.run!.attempts === 0;
      if (!isSame)
        this.violate('nothing to do, nothing done', `run again: ${end.outcome}, ${ledger.run!.attempts} attempts`);
      course.done = true;
      return;
    }
    course.outcome = end.outcome;
    course.encore = true;
    const wrong = course.prophecy(ledger, end.outcome);
    if (wrong !== null) this.violate('the foretold end', wrong);
  }

  /** Something goes wrong, or somebody interferes. */
  private inflict(): void {
    const { world } = this;
    const random = world.faultRandom;
    const course = random.pick(this.courses);
    switch (
      random.weighted({
        commit: 10,
        people: 9,
        kill: 3,
        supervisor: 3,
        busy: 2,
        snapshot: 2,
        jump: 1,
        edit: 3,
        interrupt: 0.7,
        reboot: 0.7,
        guest: 2,
      })
    ) {
      case 'commit': {
        const kinds = ['crash-before-commit', 'crash-after-commit'] as const;
        const outages = ['outage-before-commit', 'outage-after-commit'] as const;
        world.armed.push(random.pick(random.chance(0.8) ? kinds : outages));
        return;
      }
      case 'people':
        return this.promise(saySomething(world, course.file.path));
      case 'kill':
        if (!course.runner) return;
        world.tally.fired('runner-killed');
        return course.runner.process.die();
      case 'supervisor':
        world.machine.loseWorker();
        return;
      case 'busy':
        world.tally.fired('store-busy');
        world.busyUntil = Math.max(world.busyUntil, world.clock.now() + random.spread(50, 4_000));
        return;
      case 'snapshot':
        return random.chance(0.7) ? world.keepSnapshot() : world.damageSnapshot();
      case 'jump':
        return this.jump(random);
      case 'edit':
        world.tally.fired('plan-edited');
        return this.edit(course, random);
      case 'guest':
        return this.promise(guestLocks(world));
      case 'interrupt':
        return this.interrupt(course, random.pick([0, 0, 1, 2]));
      case 'reboot':
        world.tally.fired('machine-rebooted');
        world.machine.reboot();
        world.killAll();
    }
  }

  /** Some editors write in pieces. */
  private edit(course: Course, random: Random): void {
    const next = editPlan(random, course.file, course.edition);
    if (!random.chance(0.5)) return this.publish(course, next);
    this.world.planFiles.get(course.file.path)!.saveHalf();
    this.saving++;
    this.world.clock.after(random.int(1, 400), () => {
      this.saving--;
      this.publish(course, next);
    });
  }

  /** Ctrl-C; often the same person presses it again. */
  private interrupt(course: Course, times: number): void {
    const { world } = this;
    const mode = (['drain', 'stop', 'kill'] as const)[times]!;
    const by = world.nextName('interrupt-');
    world.auditor.issued.set(by, `stop-${mode}`);
    if (!course.runner?.interrupt(mode, by)) return;
    world.tally.fired('interrupted');
    if (times === 2 || !world.faultRandom.chance(0.7)) return;
    world.clock.after(world.faultRandom.spread(1, 3_000), () => this.interrupt(course, times + 1));
  }

  private jump(random: Random): void {
    const forward = random.chance(0.5);
    this.world.tally.fired(forward ? 'clock-jumped-forward' : 'clock-jumped-back');
    this.world.wallOffset += (forward ? 1 : -1) * random.spread(100, 2 * 3_600_000);
  }

  private undoEdits(course: Course): void {
    const loaded = this.world.auditor.plans.get(course.file.path);
    if (loaded && loaded.plan !== course.file) this.publish(course, loaded.plan);
  }

  /** The file and the log agree, whoever has to give in. */
  private async settleEdits(course: Course): Promise<void> {
    const isLoaded = () => this.world.auditor.folded.plans.get(course.file.path)!.revision === revisionOf(course);
    while (!isLoaded()) {
      if (!(await say(this.world, course.file.path, 'reload', ''))) this.undoEdits(course);
    }
  }

  /** No more faults; what people held up goes on. From here on the end is certain. */
  private async heal(): Promise<void> {
    const { world } = this;
    world.isCalm = true;
    world.armed.length = 0;
    while (world.commands.size > 0 || this.saving > 0) await this.wait();
    await tidyUp(world);
    for (const course of this.courses) {
      const { path } = course.file;
      // One that is just beginning may still bring in what the author is about to take back.
      while (!world.auditor.plans.has(path) || course.runner?.hasBegun === false) await this.wait();
      await this.settleEdits(course);
      await say(world, path, 'resume-plan', '');
      for (const { status, task } of world.auditor.plans.get(path)!.leaves.values()) {
        if (status === 'suspended') await say(world, path, 'resume', task.id);
      }
      course.prophecy = foretell(world.auditor.plans.get(path)!, (id) => world.fates.get(`${path} ${id}`)!);
      this.run(course);
    }
    const forsaken = this.courses[0]!;
    if (this.courses.length > 1 && world.faultRandom.chance(0.8)) {
      world.clock.after(world.faultRandom.spread(100, 5_000), () => this.leaveAlone(forsaken));
    }
  }

  /**
   * Its runner dies and nobody comes for a while: what it left behind is for the runner of another plan to see to. The death of
   * a runner must make no difference to the end that was foretold.
   */
  private leaveAlone(course: Course): void {
    course.isUnattended = true;
    course.runner?.process.die();
    this.world.clock.after(60_000, () => {
      course.isUnattended = false;
      this.run(course);
    });
  }

  private wait(): Promise<void> {
    return new Promise((resolve) => {
      this.world.clock.after(100, resolve);
    });
  }

  private promise(promise: Promise<unknown>): void {
    promise.catch((error) => this.violate('no error', String((error as Error).stack)));
  }

  private violate(invariant: string, text: string): void {
    this.world.auditor.violation ??= new Violation(invariant, text);
  }
}

const revisionOf = ({ file, edition }: Course) => `${file.path}@${edition}`;
