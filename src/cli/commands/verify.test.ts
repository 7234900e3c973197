import { describe, expect, it } from 'vitest';
import { CliRig } from '../../../test/rigs/cli-rig.ts';
import type { VerifiedCheck, VerifyReport } from '../../api/reports/verify.ts';
import type { VerifyOptions } from '../../api/signalbox.ts';

const check = (more: Partial<VerifiedCheck>): VerifiedCheck => ({
  command: 'npm test',
  tasks: ['a'],
  result: 'passed',
  code: 0,
  durationMs: 1200,
  log: '.signalbox/verify/1/1-check.1.log',
  tail: [],
  ...more,
});

const rigWith = (checks: readonly VerifiedCheck[], total = checks.length) => {
  const passed = checks.filter(({ result }) => result === 'passed').length;
  return new CliRig({
    verify: async (_: string | undefined, { onCheck }: VerifyOptions): Promise<VerifyReport> => {
      for (const one of checks) onCheck?.(one);
      return { plan: 'plan.md', ok: passed === total, total, passed, checks };
    },
  });
};

describe('signalbox verify', () => {
  it('tells what is green', async () => {
    const rig = rigWith([check({})]);
    expect(await rig.run('verify')).toBe(0);
    expect(rig.out).toMatch(/✔ npm test {2}a, 1\.2 s\nplan\.md: 1 check, all green\n/);
  });

  it('tells what is not, with the end of its log and nothing that a terminal would obey', async () => {
    const tasks = Array.from({ length: 10 }, (_, i) => `t${i}`);
    const bad = check({ result: 'failed', code: 2, tasks, tail: ['\u001b[2J3 tests failed'] });
    const late = check({ result: 'timed-out', code: null });
    const ended = check({ result: 'interrupted', code: null });
    const rig = rigWith([bad, late, ended], 4);
    expect(await rig.run('verify')).toBe(1);
    expect(rig.out).toContain('t7 and 2 more');
    expect(rig.out).toContain('it exited with code 2; its full output is in .signalbox/verify/1/1-check.1.log');
    expect(rig.out).toContain('3 tests failed');
    expect(rig.out).not.toContain('\u001b');
    expect(rig.out).toContain('it took too long');
    expect(rig.out).toContain('it was stopped');
    expect(rig.out).toContain('plan.md: 0 of 4 checks green, 1 not run');
  });

  it('says so when there is nothing to verify', async () => {
    const rig = rigWith([]);
    expect(await rig.run('verify')).toBe(0);
    expect(rig.out).toBe('No completed task in plan.md has a check.\n');
  });
});
