// The part of the plan's JSON Schema that is about the form with sections. What its tool writes for itself may be anything.

import { metaKeys, metaRecords, sectionKeys, sectionTaskKeys, taskRecords } from '../read/yaml/read-sections.ts';
import type { JsonSchema } from './json-schema.ts';
import type { Scope } from './keys.ts';
import { needAliases } from './need-words.ts';
import { startingStatuses } from './starting-status.ts';

export function sectionsForm(scoped: (scope: Scope) => JsonSchema): Readonly<Record<string, JsonSchema>> {
  const keysOf = (scope: Scope) => scoped(scope).properties as Record<string, JsonSchema>;
  const { tasks: _tasks, ...plan } = keysOf('plan');
  const { subtasks: _subtasks, ...task } = keysOf('task');
  const { check, batch } = keysOf('phase');
  const title = task.title!;
  const needs = orNothing(task.needs!);
  const prose = orNothing(task.prompt!);
  return {
    'plan-of-sections': {
      ...closed({ ...plan, meta: { $ref: '#/$defs/meta' }, sections: listOf('section') }),
      required: ['sections'],
    },
    meta: orEmpty({ ...anything(metaKeys, metaRecords), name: title, title, max_attempts_default: task.retries! }),
    section: orEmpty({
      ...anything(sectionKeys),
      name: title,
      title,
      tasks: listOf('section-task'),
      check: check!,
      batch: batch!,
    }),
    'section-task': orEmpty({
      ...anything(taskRecords, sectionTaskKeys),
      ...task,
      id: { type: ['string', 'number', 'null'] },
      name: title,
      description: prose,
      prompt: prose,
      status: { enum: startingStatuses },
      ...Object.fromEntries(['needs', 'prefers', ...needAliases].map((name) => [name, needs])),
    }),
  };
}

const anything = (...names: readonly (readonly string[])[]): Record<string, JsonSchema> =>
  Object.fromEntries(names.flat().map((name) => [name, {}]));

const closed = (properties: Record<string, JsonSchema>): JsonSchema => ({
  type: 'object',
  properties,
  additionalProperties: false,
});
const orEmpty = (properties: Record<string, JsonSchema>): JsonSchema => ({
  ...closed(properties),
  type: ['object', 'null'],
});
const orNothing = (schema: JsonSchema): JsonSchema => ({ anyOf: [schema, { type: 'null' }] });
const listOf = (name: string): JsonSchema => ({ type: ['array', 'null'], items: { $ref: `#/$defs/${name}` } });
