// The last lines of what an attempt printed, for people and for the next attempt: of a coding agent in the words of its readable log, and not
// as JSON.
import { existsSync } from 'node:fs';
import { type AttemptName, errorFile, outputFile } from '../process/attempt-files.ts';
import { readEnd, type TailLimits, tailLines } from '../process/output-tail.ts';
import { ReadableLog } from './readable-log.ts';

/** @param root the workspace: paths in it are shown from there. */
export function tailOfLog(folder: string, name: AttemptName, root: string, limits: TailLimits): readonly string[] {
  const errors = errorFile(folder, name);
  const output = outputFile(folder, name);
  return existsSync(errors) ? tailOfAgent(output, errors, root, limits) : tailLines(output, limits);
}

/** A line of a stream holds much that is not shown. */
const mostStream = 256 * 1024;

function tailOfAgent(output: string, errors: string, root: string, { lines, maxBytes }: TailLimits): readonly string[] {
  const stream = readEnd(output, mostStream);
  const log = new ReadableLog(root);
  // The first line may be cut, and would be taken for something else.
  const text = log.feed(Buffer.byteLength(stream) < mostStream ? stream : stream.slice(stream.indexOf('\n') + 1));
  const { text: rest, report } = log.end();
  // Without a good end, what it said to its standard error may be all that tells why.
  const why = report.result?.class === 'done' ? [] : tailLines(errors, { lines: 5, maxBytes: 1_000 });
  const all = [...(text + rest).split('\n'), ...why].filter((line) => line.trim() !== '');
  return lastBytes(all.slice(-lines), maxBytes);
}

function lastBytes(lines: readonly string[], maxBytes: number): readonly string[] {
  let left = maxBytes;
  const first = lines.findLastIndex((line) => {
    left -= Buffer.byteLength(line) + 1;
    return left < 0;
  });
  return lines.slice(first + 1);
}
