import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    setupFiles: ['test/same-seed.ts'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // Two cores, and many tests start real processes: more workers only make each other wait.
    maxWorkers: 2,
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts'],
      exclude: ['**/*.test.ts', 'src/main/**', 'src/store/conformance.ts'],
      reporter: ['text-summary', 'json-summary'],
      thresholds: { lines: 85, 'src/core/**.ts': { branches: 100 }, 'src/locks/**.ts': { branches: 100 } },
    },
  },
});
