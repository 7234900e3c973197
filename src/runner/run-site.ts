// The site of a run: where things lie, all absolute, and the settings that hold there.
import type { Settings } from '../core/model/settings.ts';

export interface RunSite {
  readonly root: string;
  /** `.signalbox` */
  readonly stateFolder: string;
  readonly attemptsFolder: string;
  readonly journalsFolder: string;
  /** On the PATH of every attempt: the `signalbox` command itself. */
  readonly commandFolder: string;
  /** The user's own state folder. Attempts are told where it is: they may get another home. */
  readonly userFolder: string;
  /** What other programs read of plans. */
  readonly outputsFolder: string;
  readonly settings: Settings;
  /** By the name of an agent: the version of its program, as far as the run has found it out. */
  readonly versions?: ReadonlyMap<string, string>;
  /** A person lets hooks and filters of the repository run: `trust --git`. */
  readonly trustsGit?: boolean;
  /** A person's frame for prompts, as it was when the run began; absent: there is none. */
  readonly template?: string;
}
