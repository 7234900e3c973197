import { describe, expect, it } from 'vitest';
import type { SyncReport, ValidateReport } from '../../api/signalbox.ts';
import { CliRig, path } from '../cli-rig.ts';
import { warningLine } from '../warning-line.ts';

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
    expect(rig.out).toBe('All is well: 3 events and 1 plan were looked at.\n');
  });

  it('has the way out under what is wrong, and not under what was put right', async () => {
    const validate = async ({ fix }: { fix: boolean }) =>
      report({ ok: false, problems: [problem, { ...problem, message: 'z\u001b[2J is old', fixed: fix }] });
    const rig = new CliRig({ validate });
    expect(await rig.run('validate', '--fix')).toBe(1);
    expect(rig.out).toBe(
      '✖ status: x is missing\n    help: do y\n✔ status: z is old (fixed)\n1 thing wrong: 3 events and 1 plan were looked at.\n',
    );
  });
});

describe('sync-check', () => {
  const same = { added: [], removed: [], kept: [], changed: [], planChanges: [], renamed: [], conflicts: [] };
  const synced = (more: Partial<SyncReport>): SyncReport => ({
    ...{ plan: path, loaded: true, inSync: false, running: false, run: 'takes' },
    ...same,
    ...more,
  });
  const said = async (more: Partial<SyncReport>) => {
    const rig = new CliRig({ syncCheck: async () => synced(more) });
    expect(await rig.run('sync-check')).toBe(0);
    return rig.out;
  };

  it('says when there is nothing to say', async () => {
    expect(await said({ inSync: true, run: 'nothing' })).toBe('plan.md is as it was loaded\n');
  });

  it('lists what differs, and what becomes of it', async () => {
    const out = await said({
      added: ['a', 'b'],
      planChanges: ['title', 'phases'],
      renamed: [{ from: 'x', to: 'a' }],
      conflicts: [{ task: 'c', what: 'changed' }],
      run: 'refuses',
    });
    expect(out).toBe(
      'plan.md was edited since it was loaded\n  new: a and b\n  changed in the plan itself: title and phases\n  renamed (for Signalbox one that is gone and a new one): x → a\n  against what was done already: c was changed\nsignalbox run refuses it; signalbox reload plan.md takes the file as it is\n',
    );
  });

  it.each([
    ['takes', /signalbox run takes it/],
    ['waits', /this run goes on with the old text/],
    ['nothing', /nothing in it changes what runs/],
  ] as const)('a run %s', async (run, words) => {
    expect(await said({ loaded: false, added: ['a'], run })).toMatch(words);
  });
});

it('a warning is one line, whatever is in it', () => {
  expect(warningLine('a\nb\u001b[31m')).toBe('⚠ a b\n');
});
