// docs/worktrees.md says what really happens: its session prints what it shows, its conflict is told as it says, its keys are read.
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { agentKinds } from '../../../src/agents/kind.ts';
import { worktreeKeys } from '../../../src/plan/read/yaml/read-worktree.ts';
import { readSettings } from '../../../src/plan/read-settings.ts';
import { commandsOf } from '../sessions.ts';
import { GitWorkspace, mark, waitFor, waitForMerged } from './git-workspace.ts';

const page = readFileSync('docs/worktrees.md', 'utf8');
const fence = (info: string) => {
  const [, body] = new RegExp(`^\`\`\`${info}\\n([^]*?)^\`\`\`$`, 'm').exec(page) ?? [];
  expect(body, info).toBeDefined();
  return body!;
};

/** Times and commits are others each time, and so is which of two agents is faster. */
const steady = (printed: string) =>
  printed
    .replace(/\b\d+(\.\d+)? (ms|s)\b/g, 'some time')
    .replace(/\b[0-9a-f]{7,12}\b/g, 'COMMIT')
    .split('\n')
    .sort();

it('the session prints what is shown', async () => {
  const w = new GitWorkspace({ 'signalbox.yaml': fence('yaml settings'), 'plan.md': fence('markdown') });
  const commands = commandsOf(fence('console'));
  expect(commands.length).toBeGreaterThan(4);
  for (const { typed, printed, exit } of commands) {
    const { code, out, err } = await w.run(...typed.split(' '));
    expect([typed, steady(err + out), code]).toEqual([typed, steady(printed), exit]);
  }
  expect(w.read('menu.txt')).toBe('soup\ncake\n');
  const trailers = w.git('log', '-1', '--format=%s|%(trailers:separator=%x7c)', 'signalbox/plan');
  expect(trailers).toBe(
    'Merge menu#1: Print the menu|Signalbox-Plan: plan.md|Signalbox-Task: menu|Signalbox-Attempt: menu#1',
  );
});

it('a conflict is told as it is shown', async () => {
  const w = new GitWorkspace(
    { 'plan.md': fence('markdown').replace(/- \[ \] menu:[\s\S]*/, ''), 'menu.txt': '' },
    {
      soup: `${waitFor('cake-began')}; echo soup >> menu.txt; touch soup.txt`,
      cake: `if grep -q '<<<<<<<' menu.txt; then echo both > menu.txt; else ${mark('cake-began')}; ${waitForMerged('soup.txt')}; echo cake >> menu.txt; fi`,
    },
  );
  const { code, out } = await w.run('run', 'plan.md');
  expect(code).toBe(0);
  for (const line of fence('text').trimEnd().split('\n')) expect(out.split('\n')).toContain(line);
});

it('every key of worktree is shown, and read', () => {
  const text = fence('yaml worktree');
  const { diagnostics, settings } = readSettings({ text, file: 'signalbox.yaml', kinds: agentKinds });
  expect(diagnostics).toEqual([]);
  expect(Object.keys(settings?.worktree ?? {}).sort()).toEqual(Object.keys(worktreeKeys).sort());
});
