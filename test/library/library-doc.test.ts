// docs/library.md, from the package as it is packed: its examples compile against the types that are shipped, and print what is shown.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { libraryDeclarations } from '../../scripts/library-declarations.ts';

const page = readFileSync('docs/library.md', 'utf8');
const fence = (info: string) => {
  const [, body] = new RegExp(`^\`\`\`${info}\\n([^]*?)^\`\`\`$`, 'm').exec(page) ?? [];
  expect(body, info).toBeDefined();
  return body!;
};

const folder = mkdtempSync(join(tmpdir(), 'signalbox-library-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

beforeAll(() => {
  const packed = execFileSync('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [{ filename }] = JSON.parse(packed);
  const installed = join(folder, 'node_modules', 'signalbox');
  mkdirSync(installed, { recursive: true });
  execFileSync('tar', ['-xzf', join(folder, filename), '-C', installed, '--strip-components=1']);
  // As npm would install it beside the package.
  symlinkSync(resolve('node_modules/better-sqlite3'), join(folder, 'node_modules', 'better-sqlite3'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }\n');
  writeFileSync(join(folder, 'signalbox.yaml'), '');
  writeFileSync(join(folder, 'plan.md'), fence('markdown plan'));
  writeFileSync(join(folder, 'example.ts'), fence('ts example'));
  writeFileSync(join(folder, 'rules.ts'), fence('ts rules'));
});

const run = (file: string) =>
  execFileSync(process.execPath, [file], {
    cwd: folder,
    encoding: 'utf8',
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      SIGNALBOX_STATE: process.env.SIGNALBOX_STATE,
      USER: 'tester',
      NO_COLOR: '1',
    },
  });

it('the types are up to date (npm run schema writes them)', () => {
  expect(readFileSync('types/library.d.ts', 'utf8')).toBe(libraryDeclarations());
});

it('the examples compile against the types of the package', () => {
  const options = ['--noEmit', '--strict', '--target', 'es2023', '--module', 'nodenext', '--skipLibCheck', 'false'];
  const types = ['--types', 'node', '--typeRoots', resolve('node_modules/@types')];
  const tsc = resolve('node_modules/.bin/tsc');
  const compile = (...files: string[]) =>
    execFileSync(tsc, ['--ignoreConfig', ...options, ...types, ...files], { cwd: folder, encoding: 'utf8' });
  expect(compile('example.ts', 'rules.ts')).toBe('');
  // It would notice a mistake.
  writeFileSync(
    join(folder, 'wrong.ts'),
    "import { startRun } from 'signalbox';\nexport const n: number = await startRun('p');\n",
  );
  expect(() => compile('wrong.ts')).toThrow();
});

it('the example prints what is shown', () => {
  expect(run('example.ts')).toBe(fence('text output'));
});

it('the rules print what is shown', () => {
  expect(run('rules.ts')).toBe(fence('text rules-output'));
});

it('every function of the library is on the page and has a type', async () => {
  const library = await import(join(dirname(resolve('package.json')), 'dist', 'library.js'));
  const types = readFileSync('types/library.d.ts', 'utf8');
  for (const name of Object.keys(library)) {
    expect(page).toContain(name);
    expect(types).toMatch(new RegExp(`^export declare (const|function|class) ${name}\\b`, 'm'));
  }
});
