// What the agent of a task would be told if its next attempt began now.
import { performerOf } from '../../agents/performer.ts';
import { prompt } from '../../agents/prompt/prompt.ts';
import { attemptId, hostId, runId } from '../../core/model/ids.ts';
import type { Isolation } from '../../core/model/run-event.ts';
import { preferenceWarnings } from '../../core/rules/decide.ts';
import { accountOf } from '../../core/rules/quota.ts';
import { attemptNumber } from '../../core/state/earlier-rounds.ts';
import type { LiveAttempt, PlanState, State } from '../../core/state/state.ts';
import { TaskLogs } from '../../runner/attempts/task-logs.ts';
import { told } from '../../runner/attempts/told.ts';
import { workOf } from '../../runner/attempts/work.ts';
import type { Store } from '../../store/store.ts';
import { promptTemplate } from '../files/prompt-template.ts';
import { Refusal } from '../refusal.ts';
import type { PromptReport } from '../reports/prompt.ts';
import type { Workspace } from '../workspace.ts';
import { findTask } from './find-task.ts';

interface PromptPlace {
  readonly workspace: Workspace;
  readonly store: Pick<Store, 'workspace'> | null;
  /** Of the run that goes on, or of the next one. */
  readonly isolation: Isolation | null;
}

export function promptReport(
  state: State,
  plan: PlanState,
  task: string,
  { workspace, store, isolation }: PromptPlace,
): PromptReport {
  const at = findTask(plan, task);
  const { id, group, keys } = plan.plan.tasks[at]!;
  const { agent } = plan.tasks[at]!;
  const instead = `see what it does: signalbox why ${id}`;
  if (group)
    throw new Refusal(2, `${id} is a group: its subtasks are performed, each with a prompt of its own`, { instead });
  if (keys.run !== undefined && agent === null)
    throw new Refusal(2, `${id} has no prompt, because it runs a command: ${keys.run}`, { instead });
  const job = { kind: 'attempt', ...(agent === null ? {} : { agent }) } as const;
  const performer = performerOf(job, plan.plan.tasks[at]!, workspace.settings);
  const attempt = attemptId(id, attemptNumber(plan, at) + 1);
  const account = accountOf(plan, at);
  const live: LiveAttempt = {
    ...(account === undefined ? {} : { account }),
    ...{ plan: plan.path, task: id, attempt, token: 0, run: runId('none'), host: hostId('none'), job },
    ...{ warnings: preferenceWarnings(plan, at), pools: [], supervisor: null, doom: null },
    ...{ scheduledAt: 0, startedAt: 0, parkedMs: 0, parkedSince: 0, uncountedMs: 0 },
  };
  const work = { ...workOf(state, live), isolation };
  const logs = store && new TaskLogs(workspace, store);
  const template = promptTemplate(workspace);
  const site = { ...workspace, ...(template === undefined ? {} : { template }) };
  const text = prompt({ plan: plan.plan, task: work.task, attempt, ...told(work, site, logs) });
  return { plan: plan.path, task: id, attempt, agent: 'kind' in performer ? performer.name : null, text };
}
