// Carries out what a turn found to do: starts, adopts, stops, and salvages the work of what was stopped. Trouble with an attempt is
// observed as its end; trouble with the disk while salvaging ends the run, and the next one goes on from here.
import type { Observation } from '../../agents/process/attempt-host.ts';
import { exclusiveKeys, type Stopped, type Work } from '../attempts/work.ts';
import { type Machine, NoRoom, SetupFailed } from '../machine.ts';
import type { ToDo } from './compare.ts';
import type { SalvageEvent } from './inbox.ts';

export interface CarryOutParts {
  readonly machine: Machine;
  readonly observe: (observation: Observation) => void;
  readonly salvaged: (event: SalvageEvent) => void;
  /** Nothing more may start until a person resumes the plan. */
  readonly pause: (reason: string) => void;
  readonly fail: (error: unknown) => void;
}

/** How far apart coding agents start: at one moment they would fight for one login, one database and a few cores. */
const apartMs = 300;

export class CarryOut {
  readonly #parts: CarryOutParts;
  /** Attempts that start as soon as their files are kept. */
  readonly #preparing = new Set<number>();
  /** When the next coding agent may start. */
  #nextAgentAt = 0;
  /** Until the step is recorded. */
  readonly #salvaging = new Set<number>();

  constructor(parts: CarryOutParts) {
    this.#parts = parts;
  }

  do(todo: ToDo): void {
    const { host, agents } = this.#parts.machine;
    for (const { work } of todo.adopt) agents.adopted(work);
    if (todo.adopt.length > 0) host.adopt(todo.adopt.map(({ attempt }) => attempt));
    for (const work of todo.start) this.#prepare(work);
    for (const { token, graceMs } of todo.stop) {
      if (this.#preparing.delete(token)) this.#parts.observe({ kind: 'ended', token, end: { kind: 'never-started' } });
      else host.stop(token, graceMs);
    }
    for (const stopped of todo.salvage) void this.#salvage(stopped);
  }

  isSalvaging(token: number): boolean {
    return this.#salvaging.has(token);
  }

  /** A step of it is recorded; the next turn finds the next one. */
  salvageRecorded({ type, token }: SalvageEvent): void {
    this.#salvaging.delete(token);
    if (type === 'files-put-back') this.#parts.machine.files.forget(token);
  }

  #prepare(work: Work): void {
    // In a tree of its own it can spoil nobody's files.
    const isShared = work.live.job.kind === 'attempt' && work.isolation === null;
    const keys = isShared ? exclusiveKeys(work.task) : [];
    const { agents } = this.#parts.machine;
    const ready = agents.before(work);
    if (keys.length === 0 && ready === null && !agents.isCodingAgent(work)) this.#start(work);
    else void this.#startPrepared(work, keys, ready);
  }

  /** What the files are now is kept before anybody can change them. */
  async #startPrepared(work: Work, keys: readonly string[], ready: Promise<void> | null): Promise<void> {
    const { token } = work.live;
    const { files, agents } = this.#parts.machine;
    this.#preparing.add(token);
    try {
      await ready;
      if (keys.length > 0) await files.take(token, keys);
      if (agents.isCodingAgent(work) && this.#preparing.has(token)) await this.#ownMoment();
      if (this.#preparing.delete(token)) this.#start(work);
    } catch (error) {
      if (!this.#preparing.delete(token)) return;
      const setup = error instanceof SetupFailed ? { setup: error.setup } : {};
      if (!(error instanceof NoRoom)) return this.#cannotStart(token, (error as Error).message, false, setup);
      this.#parts.pause(error.message);
      this.#parts.observe({ kind: 'ended', token, end: { kind: 'never-started' } });
    }
  }

  /** As they come: whoever is ready first starts first. */
  #ownMoment(): Promise<void> | null {
    const { clock } = this.#parts.machine;
    const now = clock.now();
    const at = Math.max(now, this.#nextAgentAt);
    this.#nextAgentAt = at + apartMs;
    return at === now ? null : new Promise((come) => void clock.at(at, come));
  }

  #start(work: Work): void {
    const { host, agents } = this.#parts.machine;
    const order = agents.orderFor(work);
    if ('unstartable' in order) this.#cannotStart(work.live.token, order.unstartable, true);
    else host.start(order);
  }

  #cannotStart(token: number, message: string, permanent: boolean, more: { readonly setup?: string } = {}): void {
    this.#parts.observe({ kind: 'ended', token, end: { kind: 'unstartable', message, permanent, ...more } });
  }

  async #salvage(stopped: Stopped): Promise<void> {
    const { machine, salvaged, fail } = this.#parts;
    const { plan, run, task, attempt, token } = stopped;
    const about = { v: 1, plan, run, task, attempt, token } as const;
    this.#salvaging.add(token);
    try {
      // What it did in a tree of its own is on its branch, and its next attempt goes on from there.
      if (stopped.isIsolated) {
        const step = stopped.saved ? { type: 'files-put-back' } : { type: 'work-saved', saved: null, files: 0 };
        salvaged({ ...about, ...step } as SalvageEvent);
      } else if (!stopped.saved) {
        salvaged({ type: 'work-saved', ...about, ...(await machine.files.save(stopped)) });
      } else {
        const { left } = await machine.files.putBack(stopped);
        salvaged({ type: 'files-put-back', ...about, ...(left.length > 0 ? { left } : {}) });
      }
    } catch (error) {
      fail(error);
    }
  }
}
