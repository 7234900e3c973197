// Words to write JSON Schemas (draft 2020-12) with: every object is closed, and what it has it always has, unless its name ends with
// a question mark.

export type JsonSchema = { readonly [name: string]: unknown };

export const text: JsonSchema = { type: 'string' };
export const flag: JsonSchema = { type: 'boolean' };
export const count: JsonSchema = { type: 'integer', minimum: 0 };
export const amount: JsonSchema = { type: 'number', minimum: 0 };
export const texts: JsonSchema = { type: 'array', items: text };
export const yes: JsonSchema = { enum: [true] };
export const time: JsonSchema = { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$' };

export const one = (...values: readonly (string | number)[]): JsonSchema => ({ enum: values });
export const list = (items: JsonSchema): JsonSchema => ({ type: 'array', items });
export const either = (...anyOf: readonly JsonSchema[]): JsonSchema => ({ anyOf });
export const orNull = (schema: JsonSchema): JsonSchema => either(schema, { type: 'null' });
export const mapOf = (additionalProperties: JsonSchema): JsonSchema => ({ type: 'object', additionalProperties });
export const defined = (name: string): JsonSchema => ({ $ref: `#/$defs/${name}` });

export function object(fields: Readonly<Record<string, JsonSchema>>): JsonSchema {
  const names = Object.keys(fields);
  return {
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name.replace(/\?$/, ''), fields[name]])),
    required: names.filter((name) => !name.endsWith('?')),
    additionalProperties: false,
  };
}
