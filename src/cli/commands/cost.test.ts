import { describe, expect, it } from 'vitest';
import { CliRig } from '../../../test/rigs/cli-rig.ts';
import type { CostReport } from '../../api/reports/cost.ts';

const tokens = { input: 1_200_000, output: 3_000, cached: 300_000, cacheWrite: 0 };
const attempt = (id: string, agent: string, usd: number | null, models: readonly string[]) => ({
  task: id.slice(0, 1),
  attempt: id,
  agent,
  endedAt: '2026-01-02T12:00:00.000Z',
  usd,
  models: models.map((model) => ({ model, ...tokens, usd: null })),
});
const report: CostReport = {
  plan: 'p.md',
  usd: 1.5,
  unpriced: 1,
  attempts: [
    attempt('a#1', 'claude', 1.25, ['opus']),
    attempt('a#2', 'claude', 0.25, ['opus']),
    attempt('b#1', 'codex', null, ['']),
  ],
};

const rigOf = (told: CostReport) =>
  new CliRig({
    agents: async () => ({
      cost: async () => told,
      prompt: async () => Promise.reject(new Error('not asked')),
      hook: async () => Promise.reject(new Error('not asked')),
      guest: async () => Promise.reject(new Error('not asked')),
    }),
  });

async function shown(...words: string[]): Promise<string> {
  const rig = rigOf(report);
  expect(await rig.run('cost', ...words)).toBe(0);
  return rig.out;
}

describe('cost', () => {
  it('is shown by task, and what is not known is not 0', async () => {
    const text = await shown();
    expect(text).toMatch(/^a +\$1\.50 +2 attempts +3\.0M tokens in, 6\.0k out$/m);
    expect(text).toMatch(/^b +unknown +1 attempt /m);
    expect(text).toContain('\n$1.50 and unknown for 3 attempts\n');
  });

  it('of tokens that are not known is unknown, and not 0', async () => {
    const lost = attempt('b#2', 'codex', null, []);
    const only = rigOf({ ...report, attempts: [lost] });
    await only.run('cost');
    expect(only.out).toMatch(/^b +unknown +1 attempt +tokens unknown$/m);
    const mixed = rigOf({ ...report, attempts: [...report.attempts, lost] });
    await mixed.run('cost');
    expect(mixed.out).toMatch(/^b +unknown +2 attempts +1\.5M tokens in, 3\.0k out, and unknown$/m);
    // Nobody knows which model it was.
    const byModel = rigOf({ ...report, attempts: [lost] });
    await byModel.run('cost', '--by', 'model');
    expect(byModel.out).toMatch(/^\(not said\) +unknown +1 attempt +tokens unknown$/m);
  });

  it.each([
    ['agent', /^claude +\$1\.50[\s\S]*^codex +unknown/m],
    ['attempt', /^a#1 +\$1\.25[\s\S]*^a#2 +\$0\.25/m],
    ['model', /^opus +\$1\.50[\s\S]*^\(not said\) +unknown/m],
    ['day', /^2026-01-0[123] +\$1\.50 and unknown +3 attempts/m],
  ])('is shown by %s', async (by, wanted) => {
    expect(await shown('--by', by)).toMatch(wanted);
  });

  it.each(['tsk', 'toString'])('is refused by %s, before anything is read', async (by) => {
    const rig = new CliRig({});
    expect(await rig.run('cost', '--by', by)).toBe(2);
    expect(rig.err).toContain('use one of task, agent, attempt, day, model');
  });

  it('of nothing is said in words', async () => {
    const rig = rigOf({ ...report, attempts: [] });
    await rig.run('cost');
    expect(rig.out).toBe('No attempt of a coding agent has ended here.\n');
  });
});
