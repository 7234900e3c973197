// The types of the library as one file without imports: the declarations that the compiler makes of its functions, and behind them its
// reports, from their schemas. `npm run schema` writes it to types/library.d.ts; a test compares.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import Type from 'typebox';
import { libraryParts, libraryReports, partSchemas } from '../src/api/reports/library.ts';

const header = `// The library of Signalbox; written by \`npm run schema\`. Every function that names a plan takes its path relative to \`cwd\`, opens the
// workspace of the plan, and closes it again. What cannot be done is thrown as a \`Refusal\`, trouble with disk or database as an
// \`Outage\`; then nothing was recorded.
`;

/** Modules that the library exports from, and which of their declarations are its own. */
const modules: Readonly<Record<string, RegExp>> = {
  'main/library': /./,
  'api/refusal': /./,
  'store/outage': /./,
  'api/library/task-list': /^ListedTask$/,
  'api/library/pure-parts': /./,
  'api/library/wait-for-graph': /./,
};

export function libraryDeclarations(): string {
  const parts = Object.entries(libraryParts).map(([part, name]) => declare(name, schemas[part]!));
  const reports = Object.keys(libraryReports).map((name) => declare(name, schemas[name]!));
  const input = [header, ...compiled(), ...reports, ...parts].join('\n');
  return program('biome', ['format', '--stdin-file-path=library.d.ts'], input);
}

function compiled(): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-types-'));
  const language = ['--target', 'es2023', '--module', 'nodenext', '--allowImportingTsExtensions', '--types', 'node'];
  const output = ['--declaration', '--emitDeclarationOnly', '--noCheck', '--rootDir', 'src', '--outDir', folder];
  try {
    program('tsc', ['--ignoreConfig', ...language, ...output, 'src/main/library.ts']);
    return Object.entries(modules).flatMap(([module, wanted]) =>
      statements(readFileSync(join(folder, `${module}.d.ts`), 'utf8')).filter((one) => wanted.test(nameOf(one))),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const program = (name: string, args: readonly string[], input = ''): string =>
  execFileSync(resolve('node_modules/.bin', name), args, { input, encoding: 'utf8' });

/** Each with the comment above it. */
const statements = (text: string): string[] => text.split(/(?<=^(?:\S.*)?[;}]\n)/m);

/** Imports have none, and neither has what is exported from elsewhere. */
const nameOf = (statement: string): string =>
  /^export (?:declare )?(?:const|function|class|interface|type) (\w+)/m.exec(statement)?.[1] ?? '';

/** The words of JSON Schema that the schemas of reports are made of. */
interface Schema {
  readonly description?: string;
  readonly $ref?: string;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly type?: string;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

const schemas = { ...libraryReports, ...partSchemas } as unknown as Readonly<Record<string, Schema>>;

function declare(name: string, schema: Schema): string {
  const head = `${comment(schema)}export`;
  const type = typeOf(schema);
  return schema.properties ? `${head} interface ${name} ${type}\n` : `${head} type ${name} = ${type};\n`;
}

const comment = ({ description }: Schema): string => (description === undefined ? '' : `/** ${description} */\n`);

function typeOf(schema: Schema): string {
  if (Type.IsCodec(schema)) return 'number';
  if (schema.$ref) return partName(schema.$ref.replace('#/$defs/', ''));
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(' | ');
  if (schema.items) return `readonly (${typeOf(schema.items)})[]`;
  if (schema.properties) return fieldsOf(schema.properties, schema.required ?? []);
  const { type } = schema;
  if (type === 'integer') return 'number';
  if (type === 'string' || type === 'boolean' || type === 'number' || type === 'null') return type;
  throw new Error(`no type is known for ${JSON.stringify(schema)}`);
}

function partName(part: string): string {
  const name = libraryParts[part as keyof typeof partSchemas];
  if (name === undefined) throw new Error(`${part} has no name in the library`);
  return name;
}

function fieldsOf(properties: Readonly<Record<string, Schema>>, required: readonly string[]): string {
  const fields = Object.entries(properties).map(
    ([name, schema]) => `${comment(schema)}readonly ${name}${required.includes(name) ? '' : '?'}: ${typeOf(schema)};`,
  );
  // Without a line break behind the brace, a short one stays on one line.
  return `{ ${fields.join('\n')} }`;
}
