// The plan in the last message of an agent. It is asked for the plan alone, but models like to put it between fences, and a sentence before.
import { plainText } from '../sanitize-terminal.ts';

/** Empty: there is none. Without anything that a terminal would obey. */
export function planAnswer(said: string): string {
  const lines = plainText(said)
    .replace(/^\ufeff/, '')
    .split('\n');
  const text = lines
    .slice(...between(lines))
    .join('\n')
    .trim();
  return text === '' ? '' : `${text}\n`;
}

/** A plan has fences of its own, so the last one in the message closes the outer one. */
function between(lines: readonly string[]): [number, number] {
  const isFirst = (at: number) => lines.slice(0, at).every((line) => line.trim() === '');
  const open = lines.findIndex((line, i) => markdown.test(line) || (bare.test(line) && isFirst(i)));
  const close = lines.findLastIndex((line) => bare.test(line));
  if (open === -1) return [0, lines.length];
  return [open + 1, close > open ? close : lines.length];
}

const markdown = /^(?:`{3,}|~{3,})\s*(?:md|markdown)\s*$/i;
const bare = /^(?:`{3,}|~{3,})\s*$/;
