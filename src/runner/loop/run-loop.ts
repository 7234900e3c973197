// The loop: observe → transact → reconcile, until the run has an outcome.
//
//        observations, interrupts, hints from the store, timers
//                              │ wake.ts, inbox.ts
//                              ▼
//   ┌────────────────────── one turn ──────────────────────┐
//   │ transact: record what was heard and let the rules    │   record-turn.ts: nothing async happens while the state changes
//   │ act; compare what should be done with what is done   │   compare.ts
//   │ reconcile: start what is scheduled here, adopt what  │   carry-out.ts
//   │ an earlier runner left, end what is doomed           │
//   └──────────────────────────────────────────────────────┘
import type { Observation } from '../../agents/process/attempt-host.ts';
import type { Doom, Evidence } from '../../core/model/failure.ts';
import type { StopMode } from '../../core/model/run-event.ts';
import type { Me } from '../../core/rules/decide.ts';
import type { RunState } from '../../core/state/state.ts';
import type { Store } from '../../store/store.ts';
import { InHand } from '../attempts/in-hand.ts';
import { Unjudged } from '../attempts/unjudged.ts';
import type { Machine } from '../machine.ts';
import { CarryOut } from './carry-out.ts';
import { Comparison, type ToDo } from './compare.ts';
import { EditWatch, type LeftEdit } from './edit-watch.ts';
import { type Heard, Inbox, type Observed } from './inbox.ts';
import { recordTurn, type TurnParts } from './record-turn.ts';
import { Wake } from './wake.ts';

export interface LoopParts {
  readonly store: Store;
  readonly me: Me;
  readonly machine: Machine;
}

/** A start alone is not worth a commit of its own: it waits this long for company. */
const startedMayWaitMs = 25;

const nothing = (): void => undefined;

export class RunLoop {
  private readonly store: Store;
  private readonly machine: Machine;
  private readonly wake: Wake;
  private readonly inbox = new Inbox();
  private readonly inHand: InHand;
  /** Attempts that have ended and whose files are kept until they are judged. */
  private readonly unjudged = new Unjudged();
  private readonly turnParts: TurnParts;
  private readonly comparison: Comparison;
  private readonly carryOut: CarryOut;
  private readonly edits: EditWatch;
  /** The file was looked at since there was something else to do. */
  private fileIsKnown = false;
  private isLooking = false;
  private finish: (run: RunState) => void = nothing;
  private fail: (error: unknown) => void = nothing;

  constructor({ store, me, machine }: LoopParts) {
    this.store = store;
    this.machine = machine;
    this.wake = new Wake(machine.clock, () => this.turn());
    this.inHand = new InHand(machine.host, (token) => machine.agents.seenOf(token));
    this.carryOut = new CarryOut({
      machine,
      observe: (observation) => this.observe(observation),
      salvaged: (event) => {
        this.inbox.salvaged.push(event);
        this.wake.now();
      },
      pause: (reason) => {
        this.inbox.pauses.push(reason);
        this.wake.now();
      },
      fail: (error) => this.fail(error),
    });
    const shared = {
      me: { ...me, attends: (token: number) => this.inHand.attends(token), mayEnd: () => this.fileIsKnown },
      machine,
      inHand: this.inHand,
    };
    this.edits = new EditWatch({
      store,
      me,
      clock: machine.clock,
      file: machine.planFile,
      taken: () => this.wake.now(),
      fail: (error) => this.fail(error),
    });
    this.turnParts = { ...shared, unjudged: this.unjudged };
    this.comparison = new Comparison({ ...shared, isSalvaging: (token) => this.carryOut.isSalvaging(token) });
  }

  /** Resolves with the ended run, or with that of the process that has taken the plan over. Rejects on an outage: attempts then live on, and the next run takes them over. */
  async run(): Promise<RunState> {
    const ended = new Promise<RunState>((resolve, reject) => {
      this.finish = resolve;
      this.fail = reject;
    });
    const unwatch = this.store.watch(() => this.wake.now());
    const unfollow = this.edits.begin();
    this.wake.begin();
    try {
      return await ended;
    } finally {
      unfollow();
      this.wake.end();
      unwatch();
    }
  }

  /** What the host tells of an attempt. An agent's end counts when it is known what came of it. */
  observe(observation: Observation): void {
    if (observation.kind === 'started') this.inHand.adopted.seen(observation.token);
    const { agents } = this.machine;
    const evidence = observation.kind === 'ended' ? agents.after(observation.token, observation.end) : null;
    if (evidence !== null) void this.observeWith(observation, evidence);
    else this.heard(observation);
  }

  /** An attempt has to be ended because of what it does. */
  doom(token: number, doom: Doom): void {
    this.inbox.doomed.push({ token, doom });
    this.wake.now();
  }

  stop(mode: StopMode, exitCode: 130 | 143, by: string): void {
    this.inbox.stops.push({ mode, exitCode, by });
    this.wake.now();
  }

  /** An edit of the plan that the run has not taken; for its report. */
  editLeft(): Promise<LeftEdit | null> {
    return this.edits.left();
  }

  /** Where nobody could look, nothing was done: that is no reason to forget the end, nor to believe an agent. */
  private async observeWith(observation: Observation, evidence: Promise<Evidence | undefined>): Promise<void> {
    const found = await evidence.catch((): Evidence => ({}));
    this.heard(found === undefined ? observation : { ...observation, evidence: found });
  }

  private heard(observed: Observed): void {
    this.inbox.observed.push(observed);
    if (observed.kind === 'ended') this.wake.now();
    else this.wake.at(this.machine.clock.now() + startedMayWaitMs);
  }

  private async turn(): Promise<void> {
    try {
      const todo = await this.transact();
      if (todo.successor) return this.finish(todo.successor);
      this.carryOut.do(todo);
      this.wake.at(Math.min(todo.wakeAt, this.inHand.idle.nextLookAt(), this.inHand.streams.nextLookAt()));
      if (todo.ended) return this.finish(todo.ended);
      if (!todo.isAtEnd) this.fileIsKnown = false;
      else if (!this.fileIsKnown) void this.lookAtFile();
      await this.store.snapshot();
    } catch (error) {
      this.fail(error);
    }
  }

  /** The plan may have been edited at the last moment. */
  private async lookAtFile(): Promise<void> {
    if (this.isLooking) return;
    this.isLooking = true;
    try {
      await this.edits.lookAtEnd();
      this.fileIsKnown = true;
      this.wake.now();
    } catch (error) {
      this.fail(error);
    } finally {
      this.isLooking = false;
    }
  }

  private async transact(): Promise<ToDo> {
    const { heard, judged, todo } = await this.store.transact((tx) => {
      const heard = this.inbox.all();
      recordTurn(tx, heard, this.turnParts);
      return { heard, judged: this.unjudged.judged(tx.state), todo: this.comparison.compare(tx) };
    });
    this.committed(heard, judged);
    return todo;
  }

  /** Only now is it durable; what came meanwhile stays for the next turn. */
  private committed(heard: Heard, judged: readonly number[]): void {
    this.inbox.drop(heard);
    for (const { kind, token } of heard.observed) if (kind === 'ended') this.inHand.ended(token);
    for (const event of heard.salvaged) {
      this.carryOut.salvageRecorded(event);
      // This turn took it for still under way.
      if (event.type === 'work-saved') this.wake.now();
    }
    for (const token of judged) {
      this.unjudged.delete(token);
      this.machine.files.forget(token);
    }
  }
}
