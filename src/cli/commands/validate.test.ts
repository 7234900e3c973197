import { describe, expect, it } from 'vitest';
import { CliRig, path, withFiles } from '../../../test/rigs/cli-rig.ts';
import type { ValidateReport } from '../../api/reports/health.ts';
import type { SyncReport } from '../../api/reports/plan-files.ts';
import { warningLine } from '../text/show-error.ts';

const problem = { about: 'status', plan: path, message: 'x is missing', help: 'do y', fixed: false } as const;
const report = (more: Partial<ValidateReport>): ValidateReport => ({
  root: '/w',
  ok: true,
  events: 3,
  plans: [path],
  problems: [],
  ...more,
});

describe('validate', () => {
  it('says that all is well', async () => {
    const rig = new CliRig({ validate: async () => report({}) });
    expect(await rig.run('validate')).toBe(0);
    expect(rig.out).toBe('OK: 3 events and 1 plan checked.\n');
  });

  it('has the way out under what is wrong, and not under what was put right', async () => {
    const validate = async ({ fix }: { fix: boolean }) =>
      report({ ok: false, problems: [problem, { ...problem, message: 'z\u001b[2J is old', fixed: fix }] });
    const rig = new CliRig({ validate });
    expect(await rig.run('validate', '--fix')).toBe(1);
    expect(rig.out).toBe(
      '✖ status: x is missing\n    help: do y\n✔ status: z is old (fixed)\n1 problem: 3 events and 1 plan checked.\n',
    );
  });
});

describe('sync-check', () => {
  const same = {
    added: [],
    removed: [],
    kept: [],
    changed: [],
    nextAttempt: [],
    ticked: [],
    planChanges: [],
    renamed: [],
    conflicts: [],
  };
  const synced = (more: Partial<SyncReport>): SyncReport => ({
    ...{ plan: path, loaded: true, inSync: false, running: false, run: 'takes' },
    ...same,
    ...more,
  });
  const said = async (more: Partial<SyncReport>) => {
    const rig = new CliRig(withFiles({ syncCheck: async () => synced(more) }));
    expect(await rig.run('sync-check')).toBe(0);
    return rig.out;
  };

  it('says when there is nothing to say', async () => {
    expect(await said({ inSync: true, run: 'nothing' })).toBe('plan.md has not changed since it was loaded\n');
  });

  it('lists what differs, and what becomes of it', async () => {
    const out = await said({
      added: ['a', 'b'],
      planChanges: ['title', 'phases'],
      renamed: [{ from: 'x', to: 'a' }],
      conflicts: [{ task: 'c', what: 'changed', line: 3 }],
      run: 'refuses',
    });
    expect(out).toBe(
      'plan.md was edited since it was loaded\n  new: a and b\n  changed in the whole plan: title and phases\n  renamed (counts as one removed and one new): x → a\n  in conflict with work already done: c was changed\nsignalbox run refuses the new text; signalbox reload plan.md uses it as it is\n',
    );
  });

  it.each([
    ['takes', /signalbox run uses the new text/],
    ['waits', /an agent is running that could have written it.*signalbox reload plan.md does/],
    ['nothing', /this changes nothing that runs/],
  ] as const)('a run %s', async (run, words) => {
    expect(await said({ loaded: false, added: ['a'], run })).toMatch(words);
  });
});

it('a warning is one line, whatever is in it', () => {
  expect(warningLine('a\nb\u001b[31m')).toBe('⚠ a b\n');
});
