// The small programs: for each family of small commands one file with what they need and nothing else, because reading, compiling and
// setting up code is most of what a small command takes. Every other lazy import, and the YAML package, becomes a call that hands
// over to the whole program.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';

/** Lazy imports that are part of every small program. */
const everywhere = ['./show-error.ts', './node-driver.ts', '../store/sqlite/open-sqlite.ts'];

/** By the name of the program: lazy imports that are part of it too. `bin/signalbox.cjs` knows which commands it performs. */
const families = {
  looks: [
    './commands/status.ts',
    './commands/next.ts',
    './commands/why.ts',
    './commands/progress.ts',
    './commands/plans.ts',
    './commands/attempts.ts',
  ],
  locks: ['./commands/lock.ts', './locks/lock-door.ts', './files-of-attempts.ts'],
  hand: [
    './commands/mark.ts',
    './commands/findings.ts',
    './commands/hand-run.ts',
    './commands/detect-stuck.ts',
    './hand/hand-door.ts',
    './hand-runs.ts',
    './detect-stuck.ts',
  ],
  files: [
    './commands/set.ts',
    './commands/sync-check.ts',
    './commands/validate.ts',
    './validate/sync-check.ts',
    './validate/looks-sound.ts',
    './write-current-plan.ts',
  ],
};

/** Needed only where there is a `signalbox.yaml`, by every family: a file of its own, which depends on nothing that others have. */
const settings = '../plan/read-settings.ts';

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

const withHandOver = (carried) => ({
  name: 'hand-over',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^yaml$/ }, () => ({ path: 'yaml', namespace: 'hand-over' }));
    onResolve({ filter: /./ }, ({ kind, path }) => {
      if (kind !== 'dynamic-import' || carried.includes(path)) return undefined;
      return path === settings ? { path: './quick-settings.cjs', external: true } : { path, namespace: 'hand-over' };
    });
    onLoad({ filter: /./, namespace: 'hand-over' }, ({ path }) => ({ contents: path === 'yaml' ? yaml : handOver }));
  },
});

const bundle = (name, file, carried) => ({
  entryPoints: { [`quick-${name}`]: file },
  outdir: 'dist',
  outExtension: { '.js': '.cjs' },
  bundle: true,
  // Node loads it faster than ES modules, which ask for every part of node:fs that they name.
  format: 'cjs',
  // The launcher gives it a `require` that knows the other file.
  supported: { 'dynamic-import': false },
  minifySyntax: true,
  minifyWhitespace: true,
  // Names are a third of the file and of what is kept of it compiled: 1.5 ms. Whoever looks for a bug has them in dist/signalbox.js.
  minifyIdentifiers: true,
  plugins: [withLateOs, withHandOver(carried)],
});

export const quickBundles = [
  ...Object.entries(families).map(([name, own]) => bundle(name, `src/main/quick/${name}.ts`, [...everywhere, ...own])),
  bundle('settings', 'src/plan/read-settings.ts', []),
];

/**
 * Makes one function of it, as Node does with every module. The launcher reads it as Latin-1, and knows by its mark whether compiled
 * code that was kept is the code of this file.
 */
export function wrapQuickBundle({ entryPoints }) {
  const [name] = Object.keys(entryPoints);
  const file = `dist/${name}.cjs`;
  // esbuild does so itself in strings, but not in regular expressions.
  const text = readFileSync(file, 'utf8').replace(
    /[^\0-\x7f]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  const mark = createHash('sha256').update(text).digest('hex').slice(0, 32);
  writeFileSync(file, `/*${mark}*/(function (exports, require, module, __filename, __dirname) { ${text}\n})`);
}
