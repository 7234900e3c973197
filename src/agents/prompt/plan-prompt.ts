// What an agent is told that writes a plan: what the person wants, how plans are written, and what was wrong with its plan before. Pure text.
import { plainLine } from '../sanitize-terminal.ts';
import { fenced, joined, list } from './markdown.ts';

export interface PlanWish {
  /** What the person wants, in their words. */
  readonly wish: string;
  /** Names that `agent:` can have here; the first performs tasks that name none. */
  readonly agents: readonly string[];
  /** The plan of the round before, and what is wrong with it. */
  readonly before?: { readonly text: string; readonly mistakes: readonly PlanMistake[] };
}

export interface PlanMistake {
  readonly line: number;
  readonly message: string;
  readonly code?: string | undefined;
  readonly help?: string | undefined;
}

export function planPrompt({ wish, agents, before }: PlanWish): string {
  const sections = [
    '# Write a plan',
    'A person wants the following done in the repository that you are in. Write the plan for it; do none of it. Other coding agents will perform the tasks, each knowing only its own task and the repository, and several at the same time. Look at the repository first: its layout, how it is built and tested, what is there already. Change no file: this is a copy that is thrown away.',
    `## What the person wants\n\n${fenced(wish)}`,
    howPlansAreWritten(agents),
    `## An example\n\n${fenced(examplePlan(agents[0] ?? 'claude'), 'markdown')}`,
    before === undefined ? '' : whatWasWrong(before),
    '## Your answer\n\nYour last message is taken as the plan file, as it is: the markdown document and nothing before or behind it, no remarks and no question. Whatever is unclear, decide it yourself and say in the task what you decided.',
  ];
  return `${joined(sections)}\n`;
}

const howPlansAreWritten = (agents: readonly string[]): string => `## How plans are written

- Front matter between \`---\` lines sets defaults for every task. ${agents.length === 0 ? '' : `Put \`agent: ${agents[0]}\` there. `}${named(agents)}
- \`# Title\` names the plan. \`## Heading\` begins a phase.
- A task is \`- [ ] id: What to do\`. The id is a short lower-case word, unique in the whole plan. The title says the result, not the steps.
- \`→ a, b\` at the end of the task's line: it waits until a and b are completed. Name every need that exists and no other: tasks without one run at the same time.
- List items below a task, indented by two spaces, are its keys or prose for its agent:
  - \`files: src/api/**, docs/api.md\` is what it changes, from the root of the repository. Two tasks that change the same files never run at the same time, so cut the work along files.
  - \`check: \`npm test -- api\`\` is a shell command that is green (exit code 0) only when the task is done. Use commands that exist in this repository, and give every task one if you can.
  - \`accept: The list is sorted\` is a criterion for a reviewer.
  - \`run: \`npm run build\`\` makes a shell command perform the task, and no agent.
  - Everything else is prose: where to look, what to keep to, what was decided.
- \`finish: npm test\` in the front matter is a last command, after everything is completed.
- A task is the work of one agent for ten minutes to an hour. Few good tasks are better than many.`;

const named = (agents: readonly string[]): string =>
  agents.length > 1 ? `A task can have \`agent:\` with one of ${agents.map((name) => `\`${name}\``).join(', ')}.` : '';

/** Held to the grammar by a test: an example with a mistake would be copied. */
export const examplePlan = (agent: string): string => `---
agent: ${agent}
finish: npm test
---
# Search in the shop

## Data
- [ ] index: Build a search index of all products
  - files: src/search/**
  - check: \`npm test -- search\`
  - Use the product store in src/store. Names and descriptions are searched, prices are not.

## Surfaces
- [ ] api: Add GET /search?q= to the API → index
  - files: src/api/**
  - check: \`npm test -- api\`
  - accept: An empty query returns an empty list
- [ ] page: Add a search field to the header → index
  - files: src/web/**
  - check: \`npm test -- web\`
- [ ] docs: Describe the search in the README → api, page
  - files: README.md
`;

function whatWasWrong({ text, mistakes }: NonNullable<PlanWish['before']>): string {
  const lines = mistakes.map(
    ({ line, code, message, help }) =>
      `line ${line}: ${plainLine(message)}${code === undefined ? '' : ` [${code}]`}${help === undefined ? '' : ` (${plainLine(help)})`}`,
  );
  return joined([
    '## Your plan before',
    'You have written this plan already, and it was not accepted. Keep what is good, mend what is wrong, and answer with the whole plan again.',
    fenced(text, 'markdown'),
    list('What is wrong with it:', lines),
  ]);
}
