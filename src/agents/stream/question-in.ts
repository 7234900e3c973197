// The question in a call of a tool that asks a person. The program offers no such tool where nobody can answer, but a model may call it all
// the same.
import type { AgentEvent } from './agent-event.ts';
import { type Fields, fieldsOf, listOf, textOf } from './json-lines.ts';

/** With the labels of its answers, if there are any. None: it asks nothing. */
export function questionIn(input: Fields | null): AgentEvent[] {
  const questions = listOf(input?.questions).flatMap((value) => {
    const { question, options } = fieldsOf(value) ?? {};
    const labels = listOf(options).map((option) => textOf(fieldsOf(option)?.label));
    const choices = labels.filter((label) => label !== '').join(' / ');
    return textOf(question) === '' ? [] : `${textOf(question)}${choices === '' ? '' : ` (${choices})`}`;
  });
  return questions.length === 0 ? [] : [{ type: 'asked', question: questions.join('\n') }];
}
