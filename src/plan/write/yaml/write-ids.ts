// Ids for the tasks of sections whose author gave them none; in the other form each task is named by its key.
import type { RawTask } from '../../read/raw-plan.ts';

export interface NamedText {
  readonly text: string;
  /** Ids that were written for the first time. */
  readonly named: readonly string[];
}

/** `ids` by task. Each goes before the first key of its task, where `line` and `column` are. */
export function writeIds(text: string, tasks: readonly RawTask[], ids: readonly string[]): NamedText {
  const named: string[] = [];
  const lines = text.split('\n');
  tasks.forEach(({ id, line, column }, i) => {
    const source = lines[line - 1];
    // A task of nothing has no key to stand before.
    if (id !== null || source === undefined || !/^["'A-Za-z]/.test(source.slice(column - 1))) return;
    const [before, rest] = [source.slice(0, column - 1), source.slice(column - 1)];
    const isInBraces = before.includes('{');
    lines[line - 1] = `${before}id: ${spelled(ids[i]!)}${isInBraces ? ', ' : `\n${' '.repeat(column - 1)}`}${rest}`;
    named.push(ids[i]!);
  });
  return { text: lines.join('\n'), named };
}

/** In quotes where YAML would see more in it than a text. */
const spelled = (id: string): string =>
  /^(?:[\d.+-].*|true|false|yes|no|on|off|null|[yn])$/i.test(id) ? `'${id}'` : id;
