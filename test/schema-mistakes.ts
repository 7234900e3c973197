// A validator for the part of JSON Schema that the published schemas use; it refuses any other word.

type JsonSchema = { readonly [name: string]: unknown };

/** Where the value does not fit. */
export function schemaMistakes(root: JsonSchema, value: unknown): string[] {
  const check = (schema: JsonSchema, value: unknown, at: string): string[] =>
    Object.entries(schema).flatMap(([word, wanted]): string[] => {
      const fits = (ok: boolean) => (ok ? [] : [`${at}: ${word}`]);
      const isMap = typeof value === 'object' && value !== null && !Array.isArray(value);
      const entries = isMap ? Object.entries(value) : [];
      switch (word) {
        case '$schema':
        case '$defs':
        case 'title':
        case 'description':
          return [];
        case '$ref':
          return check((root.$defs as Record<string, JsonSchema>)[String(wanted).replace('#/$defs/', '')]!, value, at);
        case 'type':
          return fits([wanted].flat().some((type) => isOf(String(type), value)));
        case 'enum':
          return fits((wanted as unknown[]).includes(value));
        case 'pattern':
          return fits(typeof value !== 'string' || new RegExp(String(wanted), 'u').test(value));
        case 'minimum':
          return fits(typeof value !== 'number' || value >= Number(wanted));
        case 'maximum':
          return fits(typeof value !== 'number' || value <= Number(wanted));
        case 'minLength':
          return fits(typeof value !== 'string' || value.length >= Number(wanted));
        case 'maxLength':
          return fits(typeof value !== 'string' || value.length <= Number(wanted));
        case 'minItems':
          return fits(!Array.isArray(value) || value.length >= Number(wanted));
        case 'maxItems':
          return fits(!Array.isArray(value) || value.length <= Number(wanted));
        case 'required':
          return fits(!isMap || (wanted as string[]).every((name) => Object.hasOwn(value, name)));
        case 'anyOf':
          return fits((wanted as JsonSchema[]).some((one) => check(one, value, at).length === 0));
        case 'items':
          if (wanted === false) return fits(Array.isArray(value) && value.length === 0);
          return Array.isArray(value) ? value.flatMap((v, i) => check(wanted as JsonSchema, v, `${at}/${i}`)) : [];
        case 'propertyNames':
          return entries.flatMap(([name]) => check(wanted as JsonSchema, name, `${at}/${name}`));
        case 'properties': {
          const known = wanted as Record<string, JsonSchema>;
          return entries.flatMap(([n, v]) => (Object.hasOwn(known, n) ? check(known[n]!, v, `${at}/${n}`) : []));
        }
        case 'additionalProperties': {
          const others = entries.filter(([name]) => !Object.hasOwn((schema.properties as object) ?? {}, name));
          if (wanted === false) return fits(others.length === 0);
          return others.flatMap(([name, v]) => check(wanted as JsonSchema, v, `${at}/${name}`));
        }
        default:
          throw new Error(`the validator does not know ${word}`);
      }
    });
  return check(root, value, '');
}

function isOf(type: string, value: unknown): boolean {
  if (type === 'null') return value === null || value === undefined;
  if (type === 'array') return Array.isArray(value);
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value);
  return typeof value === type;
}
