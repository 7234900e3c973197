// Collects what the tests print, so that a person can read it in one go: .messages/messages.txt, by command, each line once.
//
//   npm run messages                      the tests of the command line and all end-to-end tests, some minutes
//   npm run messages -- test/e2e/locks    only these, and the tests of the command line
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

const folder = '.messages';
const collected = resolve(folder, 'printed.jsonl');
const families = new Set(['lock', 'saved']);

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder);
const paths = process.argv.slice(2);
runTests('unit', ['src/cli']);
runTests('whole', paths.length > 0 ? paths : ['test/e2e']);

const byCommand = new Map();
for (const text of readFileSync(collected, 'utf8').split('\n').filter(Boolean)) {
  const { args, out, err } = JSON.parse(text);
  // What programs read is in the schema, and the help in docs/commands.md.
  if (args.some((arg) => ['--json', '--help', '-h', '__complete'].includes(arg))) continue;
  const command = families.has(args[0]) ? args.slice(0, 2).join(' ') : (args[0] ?? '(nothing)');
  const lines = byCommand.get(command) ?? new Map();
  byCommand.set(command, lines);
  for (const [sign, printed] of [
    [' ', out],
    ['!', err],
  ])
    for (const line of stripVTControlCharacters(printed).split('\n')) keep(lines, sign, line.trimEnd());
}
// What several commands say is read once.
const shared = new Map();
const saidBy = (key) => [...byCommand.values()].filter((lines) => lines.has(key)).length;
for (const lines of byCommand.values())
  for (const [key, line] of lines) if (!shared.has(key) && saidBy(key) > 2) shared.set(key, line);
for (const lines of byCommand.values()) for (const key of shared.keys()) lines.delete(key);
byCommand.set(' … several commands', shared);
const commands = [...byCommand].filter(([, lines]) => lines.size > 0).sort(([a], [b]) => (a < b ? -1 : 1));
const pages = commands.map(([command, lines]) => `## signalbox ${command}\n\n${[...lines.values()].join('\n')}\n`);
writeFileSync(`${folder}/messages.txt`, `Lines with ! went to standard error.\n\n${pages.join('\n')}`);
const count = commands.reduce((sum, [, lines]) => sum + lines.size, 0);
console.log(`${count} lines of ${commands.length} commands are in ${folder}/messages.txt`);

function runTests(project, which) {
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--project', project, '--reporter', 'dot', ...which];
  const env = { ...process.env, COLLECT_MESSAGES: collected };
  const { status } = spawnSync(process.execPath, vitest, { stdio: 'inherit', env });
  if (status !== 0) console.error(`tests of ${which.join(' ')} failed; what they printed is collected all the same`);
}

/** Two lines that differ in numbers, names of folders or titles of one letter are one message. */
function keep(lines, sign, line) {
  if (line.trim() === '' || line.length > 600) return;
  const shown = line.replaceAll(/\/tmp\/[^\s/:,;)"']+/g, '/tmp/…');
  const key = shown.replaceAll(/[0-9a-f]{7,}|\d+(?:[.,:]\d+)*/g, '0').replaceAll(/[━─]+/g, '━');
  if (!lines.has(key)) lines.set(key, `${sign} ${shown}`);
}
