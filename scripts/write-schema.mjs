// Writes schema/plan.json and schema/settings.json from the table of keys. Run it with `npm run schema` after a key has changed;
// a test compares.
import { mkdirSync, writeFileSync } from 'node:fs';
import { planSchema, settingsSchema } from '../src/plan/json-schema.ts';

mkdirSync('schema', { recursive: true });
for (const [name, schema] of [
  ['plan', planSchema()],
  ['settings', settingsSchema()],
]) {
  writeFileSync(`schema/${name}.json`, `${JSON.stringify(schema, null, 2)}\n`);
}
