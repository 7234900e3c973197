// What a client is told about a tool, and the command line that a call becomes: all from the command table and the schema of `--json`.
import { flagsOf } from '../cli/table/command-flags.ts';
import type { CommandSpec, FlagSpec } from '../cli/table/command-spec.ts';
import { longestWaitS, type ToolRow } from './tool-table.ts';

export type Fields = Readonly<Record<string, unknown>>;

export interface ToolForm {
  readonly row: ToolRow;
  readonly description: string;
  readonly input: JsonObject;
  readonly output: JsonObject;
  /** The command line of a call, without the program. */
  readonly argv: (given: Fields, ownTask: string | undefined) => string[];
}

type JsonObject = Readonly<Record<string, unknown>> & { readonly type: 'object' };

export interface ToolSources {
  readonly table: readonly CommandSpec[];
  /** What `--json` prints: the definitions of schema/output.json. */
  readonly schemas: Readonly<Record<string, Schema>>;
}

/** A tool without its command is a mistake of ours, found by the first test. */
export function toolForm(row: ToolRow, { table, schemas }: ToolSources, isGuest: boolean): ToolForm {
  const spec = table.find(({ name }) => name === row.command)!;
  const flags = (row.takes ?? []).map((name) => flagOf(spec, name));
  const words = wordsOf(spec, row);
  const properties = {
    ...Object.fromEntries(words.map(({ name, schema }) => [name, schema])),
    ...Object.fromEntries(flags.map((flag) => [nameOf(flag.flags), schemaOf(flag)])),
    ...(row.reads ? { [row.reads[0]]: { type: 'string', description: row.reads[1] } } : {}),
    ...(spec.plan === 'none' || spec.plan === 'workspace' ? {} : { plan: planSchema }),
  };
  const needed = [
    ...words.flatMap(({ name, isNeeded }) => (isNeeded ? name : [])),
    ...(row.reads ? [row.reads[0]] : []),
    ...flags.flatMap(({ flags: word }) => (neededFlags.has(word.split(' ')[0]!) ? nameOf(word) : [])),
  ];
  return {
    row,
    description: describe(spec, row),
    input: {
      type: 'object',
      properties,
      ...(needed.length === 0 ? {} : { required: needed }),
      additionalProperties: false,
    },
    output: outputOf(schemas[`command:${row.command}`]!),
    argv: (given, ownTask) => [
      ...row.command.split(' '),
      ...(row.always ?? []),
      ...(isGuest ? (row.ofGuests ?? []) : []),
      ...flags.flatMap((flag) => flagWords(flag, given[nameOf(flag.flags)])),
      ...(typeof given.plan === 'string' ? [`--plan=${given.plan}`] : []),
      '--json',
      '--',
      ...words.flatMap(({ name }) => listOf(given[name] ?? (name === 'task' && row.ownTask ? ownTask : undefined))),
    ],
  };
}

const planSchema = { type: 'string', description: 'the plan file; the current one by default' };
/** Commands ask for these only when they are performed. */
const neededFlags = new Set(['--question', '--error']);

/** Sentences about exit codes and other flags are for shells. */
function describe({ summary, notes = '' }: CommandSpec, { is, about = '' }: ToolRow): string {
  if (is !== undefined) return about === '' ? is : `${is} ${about}`;
  const sentences = notes
    .split(/(?<=\.)\s+(?=[A-Z])/)
    .filter((one) => !/^Exit code|--[a-z]|\bsignalbox [a-z]/.test(one));
  const first = `${summary[0]!.toUpperCase()}${summary.slice(1)}.`;
  return [first, ...sentences, about].filter((one) => one !== '').join(' ');
}

interface Word {
  readonly name: string;
  readonly schema: object;
  readonly isNeeded: boolean;
}

/** `<ID>` is the task, `<RESOURCE...>` are resources; the plan has its own place. */
function wordsOf({ args = [] }: CommandSpec, { command, isWordless, ownTask }: ToolRow): Word[] {
  if (isWordless) return [];
  return args.flatMap(([form, about]): Word[] => {
    const [, bracket, word, many] = /^([<[])([A-Z]+)(\.\.\.)?[>\]]$/.exec(form)!;
    if (word === 'PLAN') return [];
    const isTask = word === 'ID';
    const isList = many !== undefined && !isTask;
    const name = isTask ? 'task' : word === 'N' ? 'count' : `${word!.toLowerCase()}${isList ? 's' : ''}`;
    const own = ownTask ? '; inside an attempt its own by default' : '';
    const description = isTask ? `the id of a task${own}` : about;
    const one = { type: word === 'N' ? 'integer' : 'string', description, ...(word === 'N' ? { minimum: 1 } : {}) };
    const schema = isList ? { type: 'array', items: { type: 'string' }, minItems: 1, description: about } : one;
    const isNeeded = (bracket === '<' || command === 'decide') && !(isTask && ownTask);
    return [{ name, schema, isNeeded }];
  });
}

function flagOf(spec: CommandSpec, name: string): FlagSpec {
  return flagsOf(spec).find(({ flags }) => longForm(flags).split(' ')[0] === name)!;
}

/** Without the short form before it. */
const longForm = (flags: string): string => flags.replace(/^-\w, /, '');
const nameOf = (flags: string): string => longForm(flags).split(' ')[0]!.slice(2).replaceAll('-', '_');

function schemaOf({ flags, about, choices }: FlagSpec): object {
  const description = about;
  const value = /<([A-Z]+)>/.exec(flags)?.[1];
  switch (value) {
    case undefined:
      return { type: 'boolean', description };
    case 'SECONDS':
      return {
        type: 'integer',
        minimum: 0,
        maximum: longestWaitS,
        description: `how long to wait; ${longestWaitS} by default`,
      };
    case 'N':
      return { type: 'integer', minimum: 0, description };
    case 'AMOUNT':
      return { type: 'number', minimum: 0, description };
    case 'IDS':
      return { type: 'array', items: { type: 'string' }, minItems: 1, description: 'ids of tasks and groups' };
    default:
      return { type: 'string', description, ...(choices ? { enum: choices } : {}) };
  }
}

/** In one word, so that a value with a dash is no flag. */
function flagWords({ flags }: FlagSpec, given: unknown): string[] {
  const flag = longForm(flags).split(' ')[0]!;
  const value = given ?? (flag === '--timeout' ? longestWaitS : undefined);
  if (value === undefined || value === false) return [];
  if (value === true) return [flag];
  return [`${flag}=${listOf(value).join(',')}`];
}

const listOf = (given: unknown): string[] =>
  given === undefined ? [] : Array.isArray(given) ? given.map(String) : [String(given)];

export type Schema = Readonly<Record<string, unknown>> & {
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly anyOf?: readonly Schema[];
};

/**
 * The fields of the report. What is deeper is in schema/output.json, and would make the list of tools ten times as long. Every answer may
 * also say what to do next, and warn.
 */
function outputOf(schema: Schema): JsonObject {
  const more = {
    advice: { type: 'string', description: 'what to do next' },
    warnings: { type: 'string', description: 'what a person would have read beside it' },
  };
  const fields = (schema.anyOf ?? [schema]).flatMap(({ properties = {} }) => Object.entries(properties));
  const properties = Object.fromEntries(fields.map(([name, schema]) => [name, shallow(schema as Schema)]));
  return { type: 'object', properties: { ...properties, ...more } };
}

function shallow({ type, description, enum: words }: Schema): object {
  return {
    ...(type === undefined ? {} : { type }),
    ...(words === undefined ? {} : { enum: words }),
    ...(description === undefined ? {} : { description }),
  };
}
