// What each answer does, in one line, and what to type for it.
import type { Choice, OpenDecision } from '../../core/model/decision.ts';
import type { OptionReport } from '../reports/decisions.ts';

const words: Readonly<Record<Choice, string>> = {
  retry: 'try it once more',
  'retry-with-note': 'try it once more, with your words in the prompt',
  'other-agent': 'try it once more with another agent',
  fix: 'hold it back while you repair it by hand; then resume it',
  'skip-all': 'skip it and everything that needs it',
  'treat-as-done': 'skip it, and let what needs it go on as if it were done',
  restructure: 'change the plan: drop a need, merge or move tasks, or take the edited file',
  escalate: 'give it to the debugging agent, with every attempt so far',
  accept: 'keep what was completed, and skip the rest',
  'go-on': 'go on as if nothing had been asked',
  approve: 'accept the work of this attempt',
  reject: 'send it back with what is wrong',
  'skip-blocked': 'skip everything that cannot run',
  details: 'show why each task cannot go on',
  abort: 'stop here; the next run continues from there',
};

/** Where the kind of question gives the word another sense. */
function does(choice: Choice, { kind }: OpenDecision): string {
  if (kind === 'batch') {
    if (choice === 'retry') return 'try everything that failed once more';
    if (choice === 'retry-with-note') return 'try what failed once more, with your words in the prompts';
    if (choice === 'fix') return 'hold what failed back while you repair it; then resume it';
  }
  if (kind === 'soft-failure') {
    if (choice === 'go-on') return 'start it without what it prefers';
    if (choice === 'retry') return 'try what it prefers once more';
  }
  if (kind === 'question') {
    if (choice === 'retry-with-note') return 'answer it: the task runs again with your words in its prompt';
    if (choice === 'go-on') return 'run it again without an answer';
  }
  if (kind === 'merge') {
    if (choice === 'go-on') return 'merge again, now that the branch is repaired';
    if (choice === 'accept') return 'merge although this check is red on the branch itself';
  }
  if (kind === 'livelock' && choice === 'go-on') return 'let it go on as before';
  return words[choice];
}

const more: Partial<Readonly<Record<Choice, string>>> = {
  'retry-with-note': ' --note TEXT',
  'other-agent': ' --agent NAME',
  reject: ' --reason TEXT',
};

export const optionReports = (decision: OpenDecision): OptionReport[] =>
  decision.options.map((choice) => ({
    choice,
    does: does(choice, decision),
    command: `decide ${decision.id} ${choice}${more[choice] ?? ''}`,
  }));
