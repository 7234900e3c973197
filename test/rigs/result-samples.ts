// For tests of the command line: a door to results that has an answer to everything.

import type { ResultsDoor } from '../../src/api/results/results-door.ts';
import type { RunDoor } from '../../src/api/run/run-door.ts';
import { aReport, path } from './cli-rig.ts';

const savedAbout = {
  ...{ id: 'a-1', task: 'a', attempt: 'a#1', plan: path },
  ...{ at: '2026-11-15T11:00:00.000Z', reason: 'deadlock' },
};

export const results: ResultsDoor = {
  land: async () => ({
    ...{ plan: path, branch: 'signalbox/plan', onto: 'main', result: 'nothing', how: null, before: null, commit: null },
    ...{ commits: 0, files: [], because: 'main has everything', instead: null },
  }),
  diff: async () => ({
    ...{
      plan: path,
      task: 'a',
      attempt: 'a#1',
      source: 'branch',
      base: null,
      head: null,
      files: [],
      cut: false,
      notes: [],
    },
  }),
  clean: async () => ({ plan: path, items: [] }),
  savedList: async () => ({ saved: [] }),
  savedShow: async () => ({ ...savedAbout, files: [] }),
  savedRestore: async () => ({ id: 'a-1', to: '/w', written: [], deleted: [], same: [], left: [] }),
};

export const runs: RunDoor = {
  attach: async () => ({ kind: 'ended', run: 'r1', pid: 7, begunAt: 0, report: aReport() }),
  detach: async () => ({ kind: 'refused', exitCode: 8, printed: '' }),
};
