import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // Two cores, and many tests start real processes: more workers only make each other wait.
    maxWorkers: 2,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['src/**/*.test.ts'],
          // They leave nothing behind that the next file could see, and a worker for each takes longer than most of them.
          isolate: false,
        },
      },
      { extends: true, test: { name: 'whole', include: ['test/**/*.test.ts'] } },
    ],
    setupFiles: ['test/same-seed.ts'],
    // For what hangs: how long a test takes on a busy machine says nothing about it.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts'],
      exclude: ['**/*.test.ts', 'src/main/**'],
      reporter: ['text-summary', 'json-summary'],
      thresholds: { lines: 85, 'src/core/**': { branches: 100 }, 'src/locks/**': { branches: 100 } },
    },
  },
});
