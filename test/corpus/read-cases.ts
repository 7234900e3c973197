// The corpus of broken plans: each case is a name, the file it pretends to be, its text, and what is printed for it.
//
//   %% plan.md | the hazard, in words
//   - [ ] a: Build → b
//   %%
//   plan.md:1:16: error[unknown-id]: …
//
// Characters that nobody could see stand in double brackets: ⟦0⟧ is NUL, ⟦9⟧ a tab, ⟦d⟧ a carriage return, ⟦feff⟧ a byte order
// mark. ⟦×900⟧ at the start of a line repeats it, ⟦n⟧ in it is the number; ⟦x×900⟧ is 900 times x. ⟦end⟧ means that the last line has no line end.
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';

export interface Case {
  readonly name: string;
  /** Says which reader it is for: see `show-case.ts`. */
  readonly file: string;
  readonly text: string;
  readonly expected: string;
}

export interface CaseFile {
  readonly path: string;
  readonly name: string;
  readonly cases: readonly Case[];
}

export function readCorpus(): CaseFile[] {
  const paths = globSync(`${import.meta.dirname}/cases/*.txt`).sort();
  return paths.map((path) => ({ path, name: basename(path, '.txt'), cases: readCases(readFileSync(path, 'utf8')) }));
}

/** With `shown` in the place of what was expected. The lines of the plans stay as they are. */
export function rewriteExpected(path: string, shown: (one: Case) => string): void {
  const parts = readFileSync(path, 'utf8').split(header);
  const head = parts.shift()!;
  const written = parts.map((part) => {
    const source = part.slice(0, part.indexOf('\n%%\n') + 1);
    return `%% ${source}%%\n${escapeHidden(shown(readCase(part)))}\n`;
  });
  writeFileSync(path, [head, ...written.map((part, i) => (i < written.length - 1 ? `${part}\n` : part))].join(''));
}

const header = /^%% /m;

function readCases(text: string): Case[] {
  return text.split(header).slice(1).map(readCase);
}

function readCase(part: string): Case {
  const match = /^([^|\n]+) \| ([^\n]+)\n([\s\S]*?)^%%\n([\s\S]*)$/m.exec(part);
  if (!match) throw new Error(`not a case: ${JSON.stringify(part.slice(0, 200))}`);
  const [, file, name, text, expected] = match as unknown as [string, string, string, string, string];
  return { file: file.trim(), name: name.trim(), text: withHidden(text), expected: expected.trim() };
}

function withHidden(text: string): string {
  return text
    .replace(/^⟦×(\d+)⟧(.*\n)/gm, (_, times: string, line: string) =>
      Array.from({ length: Number(times) }, (_, i) => line.replaceAll('⟦n⟧', String(i + 1))).join(''),
    )
    .replace(/⟦(.)×(\d+)⟧/g, (_, c: string, times: string) => c.repeat(Number(times)))
    .replace(/⟦end⟧\n/g, '')
    .replace(/⟦([0-9a-f]{1,4})⟧/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

const hidden =
  /[\u0000-\u0009\u000b-\u001f\u007f-\u00a0\u00ad\u061c\u200b-\u200f\u2028-\u202f\u2060-\u206f\ufeff]|\p{Cs}/gu;

export const escapeHidden = (text: string): string => text.replace(hidden, (c) => `⟦${c.charCodeAt(0).toString(16)}⟧`);
