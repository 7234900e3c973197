// Keeps the direction of imports, the size of files and the purity of the core: hoped-for rules are not kept, checked ones are.
// Run by `npm run check`. Fails when it sees too few files, so that it can never pass by looking at nothing.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** Folder → folders it may import beside its own. `main` wires everything. */
const allowed = {
  locks: [],
  core: ['locks'],
  plan: ['core', 'locks'],
  store: ['core', 'locks'],
  agents: ['core', 'locks'],
  files: ['core', 'locks'],
  git: ['core', 'locks'],
  status: ['core', 'locks', 'store', 'files'],
  runner: ['core', 'locks', 'plan', 'store', 'agents', 'files', 'git', 'status'],
  api: ['core', 'locks', 'plan', 'store', 'agents', 'files', 'git', 'status', 'runner'],
  cli: ['api', 'core'],
  mcp: ['api', 'cli'],
  main: ['locks', 'core', 'plan', 'store', 'agents', 'files', 'git', 'status', 'runner', 'api', 'cli', 'mcp'],
};
const pure = new Set(['core', 'locks']);
// A local clock reads the zone of the machine from a file.
const impure =
  /\bDate\.now\b|\bnew Date\(\)|\bget(?:Hours|Minutes|Seconds|Date|Day|Month|FullYear|TimezoneOffset)\b|\btoLocale|\bIntl\b|\bMath\.random\b|\basync\b|\bawait\b|from 'node:/;
const vagueNames = /(^|-)(utils?|helpers?|common|types|manager|service|misc)(\.|-|$)/;
const mostLines = 400;
const mostReadmeLines = 30;
const mostFilesInFolder = 25;
/** One file for each command, and for each family of reports: a reader looks for a name. */
const lists = new Set(['src/cli/commands', 'src/api/reports']);
const fewestFiles = 40;

const files = globSync('src/**/*.ts').map((file) => file.replaceAll('\\', '/'));
const mistakes = [];
const imports = new Map();
for (const file of files) {
  const text = readFileSync(file, 'utf8');
  const layer = file.split('/')[1];
  const isTest = file.endsWith('.test.ts');
  const lines = text.split('\n').length;
  if (lines > mostLines) mistakes.push(`${file}: ${lines} lines; the wall is ${mostLines}`);
  if (!(layer in allowed)) mistakes.push(`${file}: no layer called ${layer}`);
  if (vagueNames.test(file.split('/').at(-1))) mistakes.push(`${file}: a file is named after the one thing it exports`);
  if (/export default/.test(text)) mistakes.push(`${file}: no default exports`);
  if (layer !== 'main' && !isTest && /process\.env/.test(text)) mistakes.push(`${file}: only main/ reads process.env`);
  if (pure.has(layer) && !isTest) {
    text.split('\n').forEach((line, i) => {
      if (impure.test(line.replace(/\/\/.*|^\s*\*.*/, '')))
        mistakes.push(`${file}:${i + 1}: ${layer}/ is pure: ${line.trim()}`);
    });
  }
  if (isTest) continue;
  const targets = [...text.matchAll(/(?:from|import\() ?'(\.[^']+)'/g)].map(([, to]) =>
    relative('.', join(dirname(file), to)),
  );
  imports.set(
    file,
    [...text.matchAll(/^import (?!type)[^;]*? from '(\.[^']+)'/gm)].map(([, to]) =>
      relative('.', join(dirname(file), to)),
    ),
  );
  for (const target of targets) {
    if (target.endsWith('.json')) continue; // data
    const to = target.split('/')[1];
    if (to !== layer && !allowed[layer]?.includes(to))
      mistakes.push(`${file}: ${layer}/ must not import ${to}/ (${target})`);
  }
}
mistakes.push(...cycles(), ...readmes(), ...crowded());
if (files.length < fewestFiles) mistakes.push(`only ${files.length} files seen: is this the right folder?`);
for (const mistake of mistakes) console.error(mistake);
console.log(`layers: ${files.length} files, ${mistakes.length} mistakes`);
process.exit(mistakes.length > 0 ? 1 : 0);

/** Import cycles of values (types vanish at run time), each named once. */
function cycles() {
  const state = new Map();
  const found = [];
  const visit = (file, path) => {
    if (state.get(file) === 'done') return;
    if (state.get(file) === 'open') {
      found.push(`import cycle: ${[...path.slice(path.indexOf(file)), file].join(' → ')}`);
      return;
    }
    state.set(file, 'open');
    for (const to of imports.get(file) ?? []) visit(to, [...path, file]);
    state.set(file, 'done');
  };
  for (const file of imports.keys()) visit(file, []);
  return found;
}

/** A layer says in a page what lives in it; a longer page is not read. */
function readmes() {
  return Object.keys(allowed).flatMap((layer) => {
    const file = `src/${layer}/README.md`;
    if (!existsSync(file)) return [`${file} is missing: each layer says what lives in it`];
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n').length;
    return lines > mostReadmeLines ? [`${file}: ${lines} lines; the wall is ${mostReadmeLines}`] : [];
  });
}

/** Folders with more files beside tests than a reader takes in at a glance. */
function crowded() {
  const sizes = new Map();
  for (const file of imports.keys()) sizes.set(dirname(file), (sizes.get(dirname(file)) ?? 0) + 1);
  return [...sizes]
    .filter(([folder, size]) => size > mostFilesInFolder && !lists.has(folder))
    .map(([folder, size]) => `${folder}: ${size} files; a room holds ${mostFilesInFolder}`);
}
