// How attempts end and why tasks fail: data inside events, never exceptions.
import type { AgentReport, ResultClass } from './agent-result.ts';
import type { Severity } from './review.ts';

/** What was observed of an attempt's end. An exit code after our own kill is kept, but proves nothing. */
export type AttemptEnd =
  | { readonly kind: 'exited'; readonly code: number }
  | { readonly kind: 'killed'; readonly code: number | null }
  /** It ended, or its host went away; how it ended is not known. */
  | { readonly kind: 'lost' }
  /** It was called back before anything ran; costs nothing. */
  | { readonly kind: 'never-started' }
  /** The program could not be started at all. `permanent`: trying again cannot help (missing program). `setup`: of its tree, which failed. */
  | { readonly kind: 'unstartable'; readonly message: string; readonly permanent: boolean; readonly setup?: string };

/** Why Signalbox ends an attempt itself. */
export type Doom =
  | { readonly kind: 'timeout'; readonly limitMs: number }
  /** `last`: what it last said. */
  | { readonly kind: 'idle'; readonly limitMs: number; readonly last?: string }
  /** A coding agent that printed nothing of its stream since its start. */
  | { readonly kind: 'mute'; readonly limitMs: number }
  /** A coding agent that said how its work ended, and did not end itself. Its word counts as if it had. */
  | { readonly kind: 'finished' }
  /** The run is being stopped; no fault of the task. */
  | { readonly kind: 'stop' }
  /** A person suspended or skipped the task. `asked`: it was suspended with a question to a person. */
  | { readonly kind: 'withdrawn'; readonly asked?: true }
  /** It makes the same call again and again. */
  | { readonly kind: 'looping'; readonly call: string; readonly times: number }
  /** It works, and its hooks have not reached us. */
  | { readonly kind: 'ungoverned' }
  /** Chosen to end a deadlock. Its exit code then means neither success nor failure. */
  | { readonly kind: 'deadlock'; readonly words: string; readonly blocker: DeadlockBlocker };

/** The holder of the lock that the victim waited for. */
export interface DeadlockBlocker {
  /** As in the lock table. */
  readonly owner: string;
  readonly name: string;
  readonly resource: string;
}

/** Why an attempt, or in the end its task, failed. */
export type Failure =
  /** `command`: of a closing task, which is only a check. */
  | { readonly kind: 'exit'; readonly code: number; readonly command?: string }
  | { readonly kind: 'timeout'; readonly limitMs: number }
  | { readonly kind: 'idle'; readonly limitMs: number; readonly last?: string }
  /** It never began to tell what it does. */
  | { readonly kind: 'mute'; readonly limitMs: number }
  | { readonly kind: 'lost'; readonly times: number }
  | { readonly kind: 'unstartable'; readonly message: string }
  /** A check was not green. `code`: null when it took too long. `before`: it was not green before the plan began either. */
  | {
      readonly kind: 'check';
      readonly command: string;
      readonly code: number | null;
      readonly token: number;
      readonly before?: true;
    }
  /** A coding agent says that it did not finish, or what. `message`: its words, or the service's. */
  | { readonly kind: 'agent'; readonly class: AgentTrouble; readonly message: string }
  /** It wrote to files without their locks, and the settings do not let that pass. */
  | { readonly kind: 'audit'; readonly files: readonly string[] }
  /** An agent ended well and had done nothing. `lacks`: what would have shown something. */
  | { readonly kind: 'nothing-done'; readonly lacks?: Lacking }
  /** Rejected too often: it is not tried again. */
  | { readonly kind: 'rejected'; readonly severity: Severity; readonly times: number; readonly issue?: string }
  /** It could not be merged with what others did meanwhile. `token`: of the merge, whose log has the output of a red check. */
  | {
      readonly kind: 'merge';
      readonly result: 'conflict' | 'red';
      readonly files: readonly string[];
      readonly token: number;
      readonly command?: string;
      readonly problem?: string;
    }
  /** Its tree cannot be merged as the attempt left it. */
  | { readonly kind: 'unfit'; readonly message: string }
  /** No reviewer gave an answer that could be understood. */
  | { readonly kind: 'review'; readonly message: string }
  /** A person or an agent says so. */
  | { readonly kind: 'said'; readonly message: string };

/**
 * calls   it called no tool, and changed nothing
 * change  it changed nothing
 * proof   nobody could find out whether it changed anything
 * text    its last message, which is its result, is empty
 */
export type Lacking = 'calls' | 'change' | 'proof' | 'owner' | 'text';

/** What a person has to answer, and what a fresh conversation mends, is no failure. */
type AgentTrouble = Exclude<ResultClass, 'done' | 'rate-limit' | 'asks' | 'no-conversation'>;

/** What an agent did. An absent field is not known. */
export interface Evidence {
  readonly toolCalls?: number;
  /** Whether it changed anything in the workspace. */
  readonly changed?: boolean;
  /** Something changed while others were at work too, and nobody can tell whether it did that. */
  readonly unclear?: true;
  /** Of a task that produces text: whether there was any. */
  readonly answered?: boolean;
  /** Whether it printed anything. */
  readonly output?: boolean;
  /** Hashes of the files it had locked, at most fifty. */
  readonly files?: readonly { readonly file: string; readonly before: string; readonly after: string }[];
  /** The file in the workspace with the findings of a debugging agent. */
  readonly finding?: string;
  /** Files that it wrote without their locks, at most fifty. `fails`: the settings do not let that pass. */
  readonly audit?: { readonly files: readonly WriteFinding[]; readonly fails?: true };
  /** What a coding agent says about itself. */
  readonly agent?: AgentReport;
  /** In a run with worktrees: what it left on its branch. */
  readonly work?: WorkOnBranch;
  /** Why its tree cannot be merged as it is. */
  readonly unfit?: string;
  /** Changes that whoever takes its work should look at, each as a clause. */
  readonly flags?: readonly string[];
  /** New files that are never committed, at most twenty, and why. */
  readonly left?: readonly LeftFile[];
  /** What changed outside of its tree while it worked. */
  readonly incidents?: readonly Incident[];
  /** The longest row of equal calls. */
  readonly repeated?: { readonly call: string; readonly times: number };
}

/**
 * Something outside of an attempt's tree that changed while it worked. Others work at the same time, so it need not have been the attempt.
 *
 * shared    configuration, hooks or stash, which count for every tree of the repository
 * checkout  the person's own files, branch or index; it may be the person's own work
 */
export interface Incident {
  /** `wrote`: the attempt itself says that it wrote there. `checkout`: that may be a person's own work. */
  readonly kind: 'shared' | 'wrote' | 'checkout';
  /** A clause: `the hook pre-commit was added`. */
  readonly what: string;
  /** The folder with what it was before and after. */
  readonly saved?: string;
  /** With `checkout`: what the attempt printed names that folder, so it may well have done it. */
  readonly named?: true;
  /** With `checkout`: commands of its processes that worked in that folder, at most three. */
  readonly processes?: readonly string[];
}

/** `repository`: one inside of the tree; `link`: it leads out of the tree; `secret`: by its name. */
export interface LeftFile {
  readonly path: string;
  readonly because: 'repository' | 'link' | 'secret';
}

/** What an attempt in a tree of its own has committed, or Signalbox for it. */
export interface WorkOnBranch {
  /** Without `refs/heads/`. */
  readonly branch: string;
  /** Where the results stood when it began. */
  readonly base: string;
  /** The commit with all of its work; `base`, or the merge of earlier work into it, when it changed nothing. */
  readonly head: string;
}

/**
 * A file that an attempt wrote without holding its lock.
 *
 * late      a shell command wrote it; nobody held it, and the lock was taken afterwards
 * unlocked  the agent says that it wrote it, and never held it; or a command of a reviewer did, which may hold nothing
 * foreign   another held it meanwhile
 * suspect   it changed while the attempt worked, and another was at work too: nobody can tell whose it is
 */
export interface WriteFinding {
  readonly path: string;
  readonly finding: 'late' | 'unlocked' | 'foreign' | 'suspect';
  /** Who held it. */
  readonly holder?: string;
}

/** A file that was free is locked now, and one that another may have written proves nothing. */
export const isBreach = ({ finding }: WriteFinding): boolean => finding === 'unlocked' || finding === 'foreign';

const order: readonly WriteFinding['finding'][] = ['foreign', 'unlocked', 'suspect', 'late'];

/** Where not all can be kept, what matters is. */
export const worstFirst = (files: readonly WriteFinding[]): WriteFinding[] =>
  [...files].sort((a, b) => order.indexOf(a.finding) - order.indexOf(b.finding));
