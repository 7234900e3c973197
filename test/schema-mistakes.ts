// Holds a value against a published schema, by a validator that is not ours and that refuses words it does not know.
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

const compiled = new WeakMap<object, Map<string, ValidateFunction>>();

/** Where the value does not fit. @param name of a definition in the schema; the whole of it by default. */
export function schemaMistakes(schema: { readonly $defs?: object }, value: unknown, name = ''): string[] {
  const known = compiled.get(schema) ?? new Map<string, ValidateFunction>();
  compiled.set(schema, known);
  const fits = known.get(name) ?? compile(name === '' ? schema : { $ref: `#/$defs/${name}`, $defs: schema.$defs });
  known.set(name, fits);
  return fits(value) ? [] : fits.errors!.map(({ instancePath, message }) => `${instancePath}: ${message}`);
}

const compile = (schema: object) => new Ajv2020({ strictTypes: false, allErrors: true }).compile(schema);
