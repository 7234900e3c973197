// What a person has set in the configuration of Codex.
import { join } from 'node:path';
import { beginningOf } from '../../config/plain-file.ts';
import { put, readToml } from '../../config/toml-tree.ts';
import { type Fields, fieldsOf, listOf, textOf } from '../../stream/json-lines.ts';
import { serverName } from '../known-program.ts';

const mostBytes = 1_000_000;

/** As tables in tables; empty: nothing, or it cannot be read, and then Codex itself says so. @param args of the person, which count more */
export function codexConfig(home: string, args: readonly string[] = []): Fields {
  const { text = '' } = beginningOf(join(home, 'config.toml'), mostBytes) ?? {};
  const config: Record<string, unknown> = {};
  for (const [path, value] of [...pairsIn(text), ...args.flatMap((word, i) => overrideIn(word, args[i + 1]))])
    put(config, path, value);
  return config;
}

type Pair = readonly [path: readonly string[], value: unknown];

function pairsIn(text: string): Pair[] {
  try {
    return readToml(text).flatMap(({ kind, path, value }): Pair[] => (kind === 'pair' ? [[path, value]] : []));
  } catch {
    return [];
  }
}

/** `-c KEY=VALUE`. Every dot in the key parts names, and a value that is no TOML is a text. */
function overrideIn(word: string, next = ''): Pair[] {
  if (word !== '-c' && word !== '--config') return [];
  const [, key, text] = /^([^=]+)=(.*)$/s.exec(next) ?? [];
  return key === undefined ? [] : [[key.trim().split('.'), pairsIn(`value = ${text}`)[0]?.[1] ?? text]];
}

/** What else it starts, or is called by: the person wanted that for sessions of their own. */
export function codexLoads(home: string, args: readonly string[]): string[] {
  const { mcp_servers: servers, hooks, notify } = codexConfig(home, args);
  const isOn = ([name, table]: [string, unknown]) => name !== serverName && fieldsOf(table)?.enabled !== false;
  return [
    ...Object.entries(fieldsOf(servers) ?? {})
      .filter(isOn)
      .map(([name]) => `MCP server ${name}`),
    // What it remembers about hooks stands there too.
    ...Object.keys(fieldsOf(hooks) ?? {})
      .filter((name) => name !== 'state')
      .map((name) => `hook ${name}`),
    ...(listOf(notify).length === 0 ? [] : [`notify ${textOf(listOf(notify)[0])}`]),
  ];
}
