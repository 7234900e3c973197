// What the runner needs to know of the workspace: where things lie, all absolute, and its settings.
import type { Settings } from '../../core/model/settings.ts';

export interface Ground {
  readonly root: string;
  /** `.signalbox` */
  readonly stateFolder: string;
  readonly attemptsFolder: string;
  readonly journalsFolder: string;
  /** On the PATH of every attempt: the `signalbox` command itself. */
  readonly commandFolder: string;
  /** What other programs read of plans. */
  readonly outputsFolder: string;
  readonly settings: Settings;
}
