// The way out of a refusal, for whoever has named a plan: the rules that wrote it know nothing of what was typed.
import type { CommandSpec } from './command-spec.ts';
import { findCommand } from './find-command.ts';
import { shellPath } from './shell-word.ts';

export function namePlan(text: string, plan: string, table?: readonly CommandSpec[]): string {
  return text.replaceAll(/signalbox ([a-z-]+)/g, (typed, name: string, at: number) => {
    const behind = text.slice(at + typed.length);
    const spec = findCommand([name], table)?.spec;
    if (behind.startsWith(' --help')) return typed;
    if (spec?.plan === 'flag') return `${typed} --plan ${shellPath(plan)}`;
    // What is named already, or is a sentence that goes on.
    return spec?.plan === 'argument' && !/^ [^-]/.test(behind) ? `${typed} ${shellPath(plan)}` : typed;
  });
}
