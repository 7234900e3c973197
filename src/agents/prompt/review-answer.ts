// What a reviewer answered: the last JSON object of what it printed, alone on its line or in a fence. It is held strictly against the
// schema, because an approval that was only nearly one is none. What is printed comes from a program that may have been misled: only
// its end is looked at, and nothing in it is followed.

import type { Issue, Severity } from '../../core/model/review.ts';
import type { ReviewAnswer } from '../../core/rules/job-end.ts';
import { readEnd } from '../process/output-tail.ts';

/** More than any answer; what is cut off at the front is no whole line. */
const mostBytes = 512 * 1024;
export const mostIssues = 50;
export const longestMessage = 4_000;
export const longestName = 1_000;
export const severities: readonly Severity[] = ['low', 'medium', 'high'];

export const readReviewAnswer = (file: string): ReviewAnswer => reviewAnswer(readEnd(file, mostBytes));

export function reviewAnswer(output: string): ReviewAnswer {
  const found = lastObject(output);
  if (found === null) return unreadable('it printed no JSON object on a line of its own');
  return verdictOf(found);
}

const unreadable = (problem: string): ReviewAnswer => ({ verdict: 'unreadable', problem });

type Fields = Readonly<Record<string, unknown>>;

/** Also inside the last words that coding agents print as events. */
function lastObject(output: string, isInside = false): Fields | 'several' | null {
  const lines = output.split(/\r?\n/);
  const last = lines.findLastIndex((line) => line.includes('"verdict"'));
  for (const { text, end } of candidates(lines)) {
    const fields = parsed(text);
    const said = fields && !isInside ? wordsOf(fields) : undefined;
    // An event of a stream without words: whoever prints those answers in another one.
    if (said === null) continue;
    const inside = said === undefined ? fields : lastObject(said, true);
    if (inside === null) continue;
    // A second answer that is not whole could be the one that was meant.
    return last > end ? 'several' : inside;
  }
  return null;
}

/** From the last to the first: lines that look like an object, and what is in fences; with the line where each ends. */
function* candidates(lines: readonly string[]): Generator<{ readonly text: string; readonly end: number }> {
  for (let end = lines.length - 1; end >= 0; end--) {
    const line = lines[end]!.trim();
    if (line.startsWith('{')) yield { text: line, end };
    if (line !== '```') continue;
    const begin = fenceBefore(lines, end);
    if (begin === -1) continue;
    yield { text: lines.slice(begin + 1, end).join('\n'), end };
    end = begin;
  }
}

const longestFence = 2_000;

function fenceBefore(lines: readonly string[], end: number): number {
  for (let at = end - 1; at >= 0 && end - at <= longestFence; at--) {
    const line = lines[at]!.trim();
    if (line.startsWith('```')) return /^```(?:json)?$/i.test(line) ? at : -1;
  }
  return -1;
}

function parsed(text: string): Fields | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : null;
  } catch {
    return null;
  }
}

/** Undefined: no event of a stream. Null: one without words. */
function wordsOf(event: Fields): string | null | undefined {
  const { type, result, item, part, message } = event;
  if (typeof type !== 'string' || Object.hasOwn(event, 'verdict')) return undefined;
  if (type === 'result') return typeof result === 'string' ? result : null;
  if (type === 'item.completed') return textIn(item, 'agent_message');
  if (type === 'text') return textIn(part, 'text');
  if (type === 'assistant') {
    const { content } = (message ?? {}) as { content?: unknown };
    const texts = Array.isArray(content) ? content.flatMap((block) => textIn(block, 'text') ?? []) : [];
    return texts.length === 0 ? null : texts.join('\n');
  }
  return null;
}

function textIn(value: unknown, type: string): string | null {
  const { type: own = type, text } = (value ?? {}) as { type?: unknown; text?: unknown };
  return own === type && typeof text === 'string' ? text : null;
}

function verdictOf(answer: Fields | 'several'): ReviewAnswer {
  if (answer === 'several') return unreadable('something like a second answer stands behind its answer');
  const { verdict, severity, issues } = answer;
  if (verdict === 'approved') {
    const more = unknownKey(answer, ['verdict']);
    return more === null
      ? { verdict }
      : unreadable(`an approval has nothing but its verdict, and this one has ${more}`);
  }
  if (verdict !== 'rejected') return unreadable('its verdict is neither "approved" nor "rejected"');
  const more = unknownKey(answer, ['verdict', 'severity', 'issues']);
  if (more !== null) return unreadable(`a rejection has verdict, severity and issues, and this one has ${more}`);
  if (!severities.includes(severity as Severity)) return unreadable('its severity is none of low, medium and high');
  if (!Array.isArray(issues) || issues.length === 0) return unreadable('it rejects without a list of issues');
  if (issues.length > mostIssues) return unreadable(`it has more than ${mostIssues} issues`);
  const problem = issues.map(problemOf).find((one) => one !== null);
  if (problem != null) return unreadable(problem);
  return { verdict, severity: severity as Severity, issues: issues.map(issueOf) };
}

function problemOf(issue: unknown, i: number): string | null {
  const fields = typeof issue === 'object' && issue !== null && !Array.isArray(issue) ? (issue as Fields) : null;
  if (!fields) return `issue ${i + 1} is no object`;
  const more = unknownKey(fields, ['message', 'file', 'task']);
  if (more !== null) return `issue ${i + 1} has ${more}, which issues do not have`;
  if (typeof fields.message !== 'string' || fields.message.trim() === '') return `issue ${i + 1} has no message`;
  if (fields.message.length > longestMessage) return `the message of issue ${i + 1} is too long`;
  for (const key of ['file', 'task']) {
    const value = fields[key];
    if (value === undefined) continue;
    if (typeof value !== 'string' || value === '' || value.length > longestName)
      return `the ${key} of issue ${i + 1} is no name`;
  }
  return null;
}

function issueOf(issue: Issue): Issue {
  const { message, file, task } = issue;
  return { message, ...(file === undefined ? {} : { file }), ...(task === undefined ? {} : { task }) };
}

function unknownKey(fields: Fields, known: readonly string[]): string | null {
  const other = Object.keys(fields).find((key) => !known.includes(key));
  return other === undefined ? null : JSON.stringify(other.slice(0, 50));
}
