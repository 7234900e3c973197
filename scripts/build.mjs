// Bundles the entry points of src/main into dist, with lazy chunks: start-up time depends on it. `npm run sim` has a bundle of
// its own, so that it does not tear the chunks of the command apart.
import { readFileSync, rmSync } from 'node:fs';
import { build } from 'esbuild';
import { quickBundles, wrapQuickBundle } from './quick-bundle.mjs';

const { version } = JSON.parse(readFileSync('package.json', 'utf8'));

/** Commander loads node:child_process for a feature that is not used here, at 5 ms for every command. */
const withoutChildProcess = {
  name: 'commander-without-child-process',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:child_process$/ }, ({ importer }) =>
      importer.includes('/commander/') ? { path: 'nothing', namespace: 'nothing' } : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'nothing' }, () => ({ contents: 'module.exports = {}' }));
  },
};

const common = {
  platform: 'node',
  target: 'node22.13',
  external: ['better-sqlite3'],
  define: { __VERSION__: JSON.stringify(version) },
  legalComments: 'none',
  logLevel: 'warning',
};
const options = {
  ...common,
  outdir: 'dist',
  bundle: true,
  format: 'esm',
  // commander and yaml are CommonJS inside; a bundle in ESM form has no require of its own.
  banner: { js: "import { createRequire as __cr } from 'node:module'; const require = __cr(import.meta.url);" },
  plugins: [withoutChildProcess],
};

rmSync('dist', { recursive: true, force: true });
await build({
  ...options,
  splitting: true,
  entryPoints: { signalbox: 'src/main/signalbox.ts', library: 'src/main/library.ts' },
});
for (const quick of quickBundles) {
  await build({ ...common, ...quick });
  wrapQuickBundle(quick);
}
await build({ ...options, entryPoints: { sim: 'test/sim/main.ts' } });
