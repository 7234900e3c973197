// The texts that `init` writes. They are read on a terminal before they are written, so no line is longer than 78 signs.

/** The coding agents that were looked for, in the order in which one is chosen. */
export interface AgentsFound {
  /** Those that are installed. */
  readonly found: readonly string[];
  readonly lookedFor: readonly string[];
  /** Performs the first plan; null: none is installed. */
  readonly chosen: string | null;
}

export function settingsText({ found, lookedFor, chosen }: AgentsFound): string {
  const example = chosen ?? lookedFor[0]!;
  const agent =
    chosen === null
      ? [
          `# No coding agent was found on the PATH (${lookedFor.join(', ')}).`,
          '# Once you have one, it performs every task without "run:":',
          `# agent: ${example}`,
        ]
      : [`# Performs tasks without "run:". Installed: ${found.join(', ')}.`, `agent: ${chosen}`];
  return lines([
    '# Settings of Signalbox. All are optional; remove "# " to use one.',
    '',
    ...agent,
    '',
    ...aligned([
      [`# agents: { ${example}: { model: NAME } }`, 'its model, arguments'],
      [`# review-agent: ${example}`, 'for tasks with "review: agent"'],
      ['# max-parallel: 3', 'how many tasks run at once'],
      ['# budget-usd: 5', 'the most that one run may cost'],
      ['# isolation: shared', 'agents get no git worktrees'],
    ]),
  ]);
}

const aligned = (rows: readonly (readonly [string, string])[]): string[] => {
  const width = Math.max(...rows.map(([key]) => key.length));
  return rows.map(([key, about]) => `${key.padEnd(width)}  # ${about}`);
};

/** A plan that runs as it is. @param agent named in the plan where the settings do not name it; null: they do */
export function planText({ chosen }: AgentsFound, plan: string, agent: string | null): string {
  return lines([
    ...(agent === null ? [] : ['---', `agent: ${agent}`, '---']),
    '# First plan',
    '',
    'Each box is a task; it waits for the tasks behind its arrow. To try it, type',
    `\`signalbox run ${plan}\`, then \`signalbox logs ${chosen === null ? 'list' : 'show'}\`.`,
    '',
    ...(chosen === null ? byCommands : byAgent),
  ]);
}

const byAgent = [
  '- [ ] overview: Describe this project in ten lines',
  '  - What is it for, which folders matter, how is it built and tested?',
  '  - Change no files. Your last message is the result.',
  '  - produces: text',
  '- [ ] show: Print the description → overview',
  '  - run: `signalbox read-findings overview`',
];

const byCommands = [
  '- [ ] count: Count the files',
  "  - run: `find . -type f -not -path '*/.*' | wc -l`",
  '- [ ] list: List the newest ones → count',
  '  - run: `ls -t | head -n 5`',
];

/** @param paths from the folder of `.gitignore` on; a slash at the end means a folder */
export const ignoreLines = (paths: readonly string[]): readonly string[] => [
  '# Signalbox: state, outputs of plans, current plan',
  ...paths.map(ignoreRule),
];

/** Every sign stands for itself. */
export const ignoreRule = (path: string): string => `/${path.replace(/[\\*?[\]]/g, '\\$&').replace(/ $/, '\\ ')}`;

export const sectionBegin = '<!-- signalbox:begin -->';

/** For an agent that a person has started: those of a run are told everything in their prompt. */
export const agentsSection: readonly string[] = [
  sectionBegin,
  '## Working on plans by hand (Signalbox)',
  '',
  'If `SIGNALBOX_ATTEMPT` is set, a run has started you: follow your prompt, and',
  'skip this section. Otherwise, for work on a task of a plan:',
  '',
  '- `signalbox status` shows the plan, `signalbox next` the tasks that can start.',
  '- `signalbox mark-started ID` before a task; then `signalbox mark-complete ID`,',
  '  or `signalbox mark-failed ID --error TEXT`.',
  '- Others may work here too. Before you edit a file:',
  '  `signalbox lock wait FILE --agent NAME`; afterwards, `lock release` likewise.',
  '- Exit code 4: a person has to decide. Ask them.',
  '<!-- signalbox:end -->',
];

export const importLine = '@AGENTS.md';

const lines = (all: readonly string[]): string => `${all.join('\n')}\n`;
