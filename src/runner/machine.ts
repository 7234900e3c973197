// What the loop stands on: time, processes, files and agents. `this-machine.ts` is the real one, the simulator brings its own.
import type { AttemptHost, StartOrder } from '../agents/process/attempt-host.ts';
import type { StreamSeen } from '../agents/stream/stream-reader.ts';
import type { AttemptEnd, Evidence } from '../core/model/failure.ts';
import type { Plan } from '../core/model/plan.ts';
import type { MergeAnswer, ReviewAnswer } from '../core/rules/job-end.ts';
import type { LiveAttempt, PlanState, RunState } from '../core/state/state.ts';
import { GitTrouble } from '../git/git-trouble.ts';
import type { Stopped, Work } from './attempts/work.ts';
import type { Clock } from './clock.ts';
import type { IsGone } from './reap-locks.ts';

export interface Machine {
  readonly clock: Clock;
  /** Its observations must be handed to `RunLoop.observe`. */
  readonly host: AttemptHost;
  readonly files: FilesOfAttempts;
  readonly agents: Agents;
  readonly planFile: PlanFile;
  /** Whether a process that waits for a lock, or holds one, is gone. */
  readonly isGone: IsGone;
  /** Whether the process that runs a plan is alive. Asked at the start and now and then, not every turn. */
  readonly isRunnerAlive: (run: RunState) => boolean;
}

/** The file that the plan was read from. A person may edit it while the plan runs. */
export interface PlanFile {
  /** Calls back when the file may have changed; may come too often, but comes within a second. @returns how to end it. */
  watch(hint: () => void): () => void;
  read(): PlanText;
}

export interface PlanText {
  /** Equal texts have the same; so has a file that is gone. */
  readonly id: string;
  readonly revision: string;
  /** Whether this is the text that was loaded as the revision. */
  isRevision(revision: string): boolean;
  /** Why only a person may take it; null: the run may. */
  readonly hold: string | null;
  /** What it says, or its mistakes with their lines. */
  plan(): Promise<{ readonly ok: true; readonly plan: Plan } | { readonly ok: false; readonly because: string }>;
  /** Why the run could not go on with the plan as it is loaded now; null: it can. */
  unfit(plan: PlanState): string | null;
}

/** Looks after the files that attempts have locked. Both steps may be repeated: whoever dies in between begins again. */
export interface FilesOfAttempts {
  /** Keeps what they are now; before the attempt starts. */
  take(token: number, keys: readonly string[]): Promise<void>;
  /** Puts the version of a stopped attempt aside. */
  save(stopped: Stopped): Promise<{ readonly saved: string | null; readonly files: number }>;
  /** Makes them again what they were before it took them; tells which could not be. */
  putBack(stopped: Stopped): Promise<{ readonly left: readonly string[] }>;
  /** It was judged, and nothing has to be put back or compared any more. */
  forget(token: number): void;
}

/** Nothing more may start until a person has made room. The message is the reason of the pause. */
export class NoRoom extends Error {}

/** The command that sets up trees failed, as it does for every task. The message is the end of a sentence. */
export class SetupFailed extends GitTrouble {
  readonly setup: string;

  constructor(message: string, setup: string) {
    super(message);
    this.setup = setup;
  }
}

/** What agents are told, and what is seen of them. Nothing is looked at around plain commands, which must cost nothing more. */
export interface Agents {
  /** What is to be known before it starts; null: nothing. */
  before(work: Work): Promise<void> | null;
  /** Whether a program that Signalbox knows performs it, and no command. */
  isCodingAgent(work: Work): boolean;
  orderFor(work: Work): StartOrder | { readonly unstartable: string };
  /** An earlier runner started it. */
  adopted(work: Work): void;
  /** How far the stream of a coding agent is; null: nobody reads one. */
  seenOf(token: number): StreamSeen | null;
  /** What there is to know after its end, before that is recorded; null: nothing. */
  after(token: number, end: AttemptEnd): Promise<Evidence | undefined> | null;
  /** Who has reviewed, and what they said. */
  reviewOf(live: LiveAttempt): { readonly by: string; readonly answer: ReviewAnswer | null };
  /** What a merge has said; null: nothing that can be understood. */
  mergeOf(live: LiveAttempt): MergeAnswer | null;
  /** Where it prints to. */
  outputFile(live: LiveAttempt): string;
  /** The last line that it printed; of a coding agent, what it did last. */
  lastLine(live: LiveAttempt): string | undefined;
}
