// Bundles the entry points of src/main into dist, one file each with shared lazy chunks: start-up time depends on it.
import { readFileSync, rmSync } from 'node:fs';
import { build } from 'esbuild';

rmSync('dist', { recursive: true, force: true });
await build({
  entryPoints: { signalbox: 'src/main/signalbox.ts', sim: 'test/sim/main.ts' },
  outdir: 'dist',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node22.13',
  external: ['better-sqlite3'],
  define: { __VERSION__: JSON.stringify(JSON.parse(readFileSync('package.json', 'utf8')).version) },
  // commander and yaml are CommonJS inside; a bundle in ESM form has no require of its own.
  banner: { js: "import { createRequire as __cr } from 'node:module'; const require = __cr(import.meta.url);" },
  legalComments: 'none',
  logLevel: 'warning',
});
