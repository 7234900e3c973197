// What `explain CODE` answers: a diagnostic of a plan or of the settings, or an exit code. Needs no workspace, because it is
// asked when something is wrong with one.
import { explanations } from '../../plan/diagnostics/explanations.ts';
import { nearest } from '../../plan/diagnostics/nearest.ts';
import { Refusal } from '../refusal.ts';
import type { CodeReport } from '../reports/answers.ts';
import { exitCodes } from './exit-codes.ts';

export const explainableCodes = (): string[] => [...explanations.keys(), ...[...exitCodes.keys()].map(String)].sort();

export const isExplainable = (typed: string): boolean => explainableCodes().includes(codeIn(typed));

/** The known word that was meant, if one is near enough. */
export const nearestWord = (word: string, known: Iterable<string>): string | undefined => nearest(word, known);

/** As it is printed: `error[unknown-id]`. */
const codeIn = (typed: string): string => /\[([^\]]+)\]/.exec(typed)?.[1] ?? typed.toLowerCase();

export function explainCode(typed: string): CodeReport {
  const code = codeIn(typed);
  const explanation = explanations.get(code);
  if (explanation) return { kind: 'diagnostic', code, ...explanation };
  const exit = /^\d{1,3}$/.test(code) ? exitCodes.get(Number(code)) : undefined;
  if (exit) return { kind: 'exit', code: Number(code), ...exit };
  const near = nearest(code, explanations.keys());
  throw new Refusal(2, `there is no code ${JSON.stringify(typed)}`, {
    instead:
      near === undefined
        ? `exit codes are ${[...exitCodes.keys()].join(', ')}; "signalbox check" prints the codes of plans`
        : `did you mean ${near}?`,
  });
}
