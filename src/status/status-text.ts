// `status.json` as text: a task per line, so that it can be read by people, compared line by line, and changed in a few of them.
import type { StatusFile, StatusTask } from './status-file.ts';

/** Before the tasks, and behind them. */
export interface StatusFrame {
  readonly before: string;
  readonly behind: string;
}

export function frameText(frame: Omit<StatusFile, 'tasks'>, hasTasks: boolean): StatusFrame {
  const { runs, decisions, cascades, savedWork, ...named } = frame;
  const lists = { runs, decisions, cascades, savedWork };
  const head = Object.entries(named).map(entryText);
  const tail = Object.entries(lists).map(([name, values]) => `  ${JSON.stringify(name)}: ${listText(values)}`);
  return {
    before: `{\n${head.join(',\n')},\n  "tasks": ${hasTasks ? '[\n' : '['}`,
    behind: `${hasTasks ? '\n  ]' : ']'},\n${tail.join(',\n')}\n}\n`,
  };
}

export const taskText = (task: StatusTask): string => `    ${JSON.stringify(task)}`;

export function statusBytes({ tasks, ...frame }: StatusFile): readonly Buffer[] {
  const { before, behind } = frameText(frame, tasks.length > 0);
  return [Buffer.from(`${before}${tasks.map(taskText).join(',\n')}${behind}`)];
}

/** How a whole file ends. */
export const endText = ({ savedWork }: Pick<StatusFile, 'savedWork'>): string =>
  `  "savedWork": ${listText(savedWork)}\n}\n`;

const entryText = ([name, value]: [string, unknown]): string => `  ${JSON.stringify(name)}: ${JSON.stringify(value)}`;

const listText = (values: readonly unknown[]): string =>
  values.length === 0 ? '[]' : `[\n${values.map((value) => `    ${JSON.stringify(value)}`).join(',\n')}\n  ]`;
