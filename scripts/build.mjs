// Bundles the entry points of src/main into dist: the program, and the library.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { build } from 'esbuild';

const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
/**
 * The many small files of better-sqlite3 take 5 ms to load one by one. In a bundle they no longer lie beside its binary. Asking Node
 * which C library this is takes 3 ms more: a binary for the other one does not load, and then it is taken.
 */
const bundledSqlite = {
  name: 'bundled-sqlite',
  setup({ onLoad }) {
    const changes = [
      ['__dirname', 'ownPackage()'],
      [
        'function isLinuxMusl() {',
        // As Node finds it, but without what it asks of every package on the way: 1 ms.
        `function ownPackage() {
          const name = 'better-sqlite3/package.json';
          const places = require.resolve.paths(name).map((folder) => path.join(folder, name));
          return places.find((place) => fs.existsSync(place)) ?? require.resolve(name);
        }
        function isLinuxMusl() {`,
      ],
      ["isLinuxMusl() ? 'linuxmusl' : process.platform", 'process.platform'],
      [
        'return DEFAULT_ADDON = require(filename);',
        "try { return DEFAULT_ADDON = require(filename); } catch (error) { const other = filename.replace('linux-', 'linuxmusl-'); if (other === filename) throw error; return DEFAULT_ADDON = require(other); }",
      ],
    ];
    onLoad({ filter: /better-sqlite3\/lib\/binding\.js$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      for (const [old] of changes) if (!text.includes(old)) throw new Error(`${path} is not as expected: ${old}`);
      return { contents: changes.reduce((changed, [old, fresh]) => changed.replaceAll(old, fresh), text) };
    });
  },
};

/** Commander loads node:child_process for commands that are programs of their own, which none is here: 3 ms for every command. */
const withoutChildProcess = {
  name: 'commander-without-child-process',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:child_process$/ }, ({ importer }) =>
      importer.includes('/commander/') ? { path: 'nothing', namespace: 'nothing' } : undefined,
    );
    onLoad({ filter: /./, namespace: 'nothing' }, () => ({ contents: '' }));
  },
};

/** Node's cryptography takes 7 ms to load, and most commands call none of it: what is imported of these loads them when it is called. */
const whenCalled = {
  name: 'node-modules-when-called',
  setup({ onResolve, onLoad }) {
    onResolve(
      { filter: /^node:(crypto|child_process|fs\/promises|stream\/promises|timers\/promises|readline|zlib)$/ },
      ({ path, namespace }) =>
        namespace === 'when-called' ? { path, external: true } : { path, namespace: 'when-called' },
    );
    onLoad({ filter: /./, namespace: 'when-called' }, ({ path }) => {
      const given = Object.entries(process.getBuiltinModule(path));
      const names = given.flatMap(([name, value]) => (typeof value === 'function' && /^[a-z]/.test(name) ? name : []));
      const call = (name) => `export const ${name} = (...given) => require('${path}').${name}(...given);`;
      return { contents: names.map(call).join('\n') };
    });
  },
};

const common = {
  bundle: true,
  platform: 'node',
  target: 'node22.13',
  define: { __VERSION__: JSON.stringify(version) },
  plugins: [bundledSqlite, withoutChildProcess, whenCalled],
  external: ['better-sqlite3/package.json'],
  legalComments: 'none',
  logLevel: 'warning',
};

rmSync('dist', { recursive: true, force: true });
await build({
  ...common,
  entryPoints: ['src/main/library.ts'],
  outdir: 'dist',
  format: 'esm',
  // Packages are CommonJS inside; a bundle in ESM form has no require of its own.
  banner: { js: "import { createRequire as __cr } from 'node:module'; const require = __cr(import.meta.url);" },
});

const { outputFiles } = await build({
  ...common,
  entryPoints: ['src/main/signalbox.ts'],
  outfile: 'dist/signalbox.cjs',
  write: false,
  format: 'cjs',
  minify: true,
  supported: { 'dynamic-import': false },
  // The launcher compiles it as one function, as Node does with every module.
  banner: { js: '(function (exports, require, module) {' },
  footer: { js: '})' },
});
const [program] = outputFiles;
// esbuild escapes strings, but not regular expressions: in ASCII alone, V8 reads it 2 ms faster.
const escaped = (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
writeFileSync(program.path, `// build ${program.hash}\n${program.text.replace(/[^\0-\x7f]/g, escaped)}`);
