// What the log claims about tasks: that a verdict follows from the end of the attempt by the rules of retry, and that the rest
// was said by a person.
import type { Event, StoredEvent } from '../../../src/core/model/event.ts';
import type { AttemptEnd, Doom } from '../../../src/core/model/failure.ts';
import type { Demand } from './attempt-claims.ts';
import type { Leaf, PlanLedger } from './ledger.ts';

type TaskEvent = Extract<
  Event,
  {
    type:
      | 'retry-scheduled'
      | 'backoff-ended'
      | 'task-completed'
      | 'task-failed'
      | 'task-skipped'
      | 'task-suspended'
      | 'task-resumed'
      | 'task-retried';
  }
> &
  Pick<StoredEvent, 'seq' | 'at'>;

export interface TaskClaimParts {
  readonly askedFor: (by: string, what: string) => void;
  /** What they have decided to go against, last; a task or a group. */
  readonly decided: (by: string) => string | undefined;
  /** Whether anybody ever asked for this. */
  readonly isIssued: (kind: string) => boolean;
  readonly demand: Demand;
}

export function taskClaim(plan: PlanLedger, event: TaskEvent, parts: TaskClaimParts): void {
  const leaf = plan.leaves.get(event.task)!;
  const { demand, askedFor } = parts;
  plan.changed();
  switch (event.type) {
    case 'task-completed':
    case 'task-failed':
    case 'retry-scheduled':
      return judged(leaf, event, demand);
    case 'backoff-ended': {
      const isDue = leaf.notBefore > 0 && (event.at >= leaf.notBefore || parts.isIssued('retry'));
      demand(isDue, 'backoff', `the backoff of ${event.task} ended at ${event.at}, due at ${leaf.notBefore}`);
      leaf.notBefore = 0;
      return;
    }
    case 'task-skipped':
      askedFor(event.by, event.treatAsDone ? 'treat-as-done' : 'skip');
      demand(leaf.status !== 'completed', 'completed is final', `${event.task} was skipped`);
      return reopen(leaf, 'skipped', event.treatAsDone ?? false);
    case 'task-suspended':
      if (event.by === 'signalbox') return silenced(leaf, demand);
      askedFor(event.by, 'suspend');
      return reopen(leaf, 'suspended', false);
    case 'task-resumed':
      askedFor(event.by, 'resume');
      demand(leaf.status === 'suspended', 'nothing unasked', `${event.task} was resumed while ${leaf.status}`);
      return reopen(leaf, 'pending', false);
    case 'task-retried':
      askedFor(event.by, 'retry');
      if (leaf.status === 'completed') {
        const isDecided = event.reopened === true && isWithin(plan, leaf, parts.decided(event.by));
        demand(isDecided, 'completed is final', `${event.task} was retried without a decision`);
      }
      leaf.granted++;
      return reopen(leaf, 'pending', false);
    default:
      demand(false, 'known events', (event as Event).type);
  }
}

function isWithin({ plan }: PlanLedger, { task }: Leaf, about: string | undefined): boolean {
  for (let at = plan.tasks.find(({ id }) => id === task.id); at; at = plan.tasks[at.parent ?? -1])
    if (at.id === about) return true;
  return false;
}

function reopen(leaf: Leaf, status: Leaf['status'], treatAsDone: boolean): void {
  Object.assign(leaf, { status, treatAsDone, notBefore: 0, unjudged: null, silent: 0, asked: false });
}

type Judgement = Extract<TaskEvent, { type: 'task-completed' | 'task-failed' | 'retry-scheduled' }>;

/** "A task is completed only when its process ended well"; `retries` for failures, five attempts at most, ten lost hosts. */
function judged(leaf: Leaf, event: Judgement, demand: Demand): void {
  const { unjudged } = leaf;
  demand(unjudged?.attempt.id === event.attempt, 'every end is judged', `${event.attempt}: a verdict without an end`);
  const { end, attempt } = unjudged!;
  leaf.unjudged = null;
  const meaning = meaningOf(leaf, end, attempt.doom);
  leaf.silent = meaning === 'silence' ? leaf.silent + 1 : 0;
  demand(leaf.silent < 3, 'silence', `${event.attempt} is the third that fell silent, and nobody is asked`);
  if (meaning === 'failure') leaf.failures++;
  if (meaning === 'lost') leaf.lost++;
  const allowed = Math.min((leaf.task.keys.retries ?? 2) + 1, 5) + leaf.granted;
  const isPermanent = end.kind === 'unstartable' && end.permanent;
  const isOver = isPermanent || (meaning === 'failure' ? leaf.failures >= allowed : leaf.lost >= 10);
  const costs = meaning === 'failure' || meaning === 'lost';
  const right = meaning === 'success' ? 'task-completed' : costs && isOver ? 'task-failed' : 'retry-scheduled';
  demand(event.type === right, 'true verdict', `${event.type} for ${event.attempt}, should be ${right} (${meaning})`);
  leaf.status = right === 'task-completed' ? 'completed' : right === 'task-failed' ? 'failed' : 'pending';
  if (event.type !== 'retry-scheduled') return;
  const waitMs = event.notBefore - event.at;
  const nth = { lost: leaf.lost, silence: leaf.silent }[meaning as string] ?? leaf.failures;
  const backoffMs = costs || meaning === 'silence' ? Math.min(1_000 * 2 ** (nth - 1), 300_000) : 0;
  const isRight = waitMs >= 0.8 * backoffMs - 1 && waitMs <= 1.2 * backoffMs + 1;
  demand(isRight, 'backoff', `${event.attempt} waits ${waitMs} ms after failure ${nth}`);
  leaf.notBefore = waitMs > 0 ? event.notBefore : 0;
}

/** "Silence is no failure by itself; three times in a row a person is asked." */
function silenced(leaf: Leaf, demand: Demand): void {
  const isSilence = leaf.unjudged && meaningOf(leaf, leaf.unjudged.end, leaf.unjudged.attempt.doom) === 'silence';
  demand(isSilence === true && leaf.silent === 2, 'nothing unasked', `${leaf.task.id} was suspended`);
  reopen(leaf, 'suspended', false);
  Object.assign(leaf, { asked: true });
}

type Meaning = 'success' | 'failure' | 'lost' | 'silence' | 'nothing';

function meaningOf({ task }: Leaf, end: AttemptEnd, doom: Doom | null): Meaning {
  if (doom?.kind === 'deadlock' || end.kind === 'never-started') return 'nothing';
  if (end.kind === 'unstartable') return 'failure';
  if (end.kind === 'exited' && end.code === 0) return 'success';
  if (doom?.kind === 'timeout') return 'failure';
  if (doom?.kind === 'idle' || doom?.kind === 'mute') return task.keys.run === undefined ? 'silence' : 'failure';
  if (doom !== null) return 'nothing';
  return end.kind === 'exited' ? 'failure' : 'lost';
}
