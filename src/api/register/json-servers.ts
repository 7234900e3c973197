// MCP servers in a settings file that is JSON, with comments or without: an object that has an object for each server. A new one goes in
// front of the others, so that no comma and no comment of theirs is touched.

import { SettingsMistake } from '../../agents/config/settings-mistake.ts';
import { type JsonMember, type JsonNode, memberOf, readJsonc } from './jsonc-tree.ts';
import { type Entry, lineEndOf, type ServerText } from './server-text.ts';

export interface JsonPlace {
  /** The key of the object that has all servers. */
  readonly servers: string;
  readonly name: string;
  /** What else a new file has. */
  readonly head?: Entry;
}

export function jsonServers({ servers, name, head = {} }: JsonPlace): ServerText {
  const find = (text: string): JsonMember | undefined => {
    if (isBlank(text)) return undefined;
    const held = memberOf(rootOf(text), servers);
    if (!held) return undefined;
    const found = memberOf(objectAt(text, held), name);
    if (found) objectAt(text, found);
    return found;
  };
  return {
    find: (text) => (find(text)?.node.value as Entry | undefined) ?? null,

    set(text, entry) {
      if (isBlank(text))
        return `${text.startsWith(mark) ? mark : ''}${pretty({ ...head, [servers]: { [name]: entry } })}\n`;
      const found = find(text);
      if (found) return changed(text, found, { ...(found.node.value as Entry), ...entry });
      const root = rootOf(text);
      const held = memberOf(root, servers);
      return held ? added(text, held.node, name, entry) : added(text, root, servers, { [name]: entry });
    },

    cut(text) {
      const held = memberOf(rootOf(text), servers)!;
      const rest = without(text, held.node, memberOf(held.node, name)!);
      const root = rootOf(rest);
      const left = memberOf(root, servers)!;
      return rest.slice(left.node.start, left.node.end) === '{}' ? without(rest, root, left) : rest;
    },
  };
}

/** Of the byte order; some editors put it in front. */
const mark = '\uFEFF';

const isBlank = (text: string): boolean => /^\uFEFF?\s*$/.test(text);

function rootOf(text: string): JsonNode {
  const root = readJsonc(text);
  if (root.members) return root;
  throw new SettingsMistake(text, root.start, 'an object must stand here');
}

function objectAt(text: string, { key, start, node }: JsonMember): JsonNode {
  if (node.members) return node;
  throw new SettingsMistake(text, start, `"${key}" must be an object`);
}

const pretty = (value: unknown, unit = '  '): string => JSON.stringify(value, null, unit);

/** The white space that the line of a place begins with. */
const indentAt = (text: string, at: number): string =>
  /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', at - 1) + 1))![0];

/** One step of indentation, as the file has it. */
function unitOf(text: string): string {
  const first = rootOf(text).members![0];
  return (first && indentAt(text, first.start)) || '  ';
}

function added(text: string, object: JsonNode, key: string, value: unknown): string {
  const inner = object.start + 1;
  const first = object.members![0];
  const label = `${JSON.stringify(key)}: `;
  if (first && !text.slice(inner, first.start).includes('\n')) {
    const gap = /[ \t]*/y;
    gap.lastIndex = inner;
    return inserted(text, inner, `${gap.exec(text)![0]}${label}${JSON.stringify(value)},`);
  }
  // Behind a comment on the line of the brace: that is about all of it.
  const beside = /(?:[ \t]|\/\*[^\n]*?\*\/)*(?:\/\/[^\r\n]*)?/y;
  beside.lastIndex = inner;
  const at = inner + beside.exec(text)![0].length;
  const unit = unitOf(text);
  const outer = indentAt(text, object.start);
  const indent = first ? indentAt(text, first.start) : outer + unit;
  const end = lineEndOf(text);
  const lines = `${label}${pretty(value, unit)}`.split('\n').map((line) => `${end}${indent}${line}`);
  const isClosedBelow = /^[ \t]*\r?\n/.test(text.slice(at));
  return inserted(text, at, `${lines.join('')}${first ? ',' : isClosedBelow ? '' : `${end}${outer}`}`);
}

function changed(text: string, { start, node }: JsonMember, value: unknown): string {
  const isOneLine = !text.slice(node.start, node.end).includes('\n');
  const lines = pretty(value, unitOf(text)).split('\n');
  const told = isOneLine ? JSON.stringify(value) : lines.join(lineEndOf(text) + indentAt(text, start));
  return text.slice(0, node.start) + told + text.slice(node.end);
}

const inserted = (text: string, at: number, more: string): string => text.slice(0, at) + more + text.slice(at);

/** Comments around the member stay; an object without anything else becomes `{}`. */
function without(text: string, object: JsonNode, member: JsonMember): string {
  const { node, comma } = member;
  const before = text.slice(0, member.start);
  const space = /\s*$/.exec(before)![0];
  const line = /\r?\n[^\n]*$/.exec(space)?.[0] ?? space;
  // What follows on its line stays on a line of its own: before it may be a comment.
  const isAlone = !line.includes('\n') || /^[ \t]*(?:\r?\n|$)/.test(text.slice((comma ?? node.end - 1) + 1));
  const start = before.length - (isAlone ? line.length : 0);
  if (comma !== null) return text.slice(0, start) + text.slice(node.end, comma) + text.slice(comma + 1);
  const previous = object.members![object.members!.indexOf(member) - 1];
  const rest = text.slice(node.end);
  if (previous) return text.slice(0, previous.comma!) + text.slice(previous.comma! + 1, start) + rest;
  const inside = text.slice(object.start + 1, start) + text.slice(node.end, object.end - 1);
  if (inside.trim() !== '') return text.slice(0, start) + rest;
  return `${text.slice(0, object.start)}{}${text.slice(object.end)}`;
}
