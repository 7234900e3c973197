// What `init` and `init --undo` say, ask and answer with.
import { describe, expect, it } from 'vitest';
import { CliRig, type RigOptions } from '../../../test/rigs/cli-rig.ts';
import type { SetupDoor } from '../../api/init/setup-door.ts';
import type { InitReport, UndoReport } from '../../api/reports/init.ts';
import { lineDiff } from '../../files/disk/line-diff.ts';

const initReport: InitReport = {
  root: '/w',
  agents: ['claude', 'codex'],
  agent: 'claude',
  changes: [
    { path: 'plan.md', action: 'create', text: '# Plan\n', diff: lineDiff('', '# Plan\n') },
    { path: '.gitignore', action: 'append', text: 'b\n', diff: lineDiff('a\x1b[2J\n', 'a\x1b[2J\nb\n') },
  ],
  leftAlone: [{ path: 'signalbox.yaml', because: 'is there already' }],
  plan: '../my plan.md',
  written: false,
};
const undoReport: UndoReport = {
  root: '/w',
  changes: [{ path: 'plan.md', action: 'remove', diff: lineDiff('# Plan\n', '') }],
  stays: [],
  kept: ['.signalbox'],
  written: false,
};

/** Remembers what was really done, and whether it had been shown before. */
function rigOf(reports: { init?: Partial<InitReport>; undo?: Partial<UndoReport> } = {}, options: RigOptions = {}) {
  const done: unknown[] = [];
  const answer = <T extends InitReport | UndoReport>(
    report: T,
    { write, shown }: { write: boolean; shown?: unknown },
  ) => {
    if (write) done.push(shown === report.changes ? 'as shown' : shown);
    return { ...report, written: write && report.changes.length > 0 };
  };
  const door: SetupDoor = {
    init: async (asked) => {
      if (asked.agentsFile === false) done.push('no AGENTS.md');
      return answer({ ...initReport, ...reports.init }, asked);
    },
    undo: async (asked) => answer({ ...undoReport, ...reports.undo }, asked),
    register: async () => Promise.reject(new Error('not asked for')),
    unregister: async () => Promise.reject(new Error('not asked for')),
  };
  return { rig: new CliRig({ setup: async () => door }, options), done };
}

const shown = `workspace: /w
agent: claude (installed: claude, codex)

plan.md (new)
+# Plan

.gitignore (added at its end)
@@ -1,1 +1,2 @@
 a
+b

signalbox.yaml is there already.

`;
const written = `✔ Written: plan.md and .gitignore

Next:
  signalbox run '../my plan.md'   run the plan
  signalbox plan "what you want"  have claude write a plan for that
  signalbox init --undo           take all of this back
`;

describe('init', () => {
  it.each([
    ['yes', 0, `${shown}  ? Write plan.md and .gitignore? [y/N]: \n${written}`, ['as shown']],
    ['Y', 0, `${shown}  ? Write plan.md and .gitignore? [y/N]: \n${written}`, ['as shown']],
    ['', 0, `${shown}  ? Write plan.md and .gitignore? [y/N]: \nNothing was changed.\n`, []],
    ['yess', 0, `${shown}  ? Write plan.md and .gitignore? [y/N]: \nNothing was changed.\n`, []],
  ])('shows everything and asks once; the answer %j', async (typed, code, out, deeds) => {
    const { rig, done } = rigOf({}, { answers: [typed] });
    expect([await rig.run('init'), rig.out, rig.err, done]).toEqual([code, out, '', deeds]);
  });

  it('ends with 130 at Ctrl-C', async () => {
    const { rig, done } = rigOf({}, { answers: [] });
    expect([await rig.run('init'), done]).toEqual([130, []]);
    expect(rig.out).toContain('Nothing was changed.\n');
  });

  it.each([
    [['--yes'], 0, `${shown}${written}`, ['as shown']],
    [['-y'], 0, `${shown}${written}`, ['as shown']],
    [[], 4, `${shown}signalbox init --yes does this.\n`, []],
    [['--no-agents-md'], 4, `${shown}signalbox init --no-agents-md --yes does this.\n`, ['no AGENTS.md']],
    [['--dry-run'], 0, `${shown}Nothing was changed.\n`, []],
    [['-n', '--yes'], 0, `${shown}Nothing was changed.\n`, []],
  ])('without a terminal: %j', async (args, code, out, deeds) => {
    const { rig, done } = rigOf();
    expect([await rig.run('init', ...args), rig.out, done]).toEqual([code, out, deeds]);
  });

  it.each([
    [[], 4, false],
    [['--dry-run'], 0, false],
    [['--yes'], 0, true],
  ])('never asks with --json: %j', async (args, code, isWritten) => {
    const { rig } = rigOf({}, { answers: ['yes'] });
    expect(await rig.run('init', '--json', ...args)).toBe(code);
    expect(rig.json()).toEqual([{ ...initReport, written: isWritten }]);
  });

  it('asks nothing where nothing is to do, and says what to type', async () => {
    const { rig, done } = rigOf({ init: { changes: [], plan: null, agent: null } }, { answers: ['yes'] });
    expect([await rig.run('init'), done]).toEqual([0, []]);
    expect(rig.out).toBe(`✔ Everything is there already in /w; nothing was changed.
signalbox.yaml is there already.

Next:
  signalbox plan "what you want"  have an agent write a plan for that
`);
  });

  it('says that the plan runs commands where no agent is', async () => {
    const { rig } = rigOf({ init: { agent: null, agents: [], leftAlone: [] } });
    await rig.run('init');
    expect(rig.out).toContain('agent: none is installed, so the first plan runs commands');
  });
});

describe('init --undo', () => {
  it('shows what goes, asks, and says what stays', async () => {
    const { rig, done } = rigOf({}, { answers: ['y'] });
    expect([await rig.run('init', '--undo'), done]).toEqual([0, ['as shown']]);
    expect(rig.out).toBe(`workspace: /w

plan.md (removed)
-# Plan

  ? Take back plan.md? [y/N]: 
✔ Taken back: plan.md
.signalbox stays, with what runs have recorded.
`);
  });

  it.each([
    [['--yes'], 1],
    [[], 4],
    [['--dry-run'], 0],
  ])('with something that was changed, and %j, is exit %i', async (args, code) => {
    const stays = [{ path: 'AGENTS.md', because: 'was changed since' }];
    const { rig } = rigOf({ undo: { stays, kept: [] } });
    expect(await rig.run('init', '--undo', ...args)).toBe(code);
    if (code === 1) expect(rig.out).toMatch(/✔ Taken back: plan\.md\n⚠ AGENTS\.md stays: it was changed since\n$/);
  });

  it('says when nothing is recorded', async () => {
    const { rig } = rigOf({ undo: { changes: [] } });
    expect(await rig.run('init', '--undo')).toBe(0);
    expect(rig.out).toBe('Nothing to take back: no init of yours is recorded for /w.\n');
  });

  it('takes no flag about AGENTS.md', async () => {
    const { rig, done } = rigOf();
    expect([await rig.run('init', '--undo', '--yes', '--no-agents-md'), done]).toEqual([2, []]);
  });
});
