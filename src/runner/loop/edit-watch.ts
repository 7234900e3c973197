// Follows the file of the plan while the plan runs. A text counts after two equal reads, so that half of one is never taken. It is taken
// by `takeRevision`, like a person's `reload`; but an agent must not rewrite the plan that it is judged by, so what an agent could have
// written is only told, also after its end.
//
//   the text is the loaded one     nothing to do; if no agent lives, what comes later is none of those before
//   another text                   read it again after a while
//   the same other text again      taken, or told why not
import { differenceIn, isNothing, matchRevision, withConflicts } from '../../core/commands/match-revision.ts';
import { editedPlan, isBeingRun, takeRevision } from '../../core/commands/take-revision.ts';
import type { PlanDifference } from '../../core/model/event.ts';
import type { Plan } from '../../core/model/plan.ts';
import type { Me } from '../../core/rules/decide.ts';
import { agentAlive, agentBegins, mayUseAgents } from '../../core/state/questions/agent-work.ts';
import type { PlanState, State } from '../../core/state/state.ts';
import type { Store, Transaction } from '../../store/store.ts';
import type { Clock } from '../clock.ts';
import type { PlanFile, PlanText } from '../machine.ts';

export interface EditWatchParts {
  readonly store: Store;
  readonly me: Me;
  readonly clock: Clock;
  readonly file: PlanFile;
  /** The plan is another one now. */
  readonly taken: () => void;
  /** Trouble with the store. */
  readonly fail: (error: unknown) => void;
}

/** Between two reads of a text that counts. Editors that delete and create, or write in pieces, take less. */
const settleMs = 500;
/** A file that never comes to rest does not keep a run from its end. */
const mostReads = 20;
const eventsPerRead = 1_000;

interface EditVerdict {
  readonly result: 'taken' | 'waits' | 'refused' | 'nothing';
  readonly because: string;
  readonly difference: Partial<PlanDifference>;
}

/** An edit that the run has not taken. */
export interface LeftEdit extends Partial<PlanDifference> {
  readonly because: string;
}

const nothing: EditVerdict = { result: 'nothing', because: '', difference: {} };

/** It was loaded for a look, and the run could not go on with it. */
class Unfit extends Error {}

export class EditWatch {
  readonly #parts: EditWatchParts;
  /** A text that is not the loaded one, and when it was first seen. */
  #seen: { readonly id: string; readonly at: number } | null = null;
  /** The verdict on the last text that counted. It was compared with the plan of `definedAt`. */
  #handled: (EditVerdict & { readonly id: string; readonly definedAt: number }) | null = null;
  /** Up to this event, nothing in the file is an agent's. Null: not known. */
  #cleanAt: number | null = null;
  #hasAgents = false;
  #cancel: () => void = () => undefined;
  #looking: Promise<unknown> = Promise.resolve();

  constructor(parts: EditWatchParts) {
    this.#parts = parts;
  }

  /** @returns how to end it. */
  begin(): () => void {
    const { file, store, me } = this.#parts;
    const unwatch = file.watch(() => this.#lookSoon());
    // When the last agent has ended, a clean read tells its edits from those of people.
    const unsubscribe = store.subscribe((events) => {
      this.#hasAgents ||= events.some((event) => event.type === 'attempt-scheduled' && event.agent !== undefined);
      const isEnd = events.some(({ type }) => type === 'attempt-ended' || type === 'review-ended');
      const isLoaded = events.some(({ type, plan }) => type === 'plan-loaded' && plan === me.plan);
      if (isLoaded || (isEnd && this.#hasAgents)) this.#lookSoon();
    });
    this.#lookSoon();
    return () => {
      unwatch();
      unsubscribe();
      this.#cancel();
    };
  }

  /** Looks until the text has settled. What was refused is tried again: what was running then may have ended. */
  lookAtEnd(): Promise<void> {
    const { clock } = this.#parts;
    return this.#inTurn(async () => {
      const before = this.#handled;
      if (before?.result === 'refused') this.#handled = null;
      for (let n = 0; n < mostReads; n++) {
        const settlesAt = await this.#look(before);
        if (settlesAt === null) return;
        await new Promise<void>((done) => clock.at(settlesAt, done));
      }
    });
  }

  /** What the file says and the run has not taken. */
  left(): Promise<LeftEdit | null> {
    const { store, file, me } = this.#parts;
    return this.#inTurn(async () => {
      const text = file.read();
      if (await store.read((state) => text.isRevision(state.plans.get(me.plan)!.revision))) return null;
      if (this.#handled?.id === text.id) return leftOf(this.#handled);
      const read = await text.plan();
      if (!read.ok) return { because: read.because };
      const difference = await store.read((state) => differenceTo(state.plans.get(me.plan)!, read.plan));
      return isNothing(difference) ? null : { because: 'the run was at its end', ...difference };
    });
  }

  #lookSoon(): void {
    const { clock, fail } = this.#parts;
    const look = async () => {
      const settlesAt = await this.#look(null);
      if (settlesAt === null) return;
      this.#cancel();
      this.#cancel = clock.at(settlesAt, () => this.#lookSoon());
    };
    this.#inTurn(look).catch(fail);
  }

  /** One look at a time. */
  #inTurn<T>(look: () => Promise<T>): Promise<T> {
    const done = this.#looking.then(look);
    this.#looking = done.catch(() => undefined);
    return done;
  }

  /**
   * Null: done. A time: the text has to be read again then.
   * @param before what was told of a text already, and need not be told again.
   */
  async #look(before: EditVerdict | null): Promise<number | null> {
    const { store, me, clock, file } = this.#parts;
    // The state comes first: an agent that begins in between is seen to be a new one.
    const { seq, revision, definedAt, hasAgents, isAgentAlive } = await store.read((state) => {
      const { revision, definedAt } = state.plans.get(me.plan)!;
      return { seq: state.seq, revision, definedAt, hasAgents: mayUseAgents(state), isAgentAlive: agentAlive(state) };
    });
    this.#hasAgents = hasAgents;
    const text = file.read();
    if (text.isRevision(revision)) {
      if (!isAgentAlive) this.#cleanAt = seq;
      this.#seen = null;
      this.#handled = null;
      return null;
    }
    if (this.#handled?.id === text.id && this.#handled.definedAt === definedAt) return null;
    const now = clock.now();
    if (this.#seen?.id !== text.id) this.#seen = { id: text.id, at: now };
    if (now < this.#seen.at + settleMs) return this.#seen.at + settleMs;
    this.#handled = { id: text.id, definedAt, ...(await this.#judge(text, definedAt, before)) };
    return null;
  }

  async #judge(text: PlanText, definedAt: number, before: EditVerdict | null): Promise<EditVerdict> {
    const { store, taken } = this.#parts;
    const read = await text.plan();
    const hold = text.hold ?? (await this.#agentSince(this.#cleanAt ?? definedAt));
    const { revision } = text;
    const tell = (tx: Transaction, verdict: EditVerdict): EditVerdict => {
      const known = this.#own(tx.state);
      const isNews = before?.result !== verdict.result || before.because !== verdict.because;
      const { result, because, difference } = verdict;
      if (known && isNews && result !== 'nothing')
        tx.record(editedPlan(known, { revision, result, because, ...difference }));
      return verdict;
    };
    const judge = (tx: Transaction): EditVerdict => {
      const known = this.#own(tx.state);
      // Somebody has loaded another text since this one was read.
      if (known?.definedAt !== definedAt) return nothing;
      if (!read.ok) return tell(tx, { result: 'refused', because: read.because, difference: {} });
      const difference = differenceTo(known, read.plan);
      const because = known.run!.stopping ? 'the run is being stopped' : hold;
      if (because !== null && isNothing(difference)) return nothing;
      if (because !== null) return tell(tx, { result: 'waits', because, difference });
      const taking = takeRevision(known, read.plan, revision);
      if (!taking.ok) return tell(tx, { result: 'refused', because: taking.because, difference });
      for (const event of taking.events) tx.record(event);
      const unfit = text.unfit(this.#own(tx.state)!);
      if (unfit !== null) throw new Unfit(unfit);
      return { result: 'taken', because: '', difference };
    };
    try {
      const verdict = await store.transact(judge);
      if (verdict.result === 'taken') taken();
      return verdict;
    } catch (error) {
      if (!(error instanceof Unfit)) throw error;
      return store.transact((tx) => tell(tx, { result: 'refused', because: error.message, difference: {} }));
    }
  }

  /** Why an agent may have written what is in the file; null: none was alive since that event. */
  async #agentSince(seq: number): Promise<string | null> {
    const { store } = this.#parts;
    if (await store.read(agentAlive)) return 'an agent is running that could have written it';
    for (let after = seq; ; ) {
      const events = await store.events({ after, limit: eventsPerRead });
      const isFound = await store.read((state) => events.some((event) => agentBegins(state, event)));
      if (isFound) return 'an agent was running that could have written it';
      if (events.length < eventsPerRead) return null;
      after = events.at(-1)!.seq;
    }
  }

  /** Null: the run is over, or another process has it. */
  #own(state: State): PlanState | null {
    const { plan: path, run } = this.#parts.me;
    const plan = state.plans.get(path)!;
    return isBeingRun(plan) && plan.run!.run === run ? plan : null;
  }
}

const leftOf = ({ result, because, difference }: EditVerdict): LeftEdit | null =>
  result === 'waits' || result === 'refused' ? { because, ...difference } : null;

const differenceTo = (known: PlanState, plan: Plan): PlanDifference =>
  differenceIn(withConflicts(matchRevision(known, plan)));
