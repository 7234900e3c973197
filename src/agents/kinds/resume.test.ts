// How each kind goes on in an earlier conversation.
import { describe, expect, it } from 'vitest';
import { agentNamed, kindOf } from '../kind.ts';

const settings = { agents: {}, defaults: {}, unsupported: [] };

function argv(name: string, resume: string | null): readonly string[] {
  const agent = { ...agentNamed(settings, name)!, args: ['--own'] };
  return kindOf(agent)!.launch(agent, {
    ...{ task: 'a', attempt: 'a#2', promptFile: '/p', model: 'm', resume, workspace: '/w', home: '/h' },
    ...{ hook: null, server: null, environment: { HOME: '/home/x' }, isRoot: false },
  }).argv;
}

describe('a conversation', () => {
  it.each([
    ['claude', ['--resume', 's1', '--own']],
    // What stands before the word counts for resumed conversations too.
    ['codex', ['--own', 'resume', 's1', '-']],
    ['opencode', ['--session', 's1', '--own']],
    ['gemini', ['--resume', 's1', '--own']],
  ])('of %s is resumed by its name, and nothing else changes', (name, wanted) => {
    const resumed = argv(name, 's1');
    expect(resumed.slice(-wanted.length)).toEqual(wanted);
    const added = wanted.filter((word) => word !== '--own' && word !== '-');
    expect(resumed.filter((word) => !added.includes(word))).toEqual(argv(name, null));
    expect(kindOf({ kind: name })!.canResume).toBe(true);
  });

  it('of any other program is not', () => {
    expect(kindOf({ kind: 'command' })!.canResume).toBe(false);
  });
});
