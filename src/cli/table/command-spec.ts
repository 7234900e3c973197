// What the command table says about one command. Commands of one family are kept in a file of their own and put into the table.
import type { Perform, PerformAlone } from '../request.ts';
import type { CommandGroup } from './command-groups.ts';

export type CommandSpec = CommandWords & CommandCode;

interface CommandWords {
  /** One word, or two: `plans`, `lock try`. */
  readonly name: string;
  /** Under which title it is listed. The commands of a family are in the same one. */
  readonly group: CommandGroup;
  /** At most 62 columns: `--help` has one line for each command. */
  readonly summary: string;
  /** As commander writes them: `<ID...>` must be there, `[PLAN]` may. */
  readonly args?: readonly (readonly [string, string])[];
  /**
   * Where the plan is named; `--plan` does it in all of them but `none`. `argument`: by the first argument. `among`: by the argument that
   * ends like a plan file. `maybe-first`: by the first of the ids, if a plan of that name is known. `flag`: only by `--plan`, since other
   * things are named. `workspace`: the command is about no plan, but `--plan` tells where.
   */
  readonly plan: 'argument' | 'among' | 'maybe-first' | 'flag' | 'workspace' | 'none';
  /** `--quiet`. `held`: prints nothing if the exit code is 0, and else everything; `own`: the command heeds it. Without it: no such flag. */
  readonly quiet?: 'held' | 'own';
  readonly flags?: readonly FlagSpec[];
  /** What has to be known beside the flags; shown by `--help`. */
  readonly notes?: string;
  readonly examples: readonly string[];
}

/** A command that needs nothing of the workspace does without it, and works where there is none. */
type CommandCode =
  | { readonly load: () => Promise<Perform>; readonly loadAlone?: never }
  | { readonly loadAlone: () => Promise<PerformAlone>; readonly load?: never };

export interface FlagSpec {
  readonly flags: string;
  readonly about: string;
  /** `before` is what the flag was given earlier, for one that may be repeated. */
  readonly parse?: (text: string, before: unknown) => number | readonly string[];
  /** The values it takes, when they can be listed: for completion. */
  readonly choices?: readonly string[];
}
