// The way out of a refusal, for whoever has named a plan: the rules that wrote it know nothing of what was typed.
import { shellPath } from './shell-word.ts';

/**
 * Commands of one word, by where they take a plan. The command table says it too, with everything else about them; but small
 * programs have only a part of it, and a way out may lead to any command. A test holds the two against each other.
 */
export const takesPlan: Readonly<Record<'argument' | 'flag', readonly string[]>> = {
  argument:
    'run status progress graph events pause stop reload retryable exhausted set start-run detect-stuck sync-check'.split(
      ' ',
    ),
  flag: 'next why logs verify retry skip suspend resume decide approve reject mark-started mark-complete mark-failed mark-skipped write-findings read-findings complete-run'.split(
    ' ',
  ),
};

export function namePlan(text: string, plan: string): string {
  return text.replaceAll(/signalbox ([a-z-]+)/g, (typed, name: string, at: number) => {
    const behind = text.slice(at + typed.length);
    if (behind.startsWith(' --help')) return typed;
    if (takesPlan.flag.includes(name)) return `${typed} --plan ${shellPath(plan)}`;
    // What is named already, or is a sentence that goes on.
    return takesPlan.argument.includes(name) && !/^ [^-]/.test(behind) ? `${typed} ${shellPath(plan)}` : typed;
  });
}
