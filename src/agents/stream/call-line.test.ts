import { expect, it } from 'vitest';
import { callLine } from './call-line.ts';

it.each([
  ['a command', 'Bash', { command: 'npm test', description: 'Run the tests' }, 'Bash npm test'],
  ['a file, from the root of the workspace', 'Edit', { file_path: '/w/src/parse.ts' }, 'Edit src/parse.ts'],
  ['a file elsewhere', 'Read', { file_path: '/wide/a.ts' }, 'Read /wide/a.ts'],
  ['a pattern and where', 'Grep', { pattern: 'TODO', path: '/w/src', output_mode: 'content' }, 'Grep TODO in src'],
  ['a path that only ends like one of the workspace', 'Bash', { command: 'ls /x/w/a /w/b' }, 'Bash ls /x/w/a b'],
  ['a pattern', 'Glob', { pattern: '**/*.ts' }, 'Glob **/*.ts'],
  ['a query', 'web_search', 'node readline', 'web_search node readline'],
  ['all files of a patch', 'patch', [{ path: '/w/a.ts', kind: 'add' }, { path: 'b.ts' }], 'patch a.ts, b.ts'],
  ['words of a command', 'shell', { command: ['git', 'status'] }, 'shell git status'],
  ['the shell around a command', 'command', "/bin/bash -lc 'echo '\\''a'\\'''", "command echo 'a'"],
  ['the same in double quotes', 'command', 'bash -lc "echo \\"a\\" \\$HOME"', 'command echo "a" $HOME'],
  ['an argument of an unknown name', 'mcp.tool', { count: 3, ticket: 'AB-1' }, 'mcp.tool AB-1'],
  ['nothing', 'TodoWrite', { todos: [{ content: 'a' }] }, 'TodoWrite'],
  ['no input', 'Stop', undefined, 'Stop'],
  ['null', 'Stop', null, 'Stop'],
  ['lines', 'Bash', { command: 'cat <<E\nhi\nE' }, 'Bash cat <<E hi E'],
  ['what a terminal would obey', 'Ba\x1b[2Jsh', { command: 'a\x1b]0;title\x07b\u202ec' }, 'Bash abc'],
])('shows of a call %s', (_, tool, input, line) => {
  expect(callLine(tool, input, '/w')).toBe(line);
});

it('is cut, and not in the middle of a character', () => {
  expect(callLine('Bash', { command: 'x'.repeat(10_000_000) }, '/w', 20)).toBe(`Bash ${'x'.repeat(14)}…`);
  expect(callLine('Bash', { command: '🙂'.repeat(50) }, '/w', 11)).toBe('Bash 🙂🙂…');
});

it('leaves paths alone where the workspace is the root of the disk', () => {
  expect(callLine('Read', { file_path: '/etc/hosts' }, '/')).toBe('Read /etc/hosts');
});
