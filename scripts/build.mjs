// Bundles the entry points of src/main into dist: the program, and the library.
import { createHash } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
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

/**
 * Node's own modules as files of the bundle, so that the parts of the program import nothing but each other. Cryptography alone takes
 * 7 ms to load, and most commands call none of it: what is imported of such a module loads it when it is called.
 */
const ownModules = {
  name: 'own-modules-of-node',
  setup({ onResolve, onLoad }) {
    const slow = /^node:(crypto|child_process|fs\/promises|stream\/promises|timers\/promises|readline|zlib|os)$/;
    onResolve({ filter: /^node:/ }, ({ path, kind, namespace }) =>
      kind === 'require-call' || namespace === 'own' ? { path, external: true } : { path, namespace: 'own' },
    );
    onLoad({ filter: /./, namespace: 'own' }, ({ path }) => {
      const given = process.getBuiltinModule(path);
      const names = Object.keys(given).filter((name) => /^[a-z]\w*$/i.test(name) && name !== 'default');
      if (slow.test(path)) {
        const called = names.filter((name) => typeof given[name] === 'function' && /^[a-z]/.test(name));
        const lines = called.map((name) => `export const ${name}=(...given)=>require('${path}').${name}(...given);`);
        const rest = `export default new Proxy({},{get:(_,name)=>require('${path}')[name]});`;
        return { contents: `${rest}${lines.join('\n')}` };
      }
      // What nobody imports is dropped: looking at it may load other modules.
      const lines = names.map((name) => `export const ${name}=/* @__PURE__ */of('${name}');`);
      return { contents: `const own=require('${path}'),of=(name)=>own[name];export default own;${lines.join('\n')}` };
    });
  },
};

/** What only `signalbox mcp` needs is in a file of its own: every command reads all of the program's. The launcher requires it. */
const apart = {
  name: 'mcp-library-apart',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^@modelcontextprotocol\/server/ }, ({ path }) => ({
      path,
      namespace: 'apart',
    }));
    onLoad({ filter: /./, namespace: 'apart' }, async ({ path }) => {
      const names = Object.keys(await import(path));
      const lines = names.map((name) => `export const ${name}=/* @__PURE__ */of('${name}');`);
      return { contents: `const own=require('../dist/mcp-library.cjs'),of=(name)=>own[name];${lines.join('\n')}` };
    });
  },
};

const common = {
  bundle: true,
  platform: 'node',
  target: 'node22.13',
  define: { __VERSION__: JSON.stringify(version) },
  plugins: [bundledSqlite, withoutChildProcess, ownModules],
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

await build({
  ...common,
  stdin: {
    contents: "export * from '@modelcontextprotocol/server'; export * from '@modelcontextprotocol/server/stdio';",
    resolveDir: '.',
  },
  outfile: 'dist/mcp-library.cjs',
  format: 'cjs',
  minify: true,
});

/**
 * The program, divided where files are imported only when they are needed. Each part is a function in one file, so that the launcher
 * reads one file, and V8 keeps nothing of the parts that a command does not use: that spares it 10 ms. A part needs only those that
 * more others need, so there are no circles.
 */
const { outputFiles } = await build({
  ...common,
  plugins: [...common.plugins, apart],
  external: [...common.external, '../dist/mcp-library.cjs'],
  entryPoints: ['src/main/signalbox.ts'],
  outdir: 'dist',
  write: false,
  format: 'esm',
  splitting: true,
  minify: true,
});
const parts = outputFiles.map(({ path, text }) => `"./${basename(path)}"(){${asFunction(text)}}`);
const program = `(function(exports,require,module){const made={},parts={${parts.join(',')}},part=(name)=>made[name]??=parts[name]();
module.exports=part("./signalbox.js")})`;
// esbuild escapes strings, but not regular expressions: in ASCII alone, V8 reads it 2 ms faster.
const escaped = (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
const hash = createHash('sha256').update(program).digest('hex').slice(0, 16);
writeFileSync('dist/signalbox.cjs', `// build ${hash}\n${program.replace(/[^\0-\x7f]/g, escaped)}`);

/** From the form that esbuild gives to a part: its imports first, its exports last. */
function asFunction(text) {
  const swapped = (names, order) => `{${names.replace(/([\w$]+) as ([\w$]+)/g, order)}}`;
  const [imports] = /^(import(\{[^}]*\}from)?"[^"]+";)*/.exec(text);
  const [exports, given = ''] = /export\{([^}]*)\};\s*$/.exec(text) ?? [''];
  const body = text.slice(imports.length, text.length - exports.length);
  if (/(^|[;}])(import|export)[{*"]/.test(body)) throw new Error(`a part is not as expected: ${text.slice(0, 500)}`);
  const needed = imports.replace(/import(?:(\{[^}]*\})from)?("[^"]+");/g, (_, names, place) =>
    names ? `const${swapped(names.slice(1, -1), '$1:$2')}=part(${place});` : `part(${place});`,
  );
  return `${needed}${body.replace(/\bimport\(("\.\/[^"]+")\)/g, 'Promise.resolve().then(()=>part($1))')}return${swapped(given, '$2:$1')}`;
}
