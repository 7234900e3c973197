// `status.json` as text: a task per line, so that it can be read by people and compared line by line.
import type { StatusFile } from './status-file.ts';

export function statusText(status: StatusFile): string {
  const { tasks, runs, decisions, cascades, savedWork, ...head } = status;
  const lists = { tasks, runs, decisions, cascades, savedWork };
  const parts = [
    ...Object.entries(head).map(([name, value]) => `  ${JSON.stringify(name)}: ${JSON.stringify(value)}`),
    ...Object.entries(lists).map(([name, values]) => `  ${JSON.stringify(name)}: ${listText(values)}`),
  ];
  return `{\n${parts.join(',\n')}\n}\n`;
}

const listText = (values: readonly unknown[]): string =>
  values.length === 0 ? '[]' : `[\n${values.map((value) => `    ${JSON.stringify(value)}`).join(',\n')}\n  ]`;
