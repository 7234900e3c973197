// docs/settings.md, made from the JSON Schema of the settings and the words about each key.
import { stringify } from 'yaml';
import type { KindInSettings } from '../../core/model/settings.ts';
import { type JsonSchema, settingsSchema } from './json-schema.ts';
import { keyGroups, keyWords } from './key-words.ts';
import { keys } from './keys.ts';
import { expectedForm } from './value.ts';

/** @param kinds that an agent can be of */
export function settingsDoc(kinds: readonly KindInSettings[]): string {
  const schema = settingsSchema(kinds);
  const groups = Object.entries(keyGroups).map(([group, title]) => {
    const named = keys.filter(({ name, where }) => where.includes('settings') && keyWords[name].group === group);
    return `\n## ${title}\n\n${head}${named.flatMap((key) => rowsOf(key, schema)).join('')}`;
  });
  return before + groups.join('');
}

const before = `# Settings

This page lists every key of \`signalbox.yaml\`, the settings of a workspace. The file is optional, and so is every key. A plan may set
most of them for itself: in the front matter of markdown, or at the top of YAML. A task may set its own. The nearest one counts: the task, its group, the plan, the settings,
the default.

\`\`\`yaml
# yaml-language-server: $schema=./node_modules/signalbox/schema/settings.json
agent: claude
agents:
  reviewer: { kind: claude, model: opus }
review-agent: reviewer
max-parallel: 4
check: npm test
worktree: { setup: npm ci }
\`\`\`

Durations are \`500ms\`, \`10s\`, \`5m\`, \`2h\`, or a number of seconds. An unknown key is an error with the nearest known one. \`npm run schema\`
writes this page.
`;

const head = '| key | what it says | default | example |\n|---|---|---|---|\n';

function rowsOf({ name, value }: (typeof keys)[number], schema: JsonSchema): string[] {
  const { about, default: otherwise, example } = keyWords[name];
  const form = value.kind === 'choice' ? `; ${expectedForm(value)}` : '';
  const own = row(name, about + form, shown(otherwise), example === undefined ? '' : `\`${name}: ${example}\``);
  const taken = (schema.properties as Record<string, JsonSchema>)[name]!;
  return [own, ...partsOf(taken, schema).map(([part, { description }]) => row(`${name}.${part}`, String(description)))];
}

/** The keys inside a key; those of one entry, where it takes names that people choose. */
function partsOf(taken: JsonSchema, { $defs }: JsonSchema): [string, JsonSchema][] {
  if (taken.properties) return Object.entries(taken.properties as Record<string, JsonSchema>);
  const each = taken.additionalProperties as JsonSchema | undefined;
  const entry = each?.$ref ? ($defs as Record<string, JsonSchema>).agent! : each;
  if (!entry?.properties) return [];
  return partsOf(entry, {}).map(([part, described]) => [`NAME.${part}`, described]);
}

function shown(otherwise: unknown): string {
  if (otherwise === undefined) return '';
  if (typeof otherwise === 'string' && otherwise.startsWith('(')) return otherwise.slice(1, -1);
  return `\`${stringify(otherwise, { collectionStyle: 'flow', lineWidth: 0 }).trim()}\``;
}

const row = (name: string, about: string, otherwise = '', example = ''): string =>
  `| \`${name}\` | ${about.replace(/\b\w+\.md\b/, (page) => `[${page}](${page})`)} | ${otherwise} | ${example} |\n`;
