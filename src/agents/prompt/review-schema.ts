// The answer of a reviewer as a published JSON Schema, from the same limits that the reader of answers has.
import { longestMessage, longestName, mostIssues, severities } from './review-answer.ts';

export function reviewSchema(): Readonly<Record<string, unknown>> {
  const name = { type: 'string', minLength: 1, maxLength: longestName };
  const issue = {
    type: 'object',
    properties: {
      message: { type: 'string', pattern: '\\S', maxLength: longestMessage, description: 'What is wrong.' },
      file: { ...name, description: 'Where, as a path from the root of the workspace.' },
      task: { ...name, description: 'The id of the task that is to blame, if it is another one.' },
    },
    required: ['message'],
    additionalProperties: false,
  };
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'What the review agent of Signalbox answers',
    description: 'The last thing that it prints, alone on its line or in a fence, and only once.',
    anyOf: [
      {
        type: 'object',
        properties: { verdict: { enum: ['approved'] } },
        required: ['verdict'],
        additionalProperties: false,
      },
      {
        type: 'object',
        properties: {
          verdict: { enum: ['rejected'] },
          severity: {
            enum: severities,
            description: 'low and medium: it is done again with the issues in its prompt. high: a person decides.',
          },
          issues: { type: 'array', items: issue, minItems: 1, maxItems: mostIssues },
        },
        required: ['verdict', 'severity', 'issues'],
        additionalProperties: false,
      },
    ],
  };
}
