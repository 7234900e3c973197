// The commands about plans that agents write.
import type { CommandSpec } from './command-spec.ts';

export const planningCommands: readonly CommandSpec[] = [
  {
    name: 'plan',
    group: 'everyday',
    summary: 'let an agent write a plan for what you want; runs nothing',
    args: [['[WORDS...]', 'what you want, or the name of a file that says it; - or nothing reads the standard input']],
    plan: 'none',
    flags: [
      { flags: '--out <FILE>', about: 'the markdown file to write; plan.md by default, or a name made of your words' },
      { flags: '--force', about: 'replace the file if it exists' },
      { flags: '--agent <NAME>', about: 'who writes it; by default agent: of signalbox.yaml, or the first installed' },
      { flags: '--model <MODEL>', about: 'the model of that agent' },
    ],
    notes:
      'The agent works in a copy of the workspace that is thrown away. Its plan is checked, and mistakes go back to it, three rounds in all; a plan that still has mistakes is kept as a draft. You see its tasks and every shell command. The plan runs only after a person approved it: signalbox approve, or run --approve. Exit code 0: the file is written; 1: the agent gave no plan; 3: it still has mistakes; 6: the account of the agent has to wait; 7: no agent.',
    examples: [
      'signalbox plan "add a search page, with tests"',
      'signalbox plan wish.md --out docs/search.md --agent codex',
      'git log -1 --format=%B | signalbox plan -',
    ],
    load: async () => (await import('../planning/plan.ts')).plan,
  },
];
