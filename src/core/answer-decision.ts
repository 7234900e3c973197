// What an answer to a decision changes. The same for people and policies, and for every face.
//
//   retry, retry-with-note, other-agent, escalate    one more attempt; with words, by another agent, by the debugging agent
//   fix                                              suspended until a person has repaired it and resumes it
//   skip-all                                         skipped, and what needs it too; the error is kept
//   treat-as-done                                    skipped, and what needs it goes on
//   accept (a batch)                                 what was completed stays, the rest and what needs it is skipped
//   skip-blocked (a plan that is stuck)              what cannot run is skipped
//   go-on                                            as if nothing had been asked
//   approve, reject                                  the verdict of a person's review
//   abort                                            the run is stopped; everything stays as it is and can be gone on with
import type { Choice, DecisionKind, Evidence, OnFailure, OpenDecision } from './decision.ts';
import type { Event } from './event.ts';
import type { DecisionId, TaskId } from './ids.ts';
import { impossible } from './impossible.ts';
import { endedBatches, isOvertaken } from './overtaken.ts';
import { fingerprintOf, type Issue, type Severity } from './review.ts';
import { selectLeaves } from './selection.ts';
import type { PlanState } from './state.ts';
import { leavesOf } from './status.ts';
import { type Answer, dependentLeaves, withdraw } from './steer.ts';
import { blockedTasks } from './stuck.ts';

export interface AnswerInput {
  readonly choice: Choice;
  readonly by: string;
  readonly reason?: string;
  /** For the agent, with `retry-with-note`. */
  readonly note?: string;
  /** With `other-agent`. */
  readonly agent?: string;
  /** With `reject`. */
  readonly severity?: Severity;
  readonly issues?: readonly Issue[];
}

export function answerDecision(plan: PlanState, decision: OpenDecision, input: AnswerInput): Answer {
  const { choice, note, agent } = input;
  if (!decision.options.includes(choice)) {
    return refuse(`${decision.id} cannot be answered with ${choice}`, `choose one of: ${decision.options.join(', ')}`);
  }
  if (choice === 'retry-with-note' && !note) return refuse('the note is missing', 'say it with --note TEXT');
  if (choice === 'other-agent' && !agent) return refuse('the agent is missing', 'name it with --agent NAME');
  if (choice === 'details' || choice === 'restructure') {
    return refuse(`${choice} is not an answer by itself`, `see: signalbox decide ${decision.id}`);
  }
  if (isOvertaken(plan, decision)) {
    return refuse(`${decision.id} is no longer a question: what it was about has changed`, 'see: signalbox decide');
  }
  const about = decision.task === undefined ? -1 : plan.index.get(decision.task)!;
  const blocked = about === -1 ? [] : dependentLeaves(plan, about);
  const settled = { ...input, id: decision.id, kind: decision.kind, about, blocked, decision };
  if (decision.kind === 'soft-failure' && choice === 'retry' && retryPreferred(plan, settled).length === 0) {
    return refuse('nothing that it prefers can be tried again', 'see what that waits for: signalbox why');
  }
  return { ok: true, events: answerEvents(plan, settled) };
}

const refuse = (because: string, instead: string): Answer => ({ ok: false, because, instead });

interface Settled extends AnswerInput {
  readonly id: DecisionId;
  readonly kind: DecisionKind;
  /** Index of the task; -1: the plan. */
  readonly about: number;
  /** Leaves that need it and have not ended. */
  readonly blocked: readonly number[];
  readonly policy?: OnFailure;
  readonly decision: OpenDecision;
}

/** The answer and what follows from it. */
export function answerEvents(plan: PlanState, settled: Settled): Event[] {
  const { id: decision, about, choice, by, policy } = settled;
  const follow = followUps(plan, settled);
  const affected = [
    ...new Set(follow.flatMap((event) => ('task' in event && event.task !== undefined ? event.task : []))),
  ];
  const reason = settled.reason ?? (policy === undefined ? undefined : `on-failure: ${policy}`);
  const run = plan.run && !plan.run.ended ? { run: plan.run.run } : {};
  return [
    {
      type: 'decision-answered',
      v: 1,
      plan: plan.path,
      ...run,
      decision,
      ...(about === -1 ? {} : { task: plan.plan.tasks[about]!.id }),
      choice,
      by,
      ...(reason === undefined ? {} : { reason }),
      affected,
      ...(policy === undefined ? {} : { policy }),
    },
    ...follow,
  ];
}

function followUps(plan: PlanState, settled: Settled): Event[] {
  const { choice, about, blocked, kind } = settled;
  const own = kind === 'batch' ? restOfBatch(plan, settled.decision) : about === -1 ? [] : [about];
  switch (choice) {
    case 'retry':
    case 'retry-with-note':
    case 'other-agent':
    case 'escalate':
      return kind === 'soft-failure' ? retryPreferred(plan, settled) : own.map((i) => retried(plan, i, settled));
    case 'go-on':
      return kind === 'livelock' ? own.map((i) => resumed(plan, i, settled)) : [];
    case 'fix':
      return own.flatMap((i) => suspended(plan, i, settled));
    case 'skip-all':
      return [...own, ...blocked].flatMap((i) => skipped(plan, i, settled, false));
    case 'treat-as-done':
      return own.flatMap((i) => skipped(plan, i, settled, true));
    case 'accept': {
      const rest = new Set(own);
      for (const i of own) for (const other of dependentLeaves(plan, i)) rest.add(other);
      return [...rest].flatMap((i) => skipped(plan, i, settled, false));
    }
    case 'skip-blocked':
      return stuckLeaves(plan).flatMap((i) => skipped(plan, i, settled, false));
    case 'approve':
    case 'reject':
      return own.map((i) => reviewed(plan, i, settled));
    case 'abort':
      return aborted(plan, settled);
    case 'details':
    case 'restructure':
      return [];
    /* v8 ignore start */
    default:
      return impossible(choice);
    /* v8 ignore stop */
  }
}

type EvidenceOf<Kind extends Evidence['kind']> = Extract<Evidence, { readonly kind: Kind }>;

const idOf = (plan: PlanState, i: number): TaskId => plan.plan.tasks[i]!.id;
const about = (plan: PlanState, i: number) => ({ v: 1, plan: plan.path, task: idOf(plan, i) }) as const;
const spoken = ({ by, reason, policy, choice }: Settled) => {
  const why = reason ?? (policy === undefined ? choice : `on-failure: ${policy}`);
  return { by, reason: why };
};

function retried(plan: PlanState, i: number, settled: Settled): Event {
  const { by, choice, note, agent, reason } = settled;
  const words = note ?? reason;
  return {
    type: 'task-retried',
    ...about(plan, i),
    by,
    ...(words === undefined ? {} : { note: words }),
    ...(choice === 'other-agent' ? { agent: agent! } : {}),
    ...(choice === 'escalate' ? { escalated: true } : {}),
  };
}

/** Its preferences are looked at again when they have ended again. */
function retryPreferred(plan: PlanState, settled: Settled): Event[] {
  const { tasks } = settled.decision.evidence as EvidenceOf<'preferred'>;
  return tasks.flatMap((id) => {
    const i = plan.index.get(id);
    const leaves = i === undefined ? [] : leavesOf(plan, i);
    const ended = leaves.filter((leaf) => ['failed', 'skipped'].includes(plan.tasks[leaf]!.status));
    return ended.map((leaf) => retried(plan, leaf, settled));
  });
}

const resumed = (plan: PlanState, i: number, { by }: Settled): Event => ({
  type: 'task-resumed',
  ...about(plan, i),
  by,
});

function suspended(plan: PlanState, i: number, settled: Settled): Event[] {
  const reason = settled.reason ?? 'to be repaired by hand';
  return [{ type: 'task-suspended', ...about(plan, i), by: settled.by, reason }, ...withdraw(plan, i)];
}

/** One that needed it may be at work by now, if it was done or treated as done for a while. */
const skipped = (plan: PlanState, i: number, settled: Settled, treatAsDone: boolean): Event[] => [
  { type: 'task-skipped', ...about(plan, i), ...spoken(settled), ...(treatAsDone ? { treatAsDone: true } : {}) },
  ...withdraw(plan, i),
];

/** What cannot go on as things stand now: something may have been repaired since it was asked. */
function stuckLeaves(plan: PlanState): number[] {
  const selection = plan.run?.selection;
  const blocked = blockedTasks(plan, selection ? selectLeaves(plan, selection) : null);
  return blocked.flatMap(({ task, causes }) => (causes.length > 0 ? plan.index.get(task)! : []));
}

function reviewed(plan: PlanState, i: number, { by, choice, reason, severity, issues }: Settled): Event {
  const attempt = plan.tasks[i]!.ended!.attempt;
  if (choice === 'approve') return { type: 'review-ended', ...about(plan, i), attempt, by, result: 'approved' };
  const said: readonly Issue[] = issues ?? (reason === undefined ? [] : [{ message: reason }]);
  return {
    type: 'review-ended',
    ...about(plan, i),
    attempt,
    by,
    result: 'rejected',
    severity: severity ?? 'medium',
    issues: said,
    fingerprint: fingerprintOf(said),
  };
}

function aborted(plan: PlanState, { by }: Settled): Event[] {
  const { run } = plan;
  if (!run || run.ended || run.stopping) return [];
  return [{ type: 'run-stopping', v: 1, plan: plan.path, run: run.run, mode: 'stop', by, exitCode: 143 }];
}

/** What of the phase was not completed. */
function restOfBatch(plan: PlanState, { evidence }: OpenDecision): number[] {
  const phases = new Set(endedBatches(plan, (evidence as EvidenceOf<'batch'>).phase));
  return plan.plan.tasks.flatMap((task, i) => {
    if (!phases.has(task.phase) || task.group || task.closes !== undefined) return [];
    const { status } = plan.tasks[i]!;
    return status === 'failed' || status === 'suspended' ? i : [];
  });
}
