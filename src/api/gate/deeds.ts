// What each method of the door amounts to, so that one gate can ask whether the caller may (core/commands/who-may.ts). A method that is
// missing here does not compile.
import type { Deed } from '../../core/commands/who-may.ts';
import type { SteerDoor } from '../act/steer-door.ts';
import type { DecisionDoor } from '../decisions/decision-door.ts';
import type { FilesDoor } from '../files/files-door.ts';
import type { HandDoor } from '../hand/hand-door.ts';
import type { SetupDoor } from '../init/setup-door.ts';
import type { LockDoor } from '../locks/lock-door.ts';
import type { AgentDoor } from '../look/agent-door.ts';
import type { PlanningDoor } from '../planning/planning-door.ts';
import type { ResultsDoor } from '../results/results-door.ts';
import type { RunDoor } from '../run/run-door.ts';
import type { Signalbox } from '../signalbox.ts';

/** A plan as it was named; the gate finds out which one is meant. */
export interface NamedWish {
  readonly does: Deed;
  readonly plan?: string | undefined;
  readonly tasks?: readonly string[];
  readonly as?: string | undefined;
}

type Door =
  | FilesDoor
  | SteerDoor
  | HandDoor
  | LockDoor
  | DecisionDoor
  | AgentDoor
  | ResultsDoor
  | PlanningDoor
  | SetupDoor
  | RunDoor;

export type Deeds<T> = {
  readonly [Name in keyof T as T[Name] extends (...args: never) => unknown
    ? Name
    : never]: T[Name] extends () => Promise<infer Opened extends Door>
    ? Deeds<Opened>
    : T[Name] extends (...args: infer Args) => unknown
      ? (...args: Args) => NamedWish
      : never;
};

const look = (): NamedWish => ({ does: 'look' });
const steer = (plan: string | undefined): NamedWish => ({ does: 'steer', plan });
const decide = (): NamedWish => ({ does: 'decide' });
const only = (isIt: boolean | undefined, does: Deed): NamedWish => ({ does: isIt ? does : 'look' });

/** What starts a plan over closes its open decisions. */
const run = ({ fresh }: { readonly fresh?: boolean }): NamedWish => (fresh ? decide() : { does: 'run' });

const steering: Deeds<SteerDoor> = {
  retry: (plan, _, { forced }) => (forced ? decide() : steer(plan)),
  skip: steer,
  suspend: (plan, tasks, { question }) => (question === undefined ? steer(plan) : { does: 'question', plan, tasks }),
  // A note answers what the task has asked.
  resume: (plan, _, { reason }) => (reason === undefined ? steer(plan) : decide()),
  pause: steer,
  stop: steer,
  reset: (_, { yes }) => only(yes, 'decide'),
};

const mark = (plan: string | undefined, _: string, { force }: { readonly force?: boolean }): NamedWish =>
  force ? decide() : steer(plan);

const hand: Deeds<HandDoor> = {
  markStarted: mark,
  markCompleted: (plan, task, options) => (options.withoutChecks ? decide() : mark(plan, task, options)),
  markFailed: mark,
  markSkipped: mark,
  writeFindings: (plan, task) => ({ does: 'findings', plan, tasks: [task] }),
  readFindings: look,
  findFindings: look,
  startRun: steer,
  completeRun: steer,
  detectStuck: (plan, options) => (options.mark ? steer(plan) : look()),
  outputs: look,
  load: steer,
  statusFile: look,
  planFiles: look,
};

const lock = (_: unknown, { agent: as }: { readonly agent?: string }): NamedWish => ({ does: 'lock', as });

const locks: Deeds<LockDoor> = {
  try: lock,
  wait: lock,
  release: (_, options) => (options.force ? decide() : lock(_, options)),
  releaseAll: (options) => lock([], options),
  signOfLife: (options) => lock([], options),
  leave: (options) => lock([], options),
  check: look,
  list: look,
  waits: look,
};

const decisions: Deeds<DecisionDoor> = {
  list: look,
  show: look,
  answer: decide,
  review: decide,
  restructure: (_plan, _id, _change, { preview }) => only(!preview, 'decide'),
  history: look,
  found: look,
};

const results: Deeds<ResultsDoor> = {
  land: (_, { dryRun }) => only(!dryRun, 'decide'),
  diff: look,
  clean: (_, { yes }) => only(yes, 'maintain'),
  savedList: look,
  savedShow: look,
  savedRestore: () => ({ does: 'write' }),
};

const planning: Deeds<PlanningDoor> = {
  write: () => ({ does: 'run' }),
  approval: look,
  approve: decide,
};

const setup: Deeds<SetupDoor> = {
  init: ({ write }) => only(write, 'write'),
  undo: ({ write }) => only(write, 'write'),
  // What a person's own agents may do is theirs to say.
  register: ({ write }) => only(write, 'decide'),
  unregister: ({ write }) => only(write, 'decide'),
};

const files: Deeds<FilesDoor> = {
  check: look,
  format: (_, { write }) => only(write, 'write'),
  import: (_tool, _source, { out }) => only(out !== undefined, 'write'),
  set: steer,
  reload: steer,
  syncCheck: look,
};

export const deeds: Deeds<Signalbox> = {
  typed: look,
  setup,
  files,
  run: (_, options) => run(options),
  runs: { attach: look, detach: (_, { options }) => run(options) },
  dryRun: look,
  status: look,
  statusChanges: look,
  progress: look,
  graph: look,
  next: look,
  why: look,
  agents: { prompt: look, cost: look, hook: look, guest: look },
  attempts: look,
  plans: look,
  events: look,
  logs: look,
  steering,
  results,
  planning,
  verify: look,
  locks,
  decisions,
  hand,
  doctor: ({ fix }) => only(fix, 'maintain'),
  validate: ({ fix }) => only(fix, 'maintain'),
  trust: ({ state, git, revoke }) => only(state || git || revoke, 'decide'),
  close: look,
};
