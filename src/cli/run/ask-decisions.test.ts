// The questions at the end of a run, with a person whose every line the test knows.
import { describe, expect, it } from 'vitest';
import { aReport, aStatus, CliRig, happened, stored } from '../../../test/rigs/cli-rig.ts';
import { aDecision, aQuestion } from '../../../test/rigs/decision-samples.ts';
import type { DecisionAnswer, DecisionDoor } from '../../api/decisions/decision-door.ts';
import { Refusal } from '../../api/refusal.ts';
import type { DecisionAnswerReport } from '../../api/reports/decisions.ts';
import type { RunReport } from '../../api/reports/run.ts';
import { decisionId, taskId } from '../../core/model/ids.ts';

const stuck: Partial<RunReport> = { outcome: 'stuck', exitCode: 5, decisions: [aDecision()] };

function session(
  answers: readonly string[] | undefined,
  reports: readonly Partial<RunReport>[],
  door: Partial<DecisionDoor> = {},
) {
  const given: [string, DecisionAnswer][] = [];
  const left = [...reports];
  const rig = new CliRig(
    {
      status: async () => aStatus([]),
      run: async (_, { onEvents }) => {
        onEvents?.([happened.runStarted(0)]);
        return aReport(left.shift()!);
      },
      decisions: async () =>
        ({
          found: async () => null,
          show: async (_: unknown, id: string) => aQuestion(aDecision({ id: id as never })),
          answer: async (_: unknown, id: string, said: DecisionAnswer) => {
            given.push([id, said]);
            const about = { decision: decisionId(1), by: 'ann', affected: [] };
            const events = [stored(0, { type: 'decision-answered', ...about, choice: said.choice as never })];
            return {
              plan: 'plan.md',
              decision: id,
              choice: said.choice,
              task: 'a',
              affected: ['a'],
              events,
              running: false,
            } as DecisionAnswerReport;
          },
          ...door,
        }) as DecisionDoor,
    },
    answers === undefined ? {} : { answers },
  );
  return { rig, given, left };
}

describe('at the end of a run', () => {
  it('nobody is asked where nobody sits', async () => {
    const { rig, given } = session(undefined, [stuck]);
    expect(await rig.run('run')).toBe(5);
    expect(rig.out).toContain('signalbox decide d1  Task a failed.');
    expect(given).toEqual([]);
  });

  it.each(['failed', 'paused', 'aborted', 'complete'] as const)('nobody is asked after %s', async (outcome) => {
    const { rig } = session(['1'], [{ ...stuck, outcome, exitCode: 9 }]);
    expect(await rig.run('run')).toBe(9);
    expect(rig.out).not.toContain('?');
  });

  it('an answer by number or word makes a new run, whose code counts', async () => {
    for (const word of ['1', 'retry']) {
      const { rig, given, left } = session([word], [stuck, { exitCode: 0 }]);
      expect(await rig.run('run')).toBe(0);
      expect(given).toEqual([['d1', { choice: 'retry' }]]);
      expect(left).toEqual([]);
    }
  });

  it('changing the plan has no place in a line, so it is not offered', async () => {
    const { rig } = session([''], [stuck]);
    await rig.run('run');
    expect(rig.out).toContain('  3  abort');
    expect(rig.out).not.toContain('restructure');
  });

  it('enter leaves one open and goes on to the next; abort ends the asking', async () => {
    const decisions = [1, 2, 3].map((n) => aDecision({ id: decisionId(n), task: taskId(`t${n}`) }));
    const { rig, given, left } = session(['', 'abort', 'retry'], [{ ...stuck, decisions }, {}]);
    expect(await rig.run('run')).toBe(5);
    expect(given).toEqual([['d2', { choice: 'abort' }]]);
    expect(left).toHaveLength(1);
  });

  it('a refused answer is told, and the question asked again', async () => {
    let times = 0;
    const answer: DecisionDoor['answer'] = async () => {
      if (++times === 1) throw new Refusal(2, 'd1 was already answered: retry, by bob', { instead: 'look' });
      throw new Error('stop here');
    };
    const { rig } = session(['retry', ''], [stuck], { answer });
    expect(await rig.run('run')).toBe(5);
    expect(rig.out).toContain('d1 was already answered: retry, by bob: look');
  });

  it('what somebody else has answered meanwhile is told, and not asked again', async () => {
    const refused = () => new Refusal(2, 'd1 was already answered: retry, by bob', { instead: 'look' });
    let isAnswered = false;
    const answer: DecisionDoor['answer'] = async () => {
      isAnswered = true;
      throw refused();
    };
    const show: DecisionDoor['show'] = async (_, id) => {
      if (isAnswered) throw refused();
      return aQuestion(aDecision({ id: id as never }));
    };
    const { rig } = session(['retry', 'retry', 'retry'], [stuck], { answer, show });
    expect(await rig.run('run')).toBe(5);
    expect(rig.out.split('d1 was already answered')).toHaveLength(2);
    expect(rig.out.split('? number')).toHaveLength(2);
  });

  it('what no longer needs an answer is passed over', async () => {
    const show: DecisionDoor['show'] = async () => {
      throw new Refusal(2, 'd1 no longer needs an answer');
    };
    const { rig } = session(['retry'], [stuck], { show });
    expect(await rig.run('run')).toBe(5);
    expect(rig.out).not.toContain('? number');
  });

  it('a program is asked nothing, and gets the times as text', async () => {
    const { rig } = session(['retry'], [stuck]);
    expect(await rig.run('run', '--json')).toBe(5);
    expect(rig.json().at(-1)).toMatchObject({ decisions: [{ id: 'd1', openedAt: '2026-11-15T11:59:00.000Z' }] });
  });
});
