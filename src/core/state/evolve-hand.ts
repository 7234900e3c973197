// Applies the events of work by hand.

import type { Stored } from '../model/event.ts';
import type { HandEvent, StatusImported } from '../model/hand-event.ts';
import { runId } from '../model/ids.ts';
import { impossible } from '../model/impossible.ts';
import { change } from './change-task.ts';
import { meet } from './questions/company.ts';
import type { PlanState, RunRecord, State, TaskState } from './state.ts';
import { rememberRequest } from './task-state.ts';

export function evolveHand(state: State, plan: PlanState, event: Stored<HandEvent>): void {
  switch (event.type) {
    case 'task-started':
      state.token = Math.max(state.token, event.token);
      state.hands.add(event.token);
      meet(state);
      return change(plan, event, (task) => {
        const { attempt, token, by, at } = event;
        task.status = 'in_progress';
        task.hand = { attempt, token, by, startedAt: at, lastAt: at };
        task.attempts++;
        task.token = token;
        task.workedBy = by;
        rememberRequest(task, 'mark-started', event);
        task.startedAt = at;
        if (task.firstStartedAt === 0) task.firstStartedAt = at;
        Object.assign(task, {
          ended: null,
          endedAt: 0,
          notBefore: 0,
          hold: null,
          stuck: false,
          passed: 0,
          after: null,
          startedWith: null,
        });
      });
    case 'task-seen':
      return change(plan, event, (task) => {
        if (task.hand?.token === event.token) task.hand = { ...task.hand, lastAt: event.at };
      });
    case 'task-handed-in':
      state.hands.delete(event.token);
      return change(plan, event, (task) => {
        if (task.hand?.token !== event.token) return;
        rememberRequest(task, 'mark-complete', event);
        task.hand = null;
        task.notes = event.notes ?? task.notes;
        task.ended = {
          end: { kind: 'exited', code: 0 },
          doom: null,
          attempt: event.attempt,
          run: byHand,
          evidence: null,
          checks: event.checks,
          interrupted: 0,
          problem: null,
          since: event.seq,
          failure: null,
          verdict: null,
          asked: null,
        };
      });
    case 'hand-run-started': {
      const { run, at: startedAt } = event;
      plan.history = remember(plan.history, { run, startedAt, endedAt: 0, completed: 0, failed: 0, outcome: null });
      return;
    }
    case 'hand-run-ended': {
      const { run, at: endedAt, completed, failed } = event;
      plan.history = plan.history.map((known) =>
        known.run === run ? { ...known, endedAt, completed, failed } : known,
      );
      return;
    }
    case 'status-imported':
      return importStatus(plan, event);
    /* v8 ignore start */
    default:
      impossible(event);
    /* v8 ignore stop */
  }
}

/** The run id of attempts by hand. */
export const byHand = runId('by-hand');

const mostRuns = 100;

export const remember = (history: readonly RunRecord[], run: RunRecord): readonly RunRecord[] =>
  [...history, run].slice(-mostRuns);

/** Never undoes a completed task: a box ticked in the plan stays ticked, whatever the file says. */
function importStatus(plan: PlanState, event: Stored<StatusImported>): void {
  for (const { task: id, ...said } of event.tasks) {
    change(plan, { task: id, seq: event.seq }, (task: TaskState) => {
      if (task.status === 'completed' && said.status !== 'completed') return;
      const { status, startedAt, endedAt, notes, failures, attempts, treatAsDone, by, reason } = said;
      Object.assign(task, { status, startedAt, notes, failures, attempts, treatAsDone, by, reason });
      task.endedAt = status === 'pending' ? 0 : endedAt || event.at;
      task.failedAt = said.errorAt;
      if (said.error !== null) task.failure = { kind: 'said', message: said.error };
      else if (status === 'failed') task.failure = { kind: 'said', message: 'it failed; how is not known any more' };
    });
  }
  const runs = event.runs.map((run): RunRecord => ({ ...run, outcome: null }));
  plan.history = [...runs, ...plan.history].slice(-mostRuns);
}
