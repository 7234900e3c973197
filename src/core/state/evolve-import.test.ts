import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { log, planOf } from '../../../test/scenario.ts';
import type { ImportedTask } from '../model/hand-event.ts';
import { planPath, runId, taskId } from '../model/ids.ts';
import { statusOf } from './questions/status.ts';

const said = (id: string, status: ImportedTask['status'], more: Partial<ImportedTask> = {}): ImportedTask => ({
  task: taskId(id),
  status,
  startedAt: 0,
  endedAt: 0,
  notes: null,
  error: null,
  errorAt: 0,
  failures: 0,
  attempts: 0,
  treatAsDone: false,
  by: null,
  reason: null,
  ...more,
});

const runs = [{ run: runId('old'), startedAt: 1, endedAt: 2, completed: 3, failed: 4 }];

function imported(plan: string, ...tasks: ImportedTask[]) {
  const scenario = log(planOf(plan)).load();
  scenario.record({ type: 'status-imported', v: 1, plan: planPath('plan.md'), from: 'status.json', tasks, runs });
  const { plan: state } = scenario;
  return {
    state,
    at: (id: string) => state.tasks[state.index.get(taskId(id))!]!,
    statusOf: (id: string) => statusOf(state, state.index.get(taskId(id))!),
  };
}

describe('a status that is imported', () => {
  it('has what was said about each task, and lets others go on', () => {
    const { at, statusOf, state } = imported(
      'a, b → a, c → d, d, e',
      said('a', 'completed', {
        startedAt: 5,
        endedAt: 9,
        notes: 'fine',
        attempts: 2,
        failures: 1,
        error: 'first',
        errorAt: 7,
      }),
      said('d', 'failed', { attempts: 1 }),
      said('e', 'suspended', { by: 'ann', reason: 'later' }),
    );
    expect(at('a')).toMatchObject({
      status: 'completed',
      startedAt: 5,
      endedAt: 9,
      notes: 'fine',
      attempts: 2,
      failures: 1,
      failedAt: 7,
    });
    expect(at('a').failure).toEqual({ kind: 'said', message: 'first' });
    expect(at('d').failure).toEqual({ kind: 'said', message: 'it failed; how is not known any more' });
    expect(at('d').endedAt).toBe(state.changedAt);
    expect(at('e')).toMatchObject({ status: 'suspended', by: 'ann', reason: 'later' });
    expect(['b', 'c'].map(statusOf)).toEqual(['pending', 'blocked']);
    expect(state.ready.size).toBe(1);
    expect(state.history).toEqual([{ ...runs[0], outcome: null }]);
  });

  it('never sets back what is ticked in the plan', () => {
    const { statusOf } = imported('+a, +b, -c', said('a', 'pending'), said('b', 'failed'), said('c', 'completed'));
    expect(['a', 'b', 'c'].map(statusOf)).toEqual(['completed', 'completed', 'completed']);
  });

  it('keeps finished work finished, whatever the plan and the file say', () => {
    const statuses = fc.constantFrom<ImportedTask['status']>('pending', 'completed', 'failed', 'skipped', 'suspended');
    const ticks = fc.constantFrom('', '+', '-');
    fc.assert(
      fc.property(fc.array(fc.tuple(statuses, ticks), { minLength: 1, maxLength: 8 }), (all) => {
        const plan = all.map(([, tick], i) => `${tick}t${i}${i > 0 ? ` → t${i - 1}` : ''}`).join(', ');
        const { statusOf } = imported(plan, ...all.map(([status], i) => said(`t${i}`, status)));
        all.forEach(([status, tick], i) => {
          if (status === 'completed' || tick === '+') expect(statusOf(`t${i}`)).toBe('completed');
        });
      }),
    );
  });
});
