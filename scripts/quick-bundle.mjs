// The bundle of the small entry point: only what small commands need. Every other lazy import, and the YAML package, becomes a
// module that hands over to the whole program.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';

const carried = [
  './commands/status.ts',
  './commands/next.ts',
  './commands/why.ts',
  './commands/progress.ts',
  './commands/lock.ts',
  './commands/mark.ts',
  './commands/findings.ts',
  './commands/hand-run.ts',
  './commands/detect-stuck.ts',
  './commands/plans.ts',
  './commands/attempts.ts',
  './commands/sync-check.ts',
  './commands/set.ts',
  './commands/validate.ts',
  './validate/sync-check.ts',
  './validate/looks-sound.ts',
  './write-current-plan.ts',
  './hand-runs.ts',
  './detect-stuck.ts',
  './show-error.ts',
  './node-driver.ts',
  '../store/sqlite/open-sqlite.ts',
  '../plan/read-settings.ts',
  './files-of-attempts.ts',
];

const handOver = `throw Object.assign(new Error('only the whole program can do this'), { name: 'HandOver' })`;

/** For names that are imported statically, and called (one by `new`) only for what is not plain. */
const yaml = `function over() { ${handOver} }
export { over as isAlias, over as isMap, over as isScalar, over as isSeq, over as Lexer, over as LineCounter, over as parseDocument };`;

/** Loading it takes as long as opening the database, and only what is out of the ordinary asks it anything. */
const withLateOs = {
  name: 'late-os',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:os$/ }, ({ namespace }) =>
      namespace === 'late-os' ? undefined : { path: 'node:os', namespace: 'late-os' },
    );
    onLoad({ filter: /./, namespace: 'late-os' }, () => ({
      contents: ['hostname', 'uptime', 'userInfo']
        .map((name) => `export const ${name} = () => require('node:os').${name}();`)
        .join('\n'),
    }));
  },
};

const withHandOver = {
  name: 'hand-over',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^yaml$/ }, () => ({ path: 'yaml', namespace: 'hand-over' }));
    onResolve({ filter: /./ }, ({ kind, path }) =>
      kind === 'dynamic-import' && !carried.includes(path) ? { path, namespace: 'hand-over' } : undefined,
    );
    onLoad({ filter: /./, namespace: 'hand-over' }, ({ path }) => ({ contents: path === 'yaml' ? yaml : handOver }));
  },
};

export const quickBundle = {
  entryPoints: { quick: 'src/main/quick.ts' },
  outdir: 'dist',
  outExtension: { '.js': '.cjs' },
  bundle: true,
  // Node loads it faster than ES modules, which ask for every part of node:fs that they name.
  format: 'cjs',
  minifySyntax: true,
  minifyWhitespace: true,
  // Names are a third of the file and of what is kept of it compiled: 1.5 ms. Whoever looks for a bug has them in dist/signalbox.js.
  minifyIdentifiers: true,
  plugins: [withLateOs, withHandOver],
};

/**
 * Makes one function of it, as Node does with every module. The launcher reads it as Latin-1, and knows by its mark whether compiled
 * code that was kept is the code of this file.
 */
export function wrapQuickBundle(file) {
  // esbuild does so itself in strings, but not in regular expressions.
  const text = readFileSync(file, 'utf8').replace(
    /[^\0-\x7f]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  const mark = createHash('sha256').update(text).digest('hex').slice(0, 32);
  writeFileSync(file, `/*${mark}*/(function (exports, require, module, __filename, __dirname) { ${text}\n})`);
}
