// For tests of the command line: a door to the first day that has nothing left to do.
import type { SetupDoor } from '../../src/api/init/setup-door.ts';

export const setup: SetupDoor = {
  init: async () => ({
    ...{ root: '/w', agents: [], agent: null, changes: [], leftAlone: [], plan: null, written: false },
  }),
  undo: async () => ({ root: '/w', changes: [], stays: [], kept: [], written: false }),
  register: async () => ({
    ...{
      agents: [],
      command: ['signalbox', 'mcp'],
      decide: false,
      changes: [],
      leftAlone: [],
      notes: [],
      written: false,
    },
  }),
  unregister: async () => ({ agents: [], changes: [], stays: [], written: false }),
};
