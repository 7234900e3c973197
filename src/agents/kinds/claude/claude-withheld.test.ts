// How Claude Code is told which tools it does without.
import { expect, it } from 'vitest';
import { claude } from '../claude.ts';
import { withheldTools } from './claude-withheld.ts';

function launched({ args = [] as string[], hook = null as string | null } = {}) {
  const request = { task: 'a', attempt: 'a#1', promptFile: '/p', model: '', resume: null, workspace: '/w', home: '/h' };
  return claude.launch(
    { kind: 'claude', command: [], args, env: {}, line: 0 },
    { ...request, hook, server: null, environment: {}, isRoot: false },
  );
}

it('is told in one word, behind which another option stands, and what the person adds comes last', () => {
  const { argv } = launched({ args: ['--disallowedTools', 'Bash(rm:*)'] });
  const at = argv.indexOf('--disallowedTools');
  expect(argv.slice(at, at + 3)).toEqual(['--disallowedTools', withheldTools.join(','), '--strict-mcp-config']);
  expect(argv.slice(-2)).toEqual(['--disallowedTools', 'Bash(rm:*)']);
});

it.each([null, 'hook'])('makes no worktree for a subagent, also where no hook takes locks: %s', (hook) => {
  const { hooks } = JSON.parse(launched({ hook }).files!['/h/settings.json']!);
  expect(hooks.WorktreeCreate[0].hooks[0].command).toMatch(/exit 1$/);
  expect(Object.keys(hooks).length).toBe(hook === null ? 1 : 4);
});
