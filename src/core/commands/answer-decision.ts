// What an answer to a decision changes. People and policies answer alike, from the command line and the library.
//
//   retry, retry-with-note, other-agent, escalate    one more attempt; with words, by another agent, by the debugging agent
//   fix                                              suspended until a person has repaired it and resumes it
//   skip-all                                         skipped, and what needs it too; the error is kept
//   treat-as-done                                    skipped, and what needs it goes on
//   accept (a batch)                                 completed tasks stay; the rest, and what needs it, is skipped
//   skip-blocked (a plan that is stuck)              tasks that cannot run are skipped
//   go-on                                            as if nothing had been asked
//   retry-with-note, go-on (a question)              resumed, with or without an answer: nothing has failed
//   approve, reject                                  the verdict of a person's review
//   abort                                            the run is stopped; everything stays as it is, and the next run continues

import { blockedTasks } from '../explain/stuck.ts';
import { commandLine } from '../model/command-line.ts';
import type { Choice, DecisionEvidence, DecisionKind, OnFailure, OpenDecision } from '../model/decision.ts';
import type { Event } from '../model/event.ts';
import { attemptId, type DecisionId, type TaskId } from '../model/ids.ts';
import { impossible } from '../model/impossible.ts';
import { fingerprintOf, type Issue, type Severity } from '../model/review.ts';
import { selectLeaves } from '../model/selection.ts';
import { backoffMs } from '../rules/backoff.ts';
import { endedBatches, isOvertaken } from '../rules/overtaken-decisions.ts';
import { leavesOf } from '../state/questions/status.ts';
import type { PlanState } from '../state/state.ts';
import { type Answer, accept, refuse } from './accept-or-refuse.ts';
import { dependentLeaves, withdraw } from './steer.ts';

export interface AnswerInput {
  readonly choice: Choice;
  readonly by: string;
  /** `by` is the name of an agent, not of the person who is logged in. */
  readonly asAgent?: boolean;
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
  if (choice === 'retry-with-note' && !note) return refuse('the note is missing', 'add --note TEXT');
  if (choice === 'other-agent' && !agent) return refuse('the agent is missing', 'add --agent NAME');
  if (choice === 'details' || choice === 'restructure') {
    return refuse(`${choice} is not an answer by itself`, `see its options: signalbox decide ${decision.id}`);
  }
  if (isOvertaken(plan, decision)) {
    return refuse(
      `${decision.id} no longer needs an answer: the situation has changed`,
      'see what is open: signalbox decide',
    );
  }
  const own = againstOwnWork(plan, decision, input);
  if (own) return own;
  const about = decision.task === undefined ? -1 : plan.index.get(decision.task)!;
  const blocked = about === -1 ? [] : dependentLeaves(plan, about);
  const given = { ...input, id: decision.id, kind: decision.kind, about, blocked, decision };
  if (decision.kind === 'soft-failure' && choice === 'retry' && retryPreferred(plan, given).length === 0) {
    return refuse(
      'none of the tasks that it prefers can be tried again',
      `see why: ${commandLine('why', decision.task!)}`,
    );
  }
  return accept(answerEvents(plan, given));
}

/** An agent does not decide about what it did itself by hand. People may: it is their plan. Null: they may answer. */
export function againstOwnWork(
  plan: PlanState,
  decision: OpenDecision,
  { by, asAgent }: Pick<AnswerInput, 'by' | 'asAgent'>,
): ReturnType<typeof refuse> | null {
  const own = asAgent ? tasksInQuestion(plan, decision).find((i) => plan.tasks[i]!.workedBy === by) : undefined;
  if (own === undefined) return null;
  return refuse(
    `${by} worked on ${idOf(plan, own)} itself: another has to decide`,
    `a person answers it under their own name: signalbox decide ${decision.id}`,
  );
}

/** The tasks whose work an answer judges. */
function tasksInQuestion(plan: PlanState, decision: OpenDecision): readonly number[] {
  const { kind, task } = decision;
  if (kind === 'batch') return restOfBatch(plan, decision);
  if (kind === 'soft-failure') return preferredLeaves(plan, decision);
  if (task === undefined) return [];
  const i = plan.index.get(task)!;
  const { closes, parent } = plan.plan.tasks[i]!;
  // The review of a group is about the work of its subtasks.
  return closes === 'group' ? leavesOf(plan, parent!) : [i];
}

interface GivenAnswer extends AnswerInput {
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
export function answerEvents(plan: PlanState, given: GivenAnswer): Event[] {
  const { id: decision, about, choice, by, policy, note, agent } = given;
  const follow = followUps(plan, given);
  const affected = [
    ...new Set(follow.flatMap((event) => ('task' in event && event.task !== undefined ? event.task : []))),
  ];
  const reason = given.reason ?? (policy === undefined ? undefined : `on-failure: ${policy}`);
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
      ...(choice === 'retry-with-note' ? { note: note! } : {}),
      ...(choice === 'other-agent' ? { agent: agent! } : {}),
      affected,
      ...(policy === undefined ? {} : { policy }),
    },
    ...follow,
  ];
}

function followUps(plan: PlanState, given: GivenAnswer): Event[] {
  const { choice, about, blocked, kind } = given;
  const own = kind === 'batch' ? restOfBatch(plan, given.decision) : about === -1 ? [] : [about];
  switch (choice) {
    case 'retry-with-note':
      if (kind === 'question') return own.map((i) => resumed(plan, i, given));
      return own.map((i) => retried(plan, i, given));
    case 'retry':
    case 'other-agent':
    case 'escalate':
      return kind === 'soft-failure' ? retryPreferred(plan, given) : own.map((i) => retried(plan, i, given));
    case 'go-on':
      return kind === 'livelock' || kind === 'question' ? own.map((i) => resumed(plan, i, given)) : [];
    case 'fix':
      return own.flatMap((i) => suspended(plan, i, given));
    case 'skip-all':
      return [...own, ...blocked].flatMap((i) => skipped(plan, i, given, false));
    case 'treat-as-done':
      return own.flatMap((i) => skipped(plan, i, given, true));
    case 'accept': {
      const rest = new Set(own);
      for (const i of own) for (const other of dependentLeaves(plan, i)) rest.add(other);
      return [...rest].flatMap((i) => skipped(plan, i, given, false));
    }
    case 'skip-blocked':
      return stuckLeaves(plan).flatMap((i) => skipped(plan, i, given, false));
    case 'approve':
    case 'reject':
      return own.map((i) => reviewed(plan, i, given));
    case 'abort':
      return aborted(plan, given);
    case 'details':
    case 'restructure':
      return [];
    /* v8 ignore start */
    default:
      return impossible(choice);
    /* v8 ignore stop */
  }
}

type EvidenceOf<Kind extends DecisionEvidence['kind']> = Extract<DecisionEvidence, { readonly kind: Kind }>;

const idOf = (plan: PlanState, i: number): TaskId => plan.plan.tasks[i]!.id;
const about = (plan: PlanState, i: number) => ({ v: 1, plan: plan.path, task: idOf(plan, i) }) as const;
const spoken = ({ by, reason, policy, choice }: GivenAnswer) => {
  const why = reason ?? (policy === undefined ? choice : `on-failure: ${policy}`);
  return { by, reason: why };
};

function retried(plan: PlanState, i: number, given: GivenAnswer): Event {
  const { by, choice, note, agent, reason } = given;
  const words = note ?? reason;
  const notBefore = waitsUntil(plan, i, given);
  return {
    type: 'task-retried',
    ...about(plan, i),
    by,
    ...(words === undefined ? {} : { note: words }),
    ...(choice === 'other-agent' ? { agent: agent! } : {}),
    ...(choice === 'escalate' ? { escalated: true } : {}),
    ...(notBefore === undefined ? {} : { notBefore }),
  };
}

/** A policy repeats what failed, so the task waits as before any other retry. A person who says retry means now. */
function waitsUntil(plan: PlanState, i: number, { by, choice, kind, decision }: GivenAnswer): number | undefined {
  if (by !== 'signalbox' || choice !== 'retry' || (kind !== 'failure' && kind !== 'batch')) return undefined;
  const { attempts, failures, status } = plan.tasks[i]!;
  // The failure that has just come is not recorded yet.
  const nth = failures + (status === 'failed' ? 0 : 1);
  return decision.openedAt + backoffMs(attemptId(idOf(plan, i), attempts), Math.max(1, nth));
}

/** The task waits for its preferred tasks once more. */
function retryPreferred(plan: PlanState, given: GivenAnswer): Event[] {
  const leaves = preferredLeaves(plan, given.decision);
  const ended = leaves.filter((leaf) => ['failed', 'skipped'].includes(plan.tasks[leaf]!.status));
  return ended.map((leaf) => retried(plan, leaf, given));
}

function preferredLeaves(plan: PlanState, { evidence }: OpenDecision): number[] {
  const { tasks } = evidence as EvidenceOf<'preferred'>;
  return tasks.flatMap((id) => {
    const i = plan.index.get(id);
    return i === undefined ? [] : leavesOf(plan, i);
  });
}

function resumed(plan: PlanState, i: number, { by, note, decision }: GivenAnswer): Event {
  const { evidence } = decision;
  const answer = note === undefined ? 'Nobody answered it. Decide yourself.' : `The answer: ${note}`;
  // The next attempt is another process, and does not know what was asked.
  const words = evidence?.kind === 'question' ? { note: `The question was: ${evidence.question}\n\n${answer}` } : {};
  return { type: 'task-resumed', ...about(plan, i), by, ...words };
}

function suspended(plan: PlanState, i: number, given: GivenAnswer): Event[] {
  const reason = given.reason ?? 'to be repaired by hand';
  return [{ type: 'task-suspended', ...about(plan, i), by: given.by, reason }, ...withdraw(plan, i)];
}

/** A dependent may be running by now, if this task counted as done for a while. */
const skipped = (plan: PlanState, i: number, given: GivenAnswer, treatAsDone: boolean): Event[] => [
  { type: 'task-skipped', ...about(plan, i), ...spoken(given), ...(treatAsDone ? { treatAsDone: true } : {}) },
  ...withdraw(plan, i),
];

/** Computed anew: something may have been repaired since the question. */
function stuckLeaves(plan: PlanState): number[] {
  const selection = plan.run?.selection;
  const blocked = blockedTasks(plan, selection ? selectLeaves(plan, selection) : null);
  return blocked.flatMap(({ task, causes }) => (causes.length > 0 ? plan.index.get(task)! : []));
}

function reviewed(plan: PlanState, i: number, { by, choice, reason, severity, issues }: GivenAnswer): Event {
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

function aborted(plan: PlanState, { by }: GivenAnswer): Event[] {
  const { run } = plan;
  if (!run || run.ended || run.stopping) return [];
  return [{ type: 'run-stopping', v: 1, plan: plan.path, run: run.run, mode: 'stop', by, exitCode: 143 }];
}

/** The tasks of the phase that were not completed. */
function restOfBatch(plan: PlanState, { evidence }: OpenDecision): number[] {
  const phases = new Set(endedBatches(plan, (evidence as EvidenceOf<'batch'>).phase));
  return plan.plan.tasks.flatMap((task, i) => {
    if (!phases.has(task.phase) || task.group || task.closes !== undefined) return [];
    const { status } = plan.tasks[i]!;
    return status === 'failed' || status === 'suspended' ? i : [];
  });
}
