// MCP servers in a settings file that is TOML: a table for each, `[mcp_servers.signalbox]`. A new one goes to the end of the file, where a
// table can always stand.

import { SettingsMistake } from '../../agents/config/settings-mistake.ts';
import { put, readToml, type TomlPart } from '../../agents/config/toml-tree.ts';
import { sectionFor } from '../init/section.ts';
import { type Entry, lineEndOf, type ServerText } from './server-text.ts';

export function tomlServers(place: readonly [servers: string, name: string]): ServerText {
  const partsOf = (text: string) => readToml(text).filter(({ path }) => place.every((key, i) => path[i] === key));
  const find = (text: string): Entry | null => {
    const above = readToml(text).find(({ kind, path }) => kind === 'pair' && path.length === 1 && path[0] === place[0]);
    if (above)
      throw new SettingsMistake(text, above.start, `${place[0]} is written in one line, which init does not change`);
    const parts = partsOf(text);
    if (parts.length === 0) return null;
    const entry: Record<string, unknown> = {};
    for (const { kind, path, value } of parts) {
      if (path.length > 2 && (kind === 'pair' || !hasTable(entry, path.slice(2))))
        put(entry, path.slice(2), value ?? {});
      else if (kind === 'pair') Object.assign(entry, value);
    }
    return entry;
  };
  /** With its pairs; what stands in tables below it is not among them. */
  const tableOf = (text: string): { readonly table: TomlPart; readonly pairs: readonly TomlPart[] } => {
    const parts = partsOf(text);
    const table = parts.find(({ kind, path }) => kind === 'table' && path.length === 2);
    const other = parts.find((part) => part.kind === 'pair' && (part.table?.path.length ?? 0) < 2);
    if (!table || other)
      throw new SettingsMistake(
        text,
        (other ?? parts[0]!).start,
        `${place.join('.')} is no table of its own, and init changes no other form`,
      );
    return { table, pairs: parts.filter((part) => part.table === table) };
  };
  return {
    find,

    set(text, entry) {
      const lines = Object.entries(entry).map(([key, value]) => `${keyOf(key)} = ${tomlOf(value)}`);
      if (find(text) === null) return text + sectionFor(text, [`[${place.join('.')}]`, ...lines]);
      const { table, pairs } = tableOf(text);
      const old = pairs.filter(({ path }) => path[2]! in entry);
      const rest = old.reduceRight((left, pair) => withoutLines(left, pair.start, pair.end), text);
      const at = lineBehind(rest, table.end);
      const end = lineEndOf(text);
      const gap = rest.slice(0, at).endsWith('\n') ? '' : end;
      return `${rest.slice(0, at)}${gap}${lines.join(end)}${end}${rest.slice(at)}`;
    },

    cut(text) {
      const { table, pairs } = tableOf(text);
      const rest = withoutLines(text, table.start, pairs.at(-1)?.end ?? table.end);
      // One of the empty lines around it was its own.
      const at = text.lastIndexOf('\n', table.start) + 1;
      return rest.slice(0, at).replace(/(^|\n)\r?\n$/, (_, line) => line) + rest.slice(at);
    },
  };
}

const hasTable = (entry: Record<string, unknown>, path: readonly string[]): boolean =>
  path.reduce<unknown>((inner, key) => (inner as Record<string, unknown> | undefined)?.[key], entry) !== undefined;

/** Where the next line begins. */
const lineBehind = (text: string, at: number): number => {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end + 1;
};

const withoutLines = (text: string, start: number, end: number): string =>
  text.slice(0, text.lastIndexOf('\n', start) + 1) + text.slice(lineBehind(text, end));

function tomlOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(tomlOf).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return tomlText(value);
  if ('bare' in value) return String(value.bare);
  return `{ ${Object.entries(value)
    .map(([key, one]) => `${keyOf(key)} = ${tomlOf(one)}`)
    .join(', ')} }`;
}

const keyOf = (key: string): string => (/^[\w-]+$/.test(key) ? key : tomlText(key));

/** A text of JSON is one of TOML, but for a sign that TOML wants escaped. */
const tomlText = (value: unknown): string => JSON.stringify(value).replaceAll('\x7f', '\\u007f');
