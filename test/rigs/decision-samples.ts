// For tests: a decision and the report about it, of which a test says what matters to it.
import type { DecisionShowReport } from '../../src/api/reports/decisions.ts';
import type { OpenDecision } from '../../src/core/model/decision.ts';
import { decisionId, taskId } from '../../src/core/model/ids.ts';
import { path, startOfTime } from './cli-rig.ts';

export function aDecision(more: Partial<OpenDecision> = {}): OpenDecision {
  return {
    id: decisionId(1),
    kind: 'failure',
    task: taskId('a'),
    blocks: { count: 0, tasks: [] },
    goesOn: { count: 0, tasks: [] },
    options: ['retry', 'skip-all', 'abort'],
    openedAt: startOfTime - 60_000,
    ...more,
  };
}

export function aQuestion(decision: OpenDecision, more: Partial<DecisionShowReport> = {}): DecisionShowReport {
  return {
    plan: path,
    decision,
    title: 'Title of it',
    failure: null,
    attempts: 1,
    accept: [],
    log: null,
    tail: [],
    rest: [],
    tree: [],
    options: [
      { choice: 'retry', does: 'try it once more', command: 'decide d1 retry' },
      { choice: 'fix', does: 'hold it back', command: 'decide d1 fix' },
      { choice: 'restructure', does: 'change the plan', command: 'decide d1 restructure' },
      { choice: 'abort', does: 'stop here', command: 'decide d1 abort' },
    ],
    running: false,
    ...more,
  };
}
