// Writes schema/plan.json and schema/settings.json from the table of keys, schema/output.json and schema/status.json from the schemas of
// reports, schema/review.json from what is read of a reviewer, types/library.d.ts and docs/settings.md. Run it with `npm run schema` after one of them
// has changed; tests compare.
import { mkdirSync, writeFileSync } from 'node:fs';
import { agentKinds } from '../src/agents/kind.ts';
import { reviewSchema } from '../src/agents/prompt/review-schema.ts';
import { outputSchema } from '../src/api/reports/output-schema.ts';
import { statusSchema } from '../src/api/reports/status-file.ts';
import { planSchema, settingsSchema } from '../src/plan/keys/json-schema.ts';
import { settingsDoc } from '../src/plan/keys/settings-doc.ts';
import { libraryDeclarations } from './library-declarations.ts';

mkdirSync('schema', { recursive: true });
for (const [name, schema] of [
  ['plan', planSchema()],
  ['settings', settingsSchema(agentKinds)],
  ['output', outputSchema()],
  ['review', reviewSchema()],
  ['status', statusSchema()],
]) {
  writeFileSync(`schema/${name}.json`, `${JSON.stringify(schema, null, 2)}\n`);
}
writeFileSync('types/library.d.ts', libraryDeclarations());
writeFileSync('docs/settings.md', settingsDoc(agentKinds));
