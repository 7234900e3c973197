// Every byte of somebody's JSON but the server's own, in every shape that people and programs write.
import { describe, expect, it } from 'vitest';
import { SettingsMistake } from '../../agents/config/settings-mistake.ts';
import { jsonServers } from './json-servers.ts';

const text = jsonServers({ servers: 'mcpServers', name: 'signalbox' });
const entry = { command: 'signalbox', args: ['mcp'] };
const server = (indent: string, end = '\n') =>
  JSON.stringify({ signalbox: entry }, null, 2).slice(4, -2).replaceAll('\n  ', `${end}${indent}`);
const one = '{"command":"signalbox","args":["mcp"]}';

describe('set and cut', () => {
  it.each([
    ['nothing', '', `{\n  "mcpServers": {\n    ${server('    ')}\n  }\n}\n`, '{}\n'],
    ['a byte order mark', '\uFEFF', `\uFEFF{\n  "mcpServers": {\n    ${server('    ')}\n  }\n}\n`, '\uFEFF{}\n'],
    ['an empty object', '{}', `{\n  "mcpServers": {\n    ${server('    ')}\n  }\n}`],
    ['an empty object in lines', '{\n}\n', `{\n  "mcpServers": {\n    ${server('    ')}\n  }\n}\n`, '{}\n'],
    ['other settings', '{\n  "a": 1\n}\n', `{\n  "mcpServers": {\n    ${server('    ')}\n  },\n  "a": 1\n}\n`],
    ['no servers', '{\n  "mcpServers": {}\n}\n', `{\n  "mcpServers": {\n    ${server('    ')}\n  }\n}\n`, '{}\n'],
    [
      'another server, with comments',
      '{ // mine\n  /* all */ "mcpServers": { // servers\n    // the first\n    "x": {}, // x\n  },\n}\n',
      `{ // mine\n  /* all */ "mcpServers": { // servers\n    ${server('    ')},\n    // the first\n    "x": {}, // x\n  },\n}\n`,
    ],
    [
      'tabs',
      '{\n\t"mcpServers": {\n\t\t"x": {}\n\t}\n}',
      `{\n\t"mcpServers": {\n\t\t${server('  ').replaceAll(/\n( +)/g, (_, s) => `\n${'\t'.repeat(s.length / 2 + 1)}`)},\n\t\t"x": {}\n\t}\n}`,
    ],
    [
      'CRLF and a byte order mark',
      '\uFEFF{\r\n  "mcpServers": {\r\n    "x": {}\r\n  }\r\n}\r\n',
      `\uFEFF{\r\n  "mcpServers": {\r\n    ${server('    ', '\r\n')},\r\n    "x": {}\r\n  }\r\n}\r\n`,
    ],
    ['one line', '{"a":1}', `{"mcpServers": {"signalbox":${one}},"a":1}`],
    ['one line with spaces', '{ "mcpServers": { "x": {} } }', `{ "mcpServers": { "signalbox": ${one}, "x": {} } }`],
    [
      'a comment in the brackets',
      '{\n  "mcpServers": { /* none */ }\n}',
      `{\n  "mcpServers": { /* none */ \n    ${server('    ')}\n  }\n}`,
      '{\n  "mcpServers": { /* none */ \n  }\n}',
    ],
    [
      'quotes and slashes in texts',
      '{"a":"\\"{//","b":[1,[true],null]}',
      `{"mcpServers": {"signalbox":${one}},"a":"\\"{//","b":[1,[true],null]}`,
    ],
  ])('%s', (_, before, after, rest = before) => {
    expect(text.find(before)).toBeNull();
    expect(text.set(before, entry)).toBe(after);
    expect(text.find(after)).toEqual(entry);
    expect(text.cut(after)).toBe(rest);
  });

  it('gives back every byte where other servers are', () => {
    const before = '{\r\n  "mcpServers": {\r\n    // x\r\n    "x": {}\r\n  }\r\n}\r\n';
    expect(text.cut(text.set(before, entry))).toBe(before);
  });

  it.each([
    ['the last of two', '{"mcpServers":{"x":1,"signalbox":{}}}', '{"mcpServers":{"x":1}}'],
    [
      'the last, in lines',
      '{\n  "mcpServers": {\n    "x": 1, // x\n    "signalbox": {} // s\n  }\n}',
      '{\n  "mcpServers": {\n    "x": 1 // x\n     // s\n  }\n}',
    ],
    ['the only one', '{\n  "a": 1,\n  "mcpServers": {\n    "signalbox": {}\n  }\n}\n', '{\n  "a": 1\n}\n'],
    ['one below a comment', '{"mcpServers": { // c\n  "signalbox": {} }}', '{"mcpServers": { // c\n   }}'],
    ['one beside another', '{"mcpServers": {\n  "signalbox": {}, "x": 1 }}', '{"mcpServers": {\n   "x": 1 }}'],
    ['one behind a comment', '{"mcpServers": { /* c */ "signalbox": {} }}', '{"mcpServers": { /* c */ }}'],
  ])('cuts %s', (_, before, after) => expect(text.cut(before)).toBe(after));

  it('changes its keys and keeps the others', () => {
    const before =
      '{\n  "mcpServers": {\n    "signalbox": {\n      "command": "old",\n      "timeout": 5\n    }, // s\n    "x": {"a":1}\n  }\n}';
    const after = text.set(before, entry);
    expect(text.find(after)).toEqual({ ...entry, timeout: 5 });
    expect(after).toMatch(
      /^\{\n {2}"mcpServers": \{\n {4}"signalbox": \{\n {6}"command": "signalbox",\n[\s\S]*\n {4}\}, \/\/ s\n {4}"x": \{"a":1\}\n {2}\}\n\}$/,
    );
    expect(text.set('{"mcpServers":{"signalbox":{"command":"x"}}}', entry)).toBe(`{"mcpServers":{"signalbox":${one}}}`);
  });
});

describe('mistakes', () => {
  it.each([
    ['{\n  "a": 1\n  "b": 2\n}', 3, 'a comma is missing'],
    ['{\n  "a": 1,\n', 3, 'a } is missing'],
    ['{\n  a: 1\n}', 2, 'a name in quotes must stand here'],
    ['{"a" 1}', 1, 'a colon is missing'],
    ['{"a":\n}', 2, 'this is not a value of JSON'],
    ['{"a":', 1, 'it ends too early'],
    ['{"a": [1 2]}', 1, 'a comma is missing'],
    ['{"a": [1', 1, 'a ] is missing'],
    ['{"a\n": 1}', 1, 'a text has no closing quote'],
    ['{"\\q": 1}', 1, 'this text is not one of JSON'],
    ['{}\n{}', 2, 'something follows its end'],
    ['[]', 1, 'an object must stand here'],
    ['{\n"mcpServers": []}', 2, '"mcpServers" must be an object'],
    ['{"mcpServers": {\n\n"signalbox": 1}}', 3, '"signalbox" must be an object'],
    ['['.repeat(1000), 1, 'it is nested too deeply'],
  ])('%j is refused at line %i: %s', (all, line, what) => {
    const error = (() => {
      try {
        return text.find(all);
      } catch (thrown) {
        return thrown;
      }
    })();
    expect(error).toBeInstanceOf(SettingsMistake);
    expect(error).toMatchObject({ line, message: what });
  });

  it('reads what JSON.parse reads', () => {
    const all = '{"a":{"__proto__":1,"b":[-1.5e3,"\\u00e9\\n",false]},"mcpServers":{"signalbox":{"n":0,"a":[]}}}';
    expect(text.find(all)).toEqual(JSON.parse(all).mcpServers.signalbox);
  });
});
