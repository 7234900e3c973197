// An answer to a decision: what is meant, whether the one who answers may, and the report. Of two answers the first wins.
import { agentNamed } from '../../agents/kind.ts';
import { type Answer, accept } from '../../core/commands/accept-or-refuse.ts';
import { answerDecision } from '../../core/commands/answer-decision.ts';
import type { Choice, OpenDecision } from '../../core/model/decision.ts';
import type { TaskId } from '../../core/model/ids.ts';
import type { Task } from '../../core/model/plan.ts';
import type { PlanState } from '../../core/state/state.ts';
import { nearest } from '../../plan/diagnostics/nearest.ts';
import { type Acting, act } from '../act/act.ts';
import { agentNames, nearAgent } from '../look/near-agent.ts';
import { repairFolder } from '../look/repair-folder.ts';
import { Refusal } from '../refusal.ts';
import type { DecisionAnswerReport } from '../reports/decisions.ts';
import { agentHindrance } from '../run/ready-to-run.ts';
import type { Workspace } from '../workspace.ts';
import type { DecisionAnswer } from './decision-door.ts';
import { findDecision, knownIn, refuseMissing } from './find-decision.ts';

export interface Answering extends Acting {
  readonly workspace: Workspace;
  /** Of whoever answers: agents are looked for on its PATH. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly by: string;
  readonly asAgent: boolean;
}

/** @param find what is meant; null: it is not open, and the reason is looked for in the log. */
export async function answer(
  to: Answering,
  id: string,
  said: DecisionAnswer,
  find: (plan: PlanState) => OpenDecision | null = (plan) => findDecision(plan, id),
): Promise<DecisionAnswerReport> {
  const { store, path } = to;
  const { seen: running, events } = await act(
    to,
    (plan) => {
      const decision = find(plan);
      return decision ? tell(plan, decision, to, said) : accept([]);
    },
    to.isRunning,
  );
  const answered = events.find((event) => event.type === 'decision-answered');
  if (!answered) return refuseMissing(store, path, id, await store.read((state) => knownIn(state.plans.get(path)!)));
  const { decision, choice, task = null, affected } = answered;
  const repair = choice === 'fix' ? await store.read((state) => repairsOf(state.plans.get(path)!, affected)) : [];
  const report = { plan: path, decision, choice, task, affected, running, events };
  return repair.length === 0 ? report : { ...report, repair };
}

function repairsOf(plan: PlanState, tasks: readonly TaskId[]): NonNullable<DecisionAnswerReport['repair']> {
  return tasks.flatMap((task) => {
    const at = plan.index.get(task);
    const folder = at === undefined ? null : repairFolder(plan, at);
    return folder === null ? [] : [{ task, folder }];
  });
}

function tell(plan: PlanState, decision: OpenDecision, to: Answering, said: DecisionAnswer): Answer {
  const choice = knownChoice(decision, said.choice);
  if (choice === 'other-agent' && said.agent !== undefined) {
    refuseUnknownAgent(to.workspace, said.agent);
    refuseHinderedAgent(to, said.agent, plan.plan.tasks[plan.index.get(decision.task!)!]!);
  }
  if (choice === 'reject') refuseWithoutReason(said.reason);
  return answerDecision(plan, decision, { ...said, choice, by: to.by, asAgent: to.asAgent });
}

function knownChoice({ id, options }: OpenDecision, word: string): Choice {
  const choice = options.find((option) => option === word);
  if (choice) return choice;
  const near = nearest(word, options);
  throw new Refusal(2, `${id} cannot be answered with ${JSON.stringify(word)}`, {
    instead: `${near === undefined ? '' : `did you mean ${near}? `}choose one of: ${options.join(', ')}`,
  });
}

/** As `run` says it: the agent would perform every attempt of the task from now on. */
function refuseHinderedAgent({ workspace, env }: Answering, name: string, task: Task): void {
  const hindrance = agentHindrance(workspace, name, env, task);
  if (hindrance) throw new Refusal(7, hindrance.message, { instead: hindrance.help });
}

function refuseUnknownAgent({ settings }: Workspace, name: string): void {
  if (agentNamed(settings, name) !== null) return;
  const near = nearAgent(settings, name);
  const instead = near === undefined ? `there are: ${agentNames(settings).join(', ')}` : `did you mean ${near}?`;
  throw new Refusal(2, `no agent is called ${JSON.stringify(name)}`, { instead });
}

function refuseWithoutReason(reason: string | undefined): void {
  if (reason) return;
  throw new Refusal(2, 'the reason is missing', {
    instead: 'say what is wrong: --reason TEXT; the next attempt reads it',
  });
}
