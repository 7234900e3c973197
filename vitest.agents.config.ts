import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // Real agents that talk to scripted models: see test/agents/main.ts, which installs them first.
    include: ['test/agents/*.test.ts'],
    setupFiles: ['test/own-state.ts', 'test/after-each-file.ts'],
    maxWorkers: 2,
    // A program that takes a second alone takes twenty when others start, too.
    testTimeout: 180_000,
    hookTimeout: 60_000,
  },
});
