// What a newcomer types on the first day, in order, and what they do beside it. Each step is one screen.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Terminal } from './terminal.ts';

export interface Ground {
  /** The newcomer's own repository. */
  readonly shop: string;
  /** Files that the scripted agent looks for. */
  readonly signs: { readonly plan: string; readonly go: string; readonly broken: string };
}

export interface Step {
  readonly name: string;
  /** @returns the screen to compare */
  readonly act: (terminal: Terminal, ground: Ground) => Promise<string>;
}

const typed = (words: string): Step => ({ name: words, act: (terminal) => terminal.command(words) });

/** Answers a question with a letter. */
const answered = (words: string, question: RegExp, answer: string): Step => ({
  name: `${words}, answered with ${answer}`,
  act: async (terminal) => {
    await terminal.begin(words);
    await terminal.shows(question);
    terminal.keys(answer);
    terminal.press('Enter');
    return terminal.shows(/\n\$$/);
  },
});

export const shopPlan = `---
agent: claude
retries: 0
---
# Prices for the shop

- [ ] prices: Write prices.txt: listed
  - check: \`grep -q listed prices.txt\`
- [ ] page: Write page.txt: shown → prices
  - check: \`grep -q shown page.txt\`
- [ ] count: Count the files → page
  - run: \`ls *.txt | wc -l\`
`;

export const story: readonly Step[] = [
  typed('signalbox'),
  answered('signalbox init', /\[y\/N\]: ?$/, 'y'),
  typed('signalbox run plan.md'),
  typed('signalbox plan "list the prices of the shop"'),
  answered('signalbox run list-the-prices-of.md', /\[y\/N\]: ?$/, 'n'),
  typed('signalbox approve list-the-prices-of.md'),
  {
    name: 'a run that fails, and its decision is left open',
    act: async (terminal, { signs }) => {
      writeFileSync(signs.broken, '');
      await terminal.begin('signalbox run list-the-prices-of.md');
      await terminal.shows(/ {2}\? .*: ?$/m);
      terminal.press('Enter');
      return terminal.shows(/\n\$$/);
    },
  },
  typed('signalbox decide'),
  typed('signalbox decide -p list-the-prices-of.md'),
  typed('signalbox why page -p list-the-prices-of.md'),
  {
    name: 'the decision is answered, and the run goes on',
    act: async (terminal, { signs }) => {
      rmSync(signs.broken);
      await terminal.command('signalbox decide d1 retry');
      return terminal.command('signalbox run list-the-prices-of.md');
    },
  },
  typed('signalbox status -p list-the-prices-of.md'),
  typed('signalbox land list-the-prices-of.md'),
  answered('signalbox reset list-the-prices-of.md', /\[y\/N\]: ?$/, 'y'),
  {
    name: 'a run that is left to itself',
    act: (terminal, { shop }) => {
      writeFileSync(join(shop, 'wait.md'), '---\nagent: claude\n---\n# A slow day\n\n- [ ] slow: An agent waits\n');
      return terminal.command('signalbox run wait.md --detach');
    },
  },
  {
    name: 'signalbox attach, left with Ctrl-C',
    act: async (terminal) => {
      await terminal.begin('signalbox attach wait.md');
      await terminal.shows(/I am looking at the shop/);
      terminal.press('C-c');
      return terminal.shows(/\n\$$/);
    },
  },
  {
    name: 'signalbox attach, until the end',
    act: async (terminal, { signs }) => {
      await terminal.begin('signalbox attach wait.md');
      await terminal.shows(/I am looking at the shop/);
      writeFileSync(signs.go, '');
      return terminal.shows(/\n\$$/);
    },
  },
  answered('signalbox init --undo', /\[y\/N\]: ?$/, 'y'),
  typed('git status --short'),
];
