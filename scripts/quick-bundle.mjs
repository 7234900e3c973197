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
  './show-error.ts',
  './node-driver.ts',
  '../store/sqlite/open-sqlite.ts',
  '../plan/read-settings.ts',
  './locks/files-of-attempts.ts',
];

const handOver = `throw Object.assign(new Error('only the whole program can do this'), { name: 'HandOver' })`;

/** For names that are imported statically, and called (one by `new`) only for what is not plain. */
const yaml = `function over() { ${handOver} }
export { over as isAlias, over as isMap, over as isScalar, over as isSeq, over as LineCounter, over as parseDocument };`;

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
  plugins: [withHandOver],
};

/** The launcher reads it as Latin-1, and knows by its mark whether compiled code that was kept is the code of this file. */
export function markQuickBundle(file) {
  const text = readFileSync(file, 'utf8');
  const other = text.search(/[^\0-\x7f]/);
  if (other !== -1) throw new Error(`${file} is not plain ASCII: ${text.slice(Math.max(0, other - 40), other + 40)}`);
  const mark = createHash('sha256').update(text).digest('hex').slice(0, 32);
  writeFileSync(file, `/*${mark}*/${text}`);
}
