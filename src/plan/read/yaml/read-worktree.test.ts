// The keys of runs with worktrees: what a plan and the settings say, and that `fmt` keeps it. Mistakes: test/corpus.
import { expect, test } from 'vitest';
import { agentKinds } from '../../../agents/kind.ts';
import { planPath } from '../../../core/model/ids.ts';
import { formatPlan } from '../../format-plan.ts';
import { readPlan } from '../../read-plan.ts';
import { readSettings } from '../../read-settings.ts';

const keys = `isolation: worktree
land: merge
worktree:
  setup: npm ci
  include: [.env, "*.local", "!x.local"]
  generated: { package-lock.json: npm install --package-lock-only }
  at: ../trees
`;
const meant = {
  isolation: 'worktree',
  land: 'merge',
  worktree: {
    setup: 'npm ci',
    include: ['.env', '*.local', '!x.local'],
    generated: { 'package-lock.json': 'npm install --package-lock-only' },
    at: '../trees',
  },
};

const read = (file: string, text: string) => {
  const { plan, diagnostics } = readPlan({ text, file, path: planPath(file) });
  expect(diagnostics).toEqual([]);
  return plan!;
};
const settingsOf = (text: string) => readSettings({ text, file: 'signalbox.yaml', kinds: agentKinds });

test.each([
  ['plan.md', `---\n${keys}---\n- [ ] a: x\n`],
  ['plan.yaml', `${keys}tasks: {a: {run: x}}\n`],
  ['plan.yaml', `${keys}sections: [{name: S, tasks: [{id: a, run: x}]}]\n`],
])('of a plan: %s', (file, text) => {
  const plan = read(file, text);
  expect(plan).toMatchObject(meant);
  expect(plan.tasks[0]!.keys).not.toHaveProperty('isolation');
  const formatted = formatPlan({ text, file, path: planPath(file) }, { ids: false });
  expect(formatted).toMatchObject({ text: expect.stringContaining('package-lock.json') });
  expect(read(file, (formatted as { text: string }).text)).toMatchObject(meant);
});

test('of the settings, where a place may be absolute', () => {
  for (const at of ['/var/trees', '~/trees', '../trees'])
    expect(settingsOf(keys.replace('../trees', at)).settings).toMatchObject({
      ...meant,
      worktree: { ...meant.worktree, at },
    });
});
