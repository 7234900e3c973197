// What people see of plans that agents wrote: safe for a terminal, asked about once, and approved by no flag that means something else.
import { describe, expect, it } from 'vitest';
import { aReport, CliRig } from '../../../test/rigs/cli-rig.ts';
import { anApproval, aPlanReport, planningBox } from '../../../test/rigs/planning-rig.ts';
import { Refusal } from '../../api/refusal.ts';
import type { PlanReport } from '../../api/reports/plan-files.ts';
import type { Signalbox } from '../../api/signalbox.ts';

const evil = 'x\x1b]0;title\x07\x1b[31m\x1b[2J\u009b5A\u202egnp\r\nsecond line\x07\x00';
const active = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]/;
const commands = [{ key: 'run', command: evil, of: [evil] }] as const;
const diagnostic: PlanReport['diagnostics'][number] = {
  ...{ code: 'x', message: evil, file: evil, line: 1, column: 1, length: 1, excerpt: evil, help: evil },
  severity: 'error',
};

describe('nothing of an agent acts on the terminal', () => {
  it.each(['written', 'draft', 'failed', 'quota'] as const)('plan: %s', async (outcome) => {
    const more = {
      agent: evil,
      failure: { kind: 'unstartable', message: evil },
      said: [evil],
      until: 1,
      notes: [evil],
    } as const;
    const report = aPlanReport(evil, { ...more, outcome, commands, diagnostics: [diagnostic] });
    const rig = new CliRig(planningBox(evil, { report }));
    await rig.run('plan', 'a page');
    expect(rig.out + rig.err).toContain('x');
    expect(rig.out).not.toMatch(active);
    expect(rig.err).not.toMatch(active);
    expect(rig.out + rig.err).not.toMatch(/^second line/m);
  });

  it('approve', async () => {
    const approval = anApproval(evil, { standing: 'unapproved', agent: evil, commands });
    const rig = new CliRig(planningBox(evil, { approval }));
    await rig.run('approve', 'x.md');
    expect(rig.out).toContain('written by x');
    expect(rig.out).not.toMatch(active);
  });
});

describe('a run of a plan that nobody has approved', () => {
  const refusal = new Refusal(4, 'claude wrote plan.md, and nobody has approved it', { instead: 'approve it' });
  const approval = anApproval('plan.md', {
    standing: 'unapproved',
    agent: 'claude',
    commands: [{ key: 'run', command: 'ls', of: ['a'] }],
  });
  /** The run is refused until the plan is approved. */
  const held = () => {
    const approved: unknown[] = [];
    const box = planningBox('plan.md', { approval });
    const planning: Signalbox['planning'] = async () => ({
      ...(await box.planning!()),
      approve: async (_, options) => {
        approved.push(options?.digest);
        return approval;
      },
    });
    const run = async () => {
      if (approved.length === 0) throw refusal;
      return aReport();
    };
    return { box: { ...box, planning, run }, approved };
  };

  it.each<[string, readonly string[], readonly string[] | undefined, number, number]>([
    ['is asked about at a terminal', [], ['yes'], 0, 1],
    ['is asked about at a terminal: y will do', [], ['Y'], 0, 1],
    ['does not run without a yes', [], ['nonsense'], 4, 0],
    ['does not run after Ctrl-C', [], [], 4, 0],
    ['is refused where nobody sits', [], undefined, 4, 0],
    ['is refused with --json, also at a terminal', ['--json'], ['yes'], 4, 0],
    ['is approved by --approve', ['--approve'], undefined, 0, 1],
  ])('%s', async (_, flags, answers, code, times) => {
    const { box, approved } = held();
    const rig = new CliRig(box, answers ? { answers, live: true, columns: 80 } : {});
    expect(await rig.run('run', 'plan.md', ...flags)).toBe(code);
    expect(approved).toHaveLength(times);
    if (!flags.includes('--json')) expect(rig.out + rig.err).toContain('  run       ls  (a)\n');
  });

  it('approves the text that was shown', async () => {
    const { box, approved } = held();
    await new CliRig(box, { answers: ['yes'] }).run('run', 'plan.md');
    expect(approved).toEqual(['x']);
  });

  it('is not asked about where another person is waited for', async () => {
    const own = { ...planningBox('plan.md'), run: () => Promise.reject(refusal) };
    const rig = new CliRig(own, { answers: ['yes'] });
    expect([await rig.run('run', 'plan.md'), rig.err]).toEqual([4, expect.stringContaining('nobody has approved it')]);
  });
});

it('says what is wanted when nothing was said at a terminal', async () => {
  const rig = new CliRig(planningBox('plan.md'), { answers: [] });
  expect(await rig.run('plan')).toBe(2);
  expect(rig.err).toContain('signalbox plan "add a search page"');
});

it('names the file as it has to be typed', async () => {
  const box = planningBox('docs/made.md', { report: aPlanReport('docs/made.md', { rounds: 2 }) });
  const rig = new CliRig({ ...box, typed: (plan) => `../${plan}` });
  await rig.run('plan', 'x', '--out', '../docs/made.md');
  expect(rig.out).toContain('claude wrote docs/made.md: 1 task (2 rounds, $0.10)\n');
  expect(rig.out).toContain('\n  signalbox approve ../docs/made.md\n  signalbox run ../docs/made.md\n');
  expect(rig.out).toContain('It runs no shell commands of its own');
});
