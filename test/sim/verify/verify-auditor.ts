// The checker of verification: what the prose promises about checks, reviews, decisions and outcomes, tested on every event. It shares
// no rule with the core; from there it takes only which closing tasks a plan was given.
import type { StoredEvent } from '../../../src/core/model/event.ts';
import type { Plan, Task } from '../../../src/core/model/plan.ts';
import { type Ended, type Leaf, type Truth, VerifyLedger } from './verify-ledger.ts';

export class Broken extends Error {
  readonly promise: string;
  constructor(promise: string, text: string) {
    super(`${promise}: ${text}`);
    this.promise = promise;
  }
}

/** "Failures and rejections together are capped at 5 attempts; a person's retry grants one more." */
const cap = 5;
const skips = new Set(['skip-all', 'treat-as-done', 'accept', 'skip-blocked']);
const needPerson = new Set(['review', 'rejection', 'soft-failure', 'livelock', 'conflict', 'merge']);

export class VerifyAuditor {
  readonly truth = new Map<number, Truth>();
  /** What people asked for, by the name they gave. */
  readonly issued = new Map<string, string>();
  readonly ledger: VerifyLedger;
  readonly limit: number;
  private affected = new Set<string>();
  /** Its question was closed although it is still failed: it has to be asked anew at once. */
  private owed: string | null = null;

  constructor(plan: Plan, limit: number) {
    this.ledger = new VerifyLedger(plan);
    this.limit = limit;
  }

  /** @param plan as it stands after the event, for those that load one */
  audit(event: StoredEvent, plan: Plan): void {
    const { ledger } = this;
    if (event.type !== 'task-skipped' && event.type !== 'attempt-doomed' && event.type !== 'job-doomed')
      this.affected.clear();
    const isAskedAnew = event.type === 'decision-opened' && event.task === this.owed;
    this.demand(this.owed === null || isAskedAnew, 'a question stays until it is answered or moot', `${this.owed}`);
    this.owed = null;
    switch (event.type) {
      case 'plan-loaded':
        return ledger.load(plan);
      case 'plan-paused':
        ledger.paused = true;
        return;
      case 'plan-resumed':
        ledger.paused = false;
        return;
      case 'run-started':
        this.demand(ledger.run === null, 'one run', event.run);
        Object.assign(ledger, { run: event.run, stopping: null, isIsolated: event.isolation !== undefined });
        return;
      case 'run-stopping':
        ledger.stopping = event.mode;
        return;
      case 'run-ended':
        return this.ended(event);
      case 'attempt-scheduled':
        return this.attemptScheduled(event);
      case 'check-scheduled':
      case 'review-scheduled':
      case 'merge-scheduled':
        return this.jobScheduled(event);
      case 'attempt-doomed':
      case 'job-doomed': {
        const { live } = this.leaf(event.task);
        if (live?.token === event.token) live.doomed = true;
        return;
      }
      case 'attempt-ended':
        return this.attemptEnded(event);
      case 'check-ended':
        return this.checkEnded(event);
      case 'review-ended':
        return this.reviewEnded(event);
      case 'merge-ended':
      case 'merge-interrupted':
      case 'merge-held':
        return this.mergeEnded(event);
      case 'retry-scheduled': {
        const leaf = this.leaf(event.task);
        if (event.because === 'failed') this.strike(leaf);
        this.demand(leaf.live === null, 'nothing runs for it', `${event.task} is tried again while something runs`);
        Object.assign(leaf, { status: 'pending', ended: null });
        return;
      }
      case 'task-completed':
        return this.completed(this.leaf(event.task), event.attempt);
      case 'task-failed': {
        const leaf = this.leaf(event.task);
        if (event.failure.kind !== 'lost' && event.failure.kind !== 'rejected') this.strike(leaf);
        Object.assign(leaf, { status: 'failed', ended: null });
        return;
      }
      case 'task-skipped': {
        const isDecided = this.affected.has(event.task);
        this.demand(isDecided || this.issued.get(event.by) === 'skip', 'nothing is skipped silently', event.task);
        Object.assign(this.leaf(event.task), { status: 'skipped', ended: null });
        return;
      }
      case 'task-suspended':
        Object.assign(this.leaf(event.task), { status: 'suspended', ended: null });
        return;
      case 'task-resumed':
      case 'task-retried':
        return this.reopened(event.task);
      case 'decision-opened':
        return this.opened(event);
      case 'decision-answered':
        return this.answered(event);
      case 'decision-closed': {
        const question = this.question(event.decision);
        const status = ledger.leaves.get(question.task ?? '')?.status;
        // Nobody has to decide about a failure that holds nobody back any more; what an edit took out of the plan is not held back.
        const isNeeded = question.blocks.some(
          (id) => ledger.leaves.has(id) && !hasEnded(ledger.leaves.get(id)!.status),
        );
        if (question.kind === 'failure' && status === 'failed' && isNeeded) this.owed = question.task!;
        if (question.kind === 'review') this.unasked(question.task!);
        ledger.questions.delete(event.decision);
        return;
      }
      default:
        return;
    }
  }

  /** Nobody at work: suspended, skipped and ended tasks have nothing that lives, but what is being ended. */
  settled(): void {
    for (const { task, status, live } of this.ledger.all()) {
      const isBusy = live !== null && !live.doomed;
      this.demand(!isBusy || status === 'in_progress', 'withdrawn work is ended', `${task.id} is ${status} and runs`);
    }
  }

  private attemptScheduled(event: StoredEvent & { type: 'attempt-scheduled' }): void {
    const { ledger } = this;
    const leaf = this.leaf(event.task);
    const { task } = leaf;
    this.demand(
      leaf.live === null && leaf.status === 'pending',
      'one thing at a time',
      `${event.attempt} beside another`,
    );
    this.demand(!ledger.paused && !ledger.stopping, 'no start when paused or stopped', event.attempt);
    const held = [...ledger.questions.values()].find(({ kind, task: of }) => kind === 'livelock' && of === undefined);
    this.demand(!held, 'a loop of the plan holds it', event.attempt);
    const asked = [...ledger.questions.values()].find(
      ({ kind, task: of }) => kind === 'soft-failure' && of === task.id,
    );
    this.demand(!asked, 'asked before it starts', event.attempt);
    const busy = ledger
      .all()
      .filter(({ live }) => live !== null && live.kind !== 'review' && live.kind !== 'merge').length;
    this.demand(busy < this.limit, 'limits hold', `${event.attempt} is one too many`);
    if (task.closes !== undefined) {
      const open = ledger.closedBy(task).find((closed) => !ledger.isPassed(closed));
      this.demand(!open, 'closing comes last', `${event.attempt} before ${open?.task.id} (${open?.status})`);
    }
    if (ledger.isIsolated && isOnResults(task, event.agent)) {
      const other = ledger.all().find((one) => one.onResults && (one.live !== null || one.ended !== null));
      this.demand(!other, 'one at a time in the tree of results', `${event.attempt} beside ${other?.task.id}`);
    }
    leaf.onResults = isOnResults(task, event.agent);
    leaf.live = { token: event.token, kind: 'attempt', attempt: event.attempt, keys: task.keys, doomed: false };
    Object.assign(leaf, { status: 'in_progress', ended: null });
  }

  private jobScheduled(
    event: StoredEvent & { type: 'check-scheduled' | 'review-scheduled' | 'merge-scheduled' },
  ): void {
    const leaf = this.leaf(event.task);
    const { ended } = leaf;
    this.demand(leaf.live === null, 'one thing at a time', `a check or review of ${event.attempt} beside another`);
    this.demand(ended?.attempt === event.attempt && ended.well, 'only what ended well is verified', event.attempt);
    const { stopping } = this.ledger;
    this.demand(stopping === null || stopping === 'drain', 'no start when paused or stopped', event.attempt);
    const kind = event.type.slice(0, -'-scheduled'.length) as 'check' | 'review' | 'merge';
    if (kind === 'review') {
      const others = this.ledger.all().filter((other) => other !== leaf);
      this.demand(!others.some(({ live }) => live?.kind === 'review'), 'one review at a time', event.attempt);
      const first = others.find((other) => this.isWaiting(other) && other.ended!.arrivedAt < ended!.arrivedAt);
      this.demand(!first, 'reviews in order of arrival', `${event.attempt} before ${first?.task.id}`);
      this.demand(this.isChecked(leaf), 'checked before it is reviewed', event.attempt);
    }
    if (kind === 'merge') {
      const isGoingOn = this.ledger.all().some(({ live }) => live?.kind === 'merge');
      this.demand(!isGoingOn, 'one merge at a time', event.attempt);
      this.demand(this.isChecked(leaf) && this.isApproved(leaf), 'only what is proved is merged', event.attempt);
      const asked = [...this.ledger.questions.values()].some(({ kind: asks }) => asks === 'merge');
      this.demand(!asked, 'a held branch is left alone', event.attempt);
    }
    leaf.live = { token: event.token, kind, attempt: event.attempt, doomed: false };
  }

  private mergeEnded(event: StoredEvent & { type: 'merge-ended' | 'merge-interrupted' | 'merge-held' }): void {
    const { merge } = this.truth.get(event.token)!;
    const leaf = this.over(event.task, event.token);
    if (event.type !== 'merge-ended') return;
    const isSaid = merge?.kind === 'ended' && merge.result === event.result;
    this.demand(isSaid, 'only a merge is one', event.attempt);
    if (leaf?.ended?.attempt !== event.attempt) return;
    if (event.result === 'merged' || event.result === 'nothing') leaf.ended.merged = true;
  }

  private attemptEnded(event: StoredEvent & { type: 'attempt-ended' }): void {
    const { keys } = this.leaf(event.task).live ?? {};
    const leaf = this.over(event.task, event.token);
    if (leaf?.status !== 'in_progress') return;
    const { end } = this.truth.get(event.token)!;
    const well = end.kind === 'exited' && end.code === 0;
    const ended: Ended = {
      attempt: event.attempt,
      keys: keys ?? leaf.task.keys,
      well,
      green: new Set(),
      approved: false,
      merged: event.evidence?.work ? false : null,
      rejected: false,
      arrivedAt: 0,
      questions: 0,
    };
    leaf.ended = ended;
    this.arrive(leaf, event.seq);
  }

  private checkEnded(event: StoredEvent & { type: 'check-ended' }): void {
    const { end } = this.truth.get(event.token)!;
    const isGreen = end.kind === 'exited' && end.code === 0;
    this.demand(event.result !== 'passed' || isGreen, 'green is green', `${event.attempt} check ${event.check}`);
    const leaf = this.over(event.task, event.token);
    if (leaf?.ended?.attempt !== event.attempt) return;
    if (event.result === 'passed') leaf.ended!.green.add(event.check);
    this.arrive(leaf!, event.seq);
  }

  private reviewEnded(event: StoredEvent & { type: 'review-ended' }): void {
    if (event.token !== undefined) {
      const { end, answer } = this.truth.get(event.token)!;
      const isSaid = end.kind === 'exited' && end.code === 0 && answer?.verdict === 'approved';
      this.demand(event.result !== 'approved' || isSaid, 'only an approval is one', event.attempt);
    } else this.demand(this.issued.has(event.by), 'nothing unasked', `a review by ${event.by}`);
    const leaf = event.token === undefined ? this.leaf(event.task) : this.over(event.task, event.token);
    const ended = leaf?.ended;
    if (!leaf || ended?.attempt !== event.attempt || ended.rejected || ended.approved) return;
    if (event.result === 'approved') ended.approved = true;
    else if (event.result === 'rejected') {
      ended.rejected = true;
      this.strike(leaf);
    } else ended.arrivedAt = event.seq;
  }

  private completed(leaf: Leaf, attempt: string | undefined): void {
    const { ended, task } = leaf;
    const name = `${task.id} by ${attempt}`;
    this.demand(ended !== null && ended.attempt === attempt && ended.well, 'done needs a good end', name);
    this.demand(this.isChecked(leaf), 'done needs green checks', name);
    this.demand(this.isApproved(leaf), 'done needs an approval', name);
    this.demand(ended!.merged !== false, 'done needs a merge', name);
    this.demand(leaf.live === null, 'nothing runs for it', name);
    Object.assign(leaf, { status: 'completed', ended: null, strikes: 0, granted: 0 });
  }

  private opened(event: StoredEvent & { type: 'decision-opened' }): void {
    const { kind, task, options, decision, blocks } = event;
    this.demand(!this.ledger.questions.has(decision) && !this.ledger.answered.has(decision), 'asked once', decision);
    if (kind === 'review') {
      const { ended } = this.leaf(task!);
      this.demand(ended !== null && ended.questions === 0, 'a person is asked once', `${task}`);
      ended!.questions++;
    }
    this.ledger.questions.set(decision, { kind, task, options, blocks: blocks.tasks });
  }

  private answered(event: StoredEvent & { type: 'decision-answered' }): void {
    const { decision, choice, by, affected } = event;
    this.demand(!this.ledger.answered.has(decision), 'answered at most once', decision);
    const question = this.question(decision);
    this.demand(question.options.includes(choice), 'only what is offered', `${decision} by ${choice}`);
    const isPerson = this.issued.get(by) === `answer ${decision} ${choice}`;
    this.demand(isPerson || by === 'signalbox', 'nothing unasked', `${decision} answered by ${by}`);
    if (question.kind === 'review') this.unasked(question.task!);
    this.ledger.questions.delete(decision);
    this.ledger.answered.add(decision);
    if (skips.has(choice)) this.affected = new Set(affected);
  }

  private ended(event: StoredEvent & { type: 'run-ended' }): void {
    const { ledger } = this;
    const required = ledger.all().filter(({ task }) => !task.optional);
    const unended = required.filter(({ status }) => ['pending', 'in_progress', 'suspended'].includes(status));
    const failed = required.filter(({ status }) => status === 'failed');
    const kinds = [...ledger.questions.values()].map(({ kind }) => kind);
    const isTrue = {
      complete: unended.length + failed.length === 0,
      failed: failed.length > 0 && unended.length === 0,
      stuck: unended.length > 0 && !kinds.some((kind) => needPerson.has(kind)),
      waiting: kinds.some((kind) => needPerson.has(kind)),
      paused: ledger.paused,
      aborted: ledger.stopping !== null || event.exitCode === 137,
    }[event.outcome];
    const told = `${event.outcome}: open ${unended.map(({ task }) => task.id)}, failed ${failed.map(({ task }) => task.id)}, asked ${kinds}`;
    this.demand(isTrue, 'true outcome', told);
    ledger.run = null;
  }

  /** Whoever resumes what a rule has suspended gives it another attempt too. */
  private reopened(task: string): void {
    const leaf = this.leaf(task);
    Object.assign(leaf, { status: 'pending', ended: null, granted: leaf.granted + 1 });
    this.ledger.reopenClosers(leaf);
  }

  private strike(leaf: Leaf): void {
    leaf.strikes++;
    const most = cap + leaf.granted;
    this.demand(leaf.strikes <= most, 'five failures and rejections', `${leaf.task.id}: ${leaf.strikes} of ${most}`);
  }

  private over(task: string, token: number): Leaf | null {
    const leaf = this.leaf(task);
    if (leaf.live?.token !== token) return null;
    leaf.live = null;
    return leaf;
  }

  private arrive(leaf: Leaf, seq: number): void {
    if (leaf.ended!.well && this.isChecked(leaf)) leaf.ended!.arrivedAt = seq;
  }

  private isWaiting({ task, ended, live }: Leaf): boolean {
    return task.keys.review === 'agent' && live === null && ended !== null && ended.arrivedAt > 0 && !ended.approved;
  }

  private isChecked({ task, ended }: Leaf): boolean {
    return ((ended?.keys ?? task.keys).check ?? []).every((_, i) => ended?.green.has(i));
  }

  private isApproved({ task, ended }: Leaf): boolean {
    return ((ended?.keys ?? task.keys).review ?? 'none') === 'none' || ended?.approved === true;
  }

  private unasked(task: string): void {
    const leaf = this.ledger.leaves.get(task);
    if (leaf?.ended) leaf.ended.questions = 0;
  }

  private leaf(task: string): Leaf {
    const leaf = this.ledger.leaves.get(task);
    this.demand(leaf !== undefined, 'known tasks', task);
    return leaf!;
  }

  private question(decision: string) {
    const question = this.ledger.questions.get(decision);
    this.demand(question !== undefined, 'answered at most once', decision);
    return question!;
  }

  private demand(holds: boolean, promise: string, text: string): void {
    if (!holds) throw new Broken(promise, text);
  }
}

const hasEnded = (status: string | undefined): boolean =>
  status === 'completed' || status === 'failed' || status === 'skipped';

const isOnResults = ({ closes, keys }: Task, agent: string | undefined): boolean =>
  closes !== undefined || (keys.run !== undefined && agent === undefined);
