import { defineConfig } from 'vitest/config';

/** Measured by `npm run prove -- git`, which performs the tables about them. */
const needsGit = [
  'src/git/{trees,commits,ground}/**/*.ts',
  'src/runner/{merge,trees}/**/*.ts',
  'src/api/results/**/*.ts',
  'src/api/run/isolation/**/*.ts',
];
/** End to end, and as slow: `worktrees-doc.test.ts` beside them is in `npm test`. */
const withGit = [
  'test/e2e/results/**/*.test.ts',
  'test/e2e/worktrees/{worktree-runs,worktree-results,outside-of-trees,repaired-by-hand}.test.ts',
];
/** Each is a whole campaign of `npm run prove`, which CI performs after `npm test`; by itself: SIGNALBOX_LONG=1 npx vitest run PATH. */
const inCampaigns = process.env.SIGNALBOX_LONG
  ? []
  : [
      'test/e2e/trust/{two-users,odd-grounds,inside-attempts}.test.ts',
      'test/e2e/trust/kept-code.test.ts',
      'test/e2e/runs/{closed-terminal,recovery,dying,take-over}.test.ts',
      'test/e2e/files/status-recovery.test.ts',
      'test/e2e/by-hand/hand-at-once.test.ts',
      'test/fuzz/hostile.test.ts',
      'test/locks/interleavings.test.ts',
      'test/sim/planted-lock-bugs.test.ts',
    ];
const isAboutGit = process.env.SIGNALBOX_COVERAGE === 'git';

export default defineConfig({
  test: {
    // Two cores. The whole ones get two workers more by `npm test`: they wait for processes a third of the time and more.
    maxWorkers: 2,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['src/**/*.test.ts'],
          exclude: ['src/**/*.git.test.ts'],
          // They leave nothing behind that the next file could see, and a worker for each takes longer than most of them.
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'whole',
          include: ['test/**/*.test.ts'],
          // Those in test/agents need the real agents: `npm run test:agents`.
          exclude: ['test/agents/**', 'test/sim/**', ...withGit, ...inCampaigns],
          isolate: false,
        },
      },
      // Tables that start git thousands of times: `npm run prove -- git`.
      { extends: true, test: { name: 'git', include: ['src/**/*.git.test.ts', ...withGit] } },
      // Each in a worker of its own: the bugs that are planted there replace modules.
      { extends: true, test: { name: 'sim', include: ['test/sim/**/*.test.ts'], exclude: inCampaigns } },
    ],
    setupFiles: ['test/same-seed.ts', 'test/own-state.ts', 'test/after-each-file.ts'],
    // For what hangs: how long a test takes on a busy machine says nothing about it.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    coverage: {
      provider: 'v8',
      include: isAboutGit ? needsGit : ['src/**/*.ts'],
      exclude: ['**/*.test.ts', 'src/main/**', ...(isAboutGit ? [] : needsGit)],
      reporter: ['text-summary', 'json-summary'],
      thresholds: isAboutGit
        ? { lines: 85 }
        : { lines: 85, 'src/core/**': { branches: 100 }, 'src/locks/**': { branches: 100 } },
    },
  },
});
