// Ends what carries the mark of an attempt whose worker is dead.
import { TreeKill } from '../../agents/kill-tree.ts';
import { ProcessTable } from '../../agents/process-table.ts';

const graceMs = 5_000;

export const sweep = (marker: string): Promise<void> =>
  new TreeKill(new ProcessTable(), { marker, worker: null, settled: () => true, insist: false }, graceMs).done;
