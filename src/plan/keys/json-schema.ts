// The JSON Schemas (draft 2020-12) of YAML plans and of `signalbox.yaml`, made from the one table of keys. They are for
// editors: they know what a key takes, while only the reader knows whether ids exist and pools are declared.
import { parse } from 'yaml';
import { listWords } from '../../core/model/count-words.ts';
import { impossible } from '../../core/model/impossible.ts';
import type { KindInSettings } from '../../core/model/settings.ts';
import type { agentKeys } from '../read/settings/read-agents.ts';
import { type deadlockKeys, victimPolicies } from '../read/settings/read-deadlock.ts';
import type { livelockKeys } from '../read/settings/read-livelock.ts';
import type { outputKeys } from '../read/settings/read-outputs.ts';
import type { priceKeys } from '../read/settings/read-prices.ts';
import type { worktreeKeys } from '../read/yaml/read-worktree.ts';
import type { lockModes } from '../read-settings.ts';
import { keyWords } from './key-words.ts';
import { keys, type Scope, type ValueKind } from './keys.ts';
import { sectionsForm } from './sections-schema.ts';
import { expectedForm } from './value.ts';

export type JsonSchema = { readonly [name: string]: unknown };

/** Of both forms: `tasks`, and `sections` with the books of the tool that writes them. */
export const planSchema = (): JsonSchema => ({
  $schema: draft,
  title: 'Signalbox plan',
  anyOf: [{ $ref: '#/$defs/plan' }, { $ref: '#/$defs/plan-of-sections' }],
  $defs: {
    plan: { ...scoped('plan'), required: ['tasks'] },
    tasks: taskMap,
    task: { ...scoped('task'), type: ['object', 'null'] },
    ...sectionsForm(scoped),
  },
});

/** @param kinds that an agent can be of */
export function settingsSchema(kinds: readonly KindInSettings[]): JsonSchema {
  const { properties, ...rest } = scoped('settings');
  return {
    $schema: draft,
    title: 'Signalbox settings',
    ...rest,
    properties: { ...properties, locks: { ...properties.locks, description: keyWords.locks.about, ...modeOrLocks } },
    type: ['object', 'null'],
    $defs: { agent: agent(kinds) },
  };
}

const draft = 'https://json-schema.org/draft/2020-12/schema';
const text = { type: 'string', pattern: '\\S' } as const;
const texts = { anyOf: [text, { type: 'array', items: text }] } as const;
/** Ids are read as they are written, so `1.10` needs no quotes. */
const id = { type: ['string', 'number'], pattern: '\\S' } as const;
/** In the settings, a single word is a mode. */
const modeOrLocks = {
  anyOf: [
    { enum: ['enforced', 'advisory'] satisfies (typeof lockModes)[number][] },
    { type: 'string', pattern: '[^\\w\\s-]|\\S\\s+\\S' },
    { type: 'array', items: text },
  ],
} as const;
const count = { type: 'integer', minimum: 0, maximum: 999_999_999 } as const;

const usd = { type: 'number', minimum: 0 } as const;

const env = {
  anyOf: [
    text,
    {
      type: 'object',
      propertyNames: { pattern: '^[A-Za-z_][A-Za-z0-9_]{0,199}$' },
      additionalProperties: { type: ['string', 'number', 'boolean'] },
    },
  ],
} as const;

const taskMap = {
  type: ['object', 'null'],
  description: 'ids with their tasks',
  propertyNames: { pattern: `^[^#\\s'"\`,]{1,200}$` },
  additionalProperties: { $ref: '#/$defs/task' },
} as const;

const withEffort = (kinds: readonly KindInSettings[]): string =>
  listWords(kinds.flatMap(({ name, takesEffort }) => (takesEffort ? name : [])));

const agent = (kinds: readonly KindInSettings[]) => ({
  type: ['object', 'null'],
  description: 'which program performs what `agent:` names',
  properties: {
    kind: { enum: kinds.map(({ name }) => name), description: "the agent's name by default" },
    command: { ...texts, description: 'a program, or a program and its arguments' },
    args: { ...texts, description: 'arguments that are added' },
    env: { ...env, description: 'variables that it gets beside those that every agent gets' },
    model: { ...text, description: 'its model, where a task names none' },
    effort: {
      type: 'string',
      pattern: '^[A-Za-z][\\w-]*$',
      description: `how hard it thinks, in a word of its program, such as high; for the kinds ${withEffort(kinds)}`,
    },
    'budget-usd': { type: 'number', minimum: 0, description: 'what one attempt or review may cost' },
  } satisfies Record<(typeof agentKeys)[number], JsonSchema>,
  additionalProperties: false,
});

function scoped(scope: Scope): JsonSchema & { readonly properties: Readonly<Record<string, JsonSchema>> } {
  const known = keys.filter((key) => key.where.includes(scope));
  return {
    type: 'object',
    properties: Object.fromEntries(
      known.flatMap((key) => [key.name, ...(key.aliases ?? [])].map((name) => [name, schemaOf(key)])),
    ),
    additionalProperties: false,
  };
}

function schemaOf({ name, value }: (typeof keys)[number]): JsonSchema {
  const { about, default: otherwise, example } = keyWords[name];
  const isStructure = value.kind === 'structure';
  return {
    description: isStructure ? about : `${about}: ${expectedForm(value)}`,
    ...(isWritten(otherwise) ? { default: otherwise } : {}),
    ...(example === undefined ? {} : { examples: [parse(example)] }),
    ...(isStructure ? (structures[name] ?? { type: 'object' }) : valueSchema(value)),
  };
}

/** Words in parentheses are about a default that depends on something. */
const isWritten = (otherwise: unknown): boolean =>
  otherwise !== undefined && !(typeof otherwise === 'string' && otherwise.startsWith('('));

/** Below the root: no way up, and not absolute. */
const place = {
  type: 'string',
  pattern: '^(?!/)(?!\\s*$)(?!(.*/)?\\.(\\.|[gG][iI][tT]|[sS][iI][gG][nN][aA][lL][bB][oO][xX])?(/|$))',
} as const;

const structures: Readonly<Record<string, JsonSchema>> = {
  tasks: { $ref: '#/$defs/tasks' },
  subtasks: { $ref: '#/$defs/tasks' },
  agents: {
    type: 'object',
    additionalProperties: { $ref: '#/$defs/agent' },
  },
  deadlock: {
    type: 'object',
    properties: {
      detect: { type: 'boolean', description: 'false lets them wait; true by default' },
      victim: {
        enum: victimPolicies,
        description: 'who is stopped: youngest (the default) by its first attempt, least-progress by its present one',
      },
    } satisfies Record<(typeof deadlockKeys)[number], JsonSchema>,
    additionalProperties: false,
  },
  outputs: {
    type: 'object',
    properties: {
      folder: {
        ...place,
        description: 'status.json and findings, a folder for each plan; docs/plan-outputs by default',
      },
      'current-plan': { ...place, description: 'names the current plan; .claude/current-plan.txt by default' },
    } satisfies Record<keyof typeof outputKeys, JsonSchema>,
    additionalProperties: false,
  },
  worktree: {
    type: 'object',
    properties: {
      setup: { ...text, description: 'prepares a new tree before an agent starts in it, such as `npm ci`' },
      include: {
        anyOf: [text, { type: 'array', items: place }],
        description: 'ignored files that are copied into a new tree: patterns as in .gitignore',
      },
      generated: {
        type: 'object',
        description: 'files that are made anew by a command instead of merged',
        propertyNames: place,
        additionalProperties: text,
      },
      at: {
        ...text,
        description: 'the folder for trees, outside of the repository; in plans relative; the user folder by default',
      },
    } satisfies Record<keyof typeof worktreeKeys, JsonSchema>,
    additionalProperties: false,
  },
  prices: {
    type: 'object',
    additionalProperties: {
      type: 'object',
      properties: {
        input: { ...usd, description: 'what it reads' },
        output: { ...usd, description: 'what it writes' },
        cached: { ...usd, description: 'what it reads from a cache; the price of input unless you say it' },
        'cache-write': { ...usd, description: 'what it writes into a cache; the price of input unless you say it' },
      } satisfies Record<(typeof priceKeys)[number], JsonSchema>,
      required: ['input', 'output'],
      additionalProperties: false,
    },
  },
  livelock: {
    type: 'object',
    properties: {
      'same-rejections': { ...count, description: 'the same rejection in a row; 3 by default' },
      'circular-rejections': { ...count, description: 'tasks rejected for each other in a circle; 2 by default' },
      'no-progress': { ...count, description: 'attempts of agents that change nothing; 3 by default' },
      'same-calls': { ...count, description: 'the same tool call in one attempt; 20 by default' },
      undoing: { ...count, description: 'a file that goes back and forth between two versions; 2 by default' },
      silence: { ...count, description: 'attempts of an agent in a row that fell silent; 3 by default' },
    } satisfies Record<keyof typeof livelockKeys, JsonSchema>,
    additionalProperties: false,
  },
};

function valueSchema(kind: ValueKind): JsonSchema {
  switch (kind.kind) {
    case 'text':
    case 'prose':
      return text;
    case 'statements':
    case 'names':
      return texts;
    case 'references':
      return { anyOf: [id, { type: 'array', items: id }] };
    case 'choice':
      return { enum: kind.values };
    case 'count':
      return count;
    case 'integer':
      return { type: 'integer', minimum: -999_999_999, maximum: 999_999_999 };
    case 'amount':
      return { type: 'number', minimum: 0 };
    case 'duration':
      return {
        anyOf: [
          { type: 'number', minimum: 0 },
          { type: 'string', pattern: '^\\d{1,10}(\\.\\d{1,6})? ?(ms|s|m|h)?$' },
        ],
      };
    case 'flag':
      return { type: 'boolean' };
    case 'env':
      return env;
    case 'limits':
      return { type: 'object', additionalProperties: count };
    case 'structure':
      return { type: 'object' };
    default:
      return impossible(kind);
  }
}
