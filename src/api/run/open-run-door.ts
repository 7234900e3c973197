// Opens the door to runs of other processes. The store and the plan are looked for when a method needs them.
import type { PlanPath } from '../../core/model/ids.ts';
import type { Store } from '../../store/store.ts';
import type { IsRunning } from '../look/reports.ts';
import { refuseUnknown, type Seen } from '../look/state-view.ts';
import type { OwnCommand } from '../trust/own-command.ts';
import type { Workspace } from '../workspace.ts';
import type { RunDoor } from './run-door.ts';

export interface RunDoorParts {
  readonly workspace: Workspace;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly command: OwnCommand;
  readonly isRunning: IsRunning;
  readonly which: (plan: string | undefined) => Promise<PlanPath>;
  readonly sound: () => Promise<Seen>;
  readonly created: () => Promise<Store>;
  /** There is no state yet. */
  readonly isFirst: () => boolean;
}

export function openRunDoor(parts: RunDoorParts): RunDoor {
  const { workspace, env, which, sound, created, isFirst } = parts;
  return {
    async attach(plan, options) {
      const { followRun, neverRun } = await import('./follow-run.ts');
      const path = await which(plan);
      const { store, broken } = await sound();
      if (broken) refuseUnknown(broken, 'which run is going on');
      if (!store) throw neverRun(path);
      return followRun({ ...parts, store, path }, options);
    },
    async detach(plan, { argv, options }) {
      const { detachRun } = await import('./detach-run.ts');
      const path = await which(plan);
      if (isFirst()) await (await import('./refuse-first.ts')).refuseFirst(workspace, path, options, env);
      return detachRun({ ...parts, store: await created(), path }, argv);
    },
  };
}
