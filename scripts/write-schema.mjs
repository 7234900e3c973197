// Writes schema/plan.json and schema/settings.json from the table of keys, schema/output.json from the shapes of what `--json` prints,
// schema/status.json, and schema/review.json from what is read of a reviewer. Run it with `npm run schema` after one of them has
// changed; tests compare.
import { mkdirSync, writeFileSync } from 'node:fs';
import { reviewSchema } from '../src/agents/review-schema.ts';
import { outputSchema } from '../src/cli/output-schema/output-schema.ts';
import { statusSchema } from '../src/cli/output-schema/status-schema.ts';
import { planSchema, settingsSchema } from '../src/plan/json-schema.ts';

mkdirSync('schema', { recursive: true });
for (const [name, schema] of [
  ['plan', planSchema()],
  ['settings', settingsSchema()],
  ['output', outputSchema()],
  ['review', reviewSchema()],
  ['status', statusSchema()],
]) {
  writeFileSync(`schema/${name}.json`, `${JSON.stringify(schema, null, 2)}\n`);
}
