// The input of a command: the api, the terminal, and what the person typed. A command returns its exit code.
import type { Signalbox } from '../api/signalbox.ts';
import type { Io } from './io.ts';
import type { Paint } from './terminal/paint.ts';

export type Perform = (request: Request) => Promise<number>;

/** For commands that also work where Signalbox cannot be opened: broken settings, no workspace. One may still try. */
export type PerformAlone = (request: AloneRequest) => Promise<number>;

export interface AloneRequest extends Omit<Request, 'box'> {
  readonly open: () => Promise<Signalbox>;
  /** Serves programs on standard input and output until they leave. */
  readonly serve: (options: { readonly agent?: string; readonly decides: boolean }) => Promise<void>;
}

export interface Request extends TypedArguments {
  readonly box: Signalbox;
  readonly io: Io;
  readonly paint: Paint;
  /** The argument or `--plan`; undefined leaves the choice to Signalbox. */
  readonly plan: string | undefined;
}

export interface TypedArguments {
  readonly args: readonly string[];
  readonly flags: Flags;
}

/** Every flag of every command; each command declares its own. */
export interface Flags {
  readonly json?: true;
  readonly verbose?: true;
  readonly quiet?: true;
  readonly plan?: string;
  readonly dryRun?: true;
  readonly tick?: true;
  readonly isolation?: string;
  readonly includeChanges?: true;
  readonly maxParallel?: number;
  readonly budgetUsd?: number;
  readonly parallel?: number;
  readonly only?: readonly string[];
  readonly from?: string;
  readonly by?: string;
  readonly deadlockDetection?: boolean;
  readonly all?: true;
  readonly follow?: true;
  readonly after?: number;
  readonly attempt?: number;
  readonly raw?: true;
  readonly note?: string;
  readonly question?: string;
  readonly reason?: string;
  readonly dependents?: true;
  readonly treatAsDone?: true;
  readonly now?: true;
  readonly write?: true;
  readonly ids?: true;
  readonly check?: true;
  readonly out?: string;
  readonly force?: true;
  readonly request?: string;
  readonly agent?: string;
  readonly shared?: true;
  readonly pid?: number;
  readonly timeout?: number;
  readonly tag?: string;
  readonly to?: string;
  readonly fix?: true;
  readonly versions?: true;
  readonly state?: true;
  readonly git?: true;
  readonly revoke?: true;
  readonly deep?: true;
  readonly watch?: true;
  readonly absolute?: true;
  readonly format?: string;
  readonly waits?: true;
  readonly history?: true;
  readonly dropNeed?: readonly string[];
  readonly merge?: readonly string[];
  readonly move?: readonly string[];
  /** `--reload` of restructure; false: `--no-reload` of run. */
  readonly reload?: boolean;
  readonly confirm?: true;
  readonly takeOver?: true;
  readonly refreshAfter?: number;
  readonly severity?: string;
  readonly onFailure?: string;
  readonly decideWithin?: string;
  readonly retry?: readonly string[];
  readonly notes?: string;
  readonly error?: string;
  readonly checks?: boolean;
  readonly file?: string;
  readonly append?: true;
  readonly mark?: true;
  readonly stat?: true;
  readonly yes?: true;
  readonly approve?: true;
  readonly model?: string;
  readonly undo?: true;
  readonly mcp?: readonly string[];
  readonly decide?: true;
  readonly yield?: true;
  /** False: `--no-agents-md`. */
  readonly agentsMd?: boolean;
  readonly fresh?: true;
  readonly detach?: true;
  readonly limit?: string;
  readonly guest?: true;
}
