// What a reviewer answered: one JSON object as the last thing that it printed, alone on its line or in a fence, and no other answer
// before it. It is held strictly against the schema, because an approval that was only nearly one is none. What is printed comes from
// a program that may have been misled: only its end is looked at, and nothing in it is followed.

import type { Issue, Severity } from '../../core/model/review.ts';
import type { ReviewAnswer } from '../../core/rules/job-end.ts';
import { anyEvents } from '../kind.ts';
import { readEnd } from '../process/output-tail.ts';
import type { AgentEvent } from '../stream/agent-event.ts';
import { type Fields, fieldsOf, parsed } from '../stream/json-lines.ts';
import { repeatedKey } from './repeated-key.ts';

/** More than any answer; what is cut off at the front is no whole line. */
const mostBytes = 512 * 1024;
export const mostIssues = 50;
export const longestMessage = 4_000;
export const longestName = 1_000;
export const severities: readonly Severity[] = ['low', 'medium', 'high'];

export const readReviewAnswer = (file: string): ReviewAnswer => reviewAnswer(readEnd(file, mostBytes));

export function reviewAnswer(output: string): ReviewAnswer {
  const said = utterances(output);
  if (typeof said === 'string') return repeats(said);
  const last = lastOf(said);
  const answer = last === null ? null : endOf(last.text);
  const others = said.some((one) => hasVerdict(one === last && answer !== null ? answer.before : one.text));
  const fields = answer === null ? null : parsed(answer.text);
  if (fields === null || !Object.hasOwn(fields, 'verdict')) {
    if (others) return unreadable('something stands behind its answer, which has to be the last thing that it prints');
    return fields === null ? unreadable('it printed no JSON object on a line of its own') : verdictOf(fields);
  }
  const again = repeatedKey(answer!.text);
  if (again !== null) return repeats(again);
  return others ? unreadable('it printed more than one answer') : verdictOf(fields);
}

const unreadable = (problem: string): ReviewAnswer => ({ verdict: 'unreadable', problem });
const repeats = (key: string) => unreadable(`its answer has the key ${JSON.stringify(key.slice(0, 50))} twice`);

/** What was printed as plain lines, or as one message in the stream of a coding agent. */
interface Utterance {
  readonly isEvent: boolean;
  /** Empty: an event without words. */
  readonly text: string;
  /** Another piece of the message may follow. */
  readonly goesOn: boolean;
}

/** A text: the key that one of the events has twice. */
function utterances(output: string): Utterance[] | string {
  const said: Utterance[] = [];
  let plain: string[] = [];
  const endPlain = () => {
    if (plain.some((line) => line.trim() !== '')) said.push({ isEvent: false, text: plain.join('\n'), goesOn: false });
    plain = [];
  };
  for (const line of output.split(/\r?\n/)) {
    const fields = line.startsWith('{') ? parsed(line) : null;
    if (fields === null || !isEvent(fields)) {
      plain.push(line);
      continue;
    }
    const twice = repeatedKey(line);
    if (twice !== null) return twice;
    endPlain();
    addEvent(said, fields);
  }
  endPlain();
  return said;
}

/** Programs print more events than we know; those that we do not know have no words. */
const isEvent = (line: Fields): boolean => typeof line.type === 'string' && !Object.hasOwn(line, 'verdict');

function addEvent(said: Utterance[], line: Fields): void {
  const events = anyEvents(line);
  const text = events.flatMap((event) => wordsOf(event) || []).join('\n');
  const goesOn = events.some((event) => event.type === 'said' && event.goesOn);
  const event: Utterance = { isEvent: true, text, goesOn };
  const before = said.at(-1);
  if (goesOn && before?.goesOn) said.splice(-1, 1, { ...event, text: before.text + text });
  // The result of a stream repeats the last words in it.
  else if (!(before?.isEvent && text !== '' && before.text.endsWith(text) && events.some(isResult))) said.push(event);
}

const isResult = ({ type }: AgentEvent): boolean => type === 'result';

function wordsOf(event: AgentEvent): string {
  if (event.type === 'result') return event.result.text;
  return event.type === 'said' ? event.text : '';
}

/** Events without words may follow the last words of a stream, and of nothing else. */
function lastOf(said: readonly Utterance[]): Utterance | null {
  const last = said.findLast(({ text }) => text.trim() !== '') ?? null;
  return last?.isEvent || last === said.at(-1) ? last : null;
}

/** The last line, or the fence that ends there, and what stands before it. */
function endOf(words: string): { readonly text: string; readonly before: string } | null {
  const lines = words.trimEnd().split(/\r?\n/);
  const end = lines.length - 1;
  const line = lines[end]!.trim();
  const begin = line === '```' ? fenceBefore(lines, end) : end;
  if (begin === -1) return null;
  const text = begin === end ? line : lines.slice(begin + 1, end).join('\n');
  return { text, before: lines.slice(0, begin).join('\n') };
}

/** Also of an answer that is not whole, or goes over several lines. Words about answers are none. */
const hasVerdict = (words: string): boolean =>
  words.split(/\r?\n/).some((line) => /^\s*(?:[{[].*)?"verdict"/.test(unescaped(line)));

const unescaped = (line: string): string =>
  line.replace(/\\u([0-9a-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

const longestFence = 2_000;

function fenceBefore(lines: readonly string[], end: number): number {
  for (let at = end - 1; at >= 0 && end - at <= longestFence; at--) {
    const line = lines[at]!.trim();
    if (line.startsWith('```')) return /^```(?:json)?$/i.test(line) ? at : -1;
  }
  return -1;
}

function verdictOf(answer: Fields): ReviewAnswer {
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
  const fields = fieldsOf(issue);
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
