// How each kind is told how hard to think.
import { expect, it } from 'vitest';
import { agentNamed, builtIn, kindOf } from '../kind.ts';

function argv(name: string, more: object): readonly string[] {
  const agent = { ...agentNamed({ agents: {}, defaults: {}, unsupported: [] }, name)!, ...more };
  return kindOf(agent)!.launch(agent, {
    ...{ task: 'a', attempt: 'a#1', promptFile: '/p', model: '', resume: null, workspace: '/w', home: '/h' },
    ...{ hook: null, server: null, environment: { HOME: '/home/x' }, isRoot: false },
  }).argv;
}

const told: Record<string, string> = {
  claude: ' --effort high',
  codex: ' -c model_reasoning_effort="high"',
  opencode: ' --variant high',
  gemini: '',
};

it.each(builtIn)('%s', (name) => {
  const words = argv(name, { effort: 'high' }).join(' ');
  expect(words).toContain(told[name]);
  expect(words.replace(told[name]!, '')).toBe(argv(name, {}).join(' '));
  expect(kindOf({ kind: name })!.known!.takesEffort === true).toBe(told[name] !== '');
});
