// The machine that Signalbox runs on: worker shells, the files of the workspace, the agents of the settings.
import { relative, sep } from 'node:path';
import { isCodingAgent, performerOf } from '../agents/performer.ts';
import { outputFile } from '../agents/process/attempt-files.ts';
import type { Observation } from '../agents/process/attempt-host.ts';
import { openWorkerPool } from '../agents/process/worker-pool.ts';
import { readReviewAnswer } from '../agents/prompt/review-answer.ts';
import type { Doom, Evidence, WriteFinding } from '../core/model/failure.ts';
import { privateFolder } from '../files/disk/private-files.ts';
import type { Store } from '../store/store.ts';
import { AgentWitness } from './attempts/agent-witness.ts';
import { filesOfAttempts } from './attempts/files-of-attempts.ts';
import { orderFor, requestFor } from './attempts/order-for.ts';
import { TaskLogs } from './attempts/task-logs.ts';
import type { Work } from './attempts/work.ts';
import { SystemClock } from './clock.ts';
import type { Machine, PlanFile } from './machine.ts';
import { readMergeAnswer } from './merge/merge-answer.ts';
import { isGone } from './reap-locks.ts';
import type { RunSite } from './run-site.ts';
import { runnerIsAlive } from './runner-alive.ts';
import { TreesOfRun } from './trees/trees-of-run.ts';

export interface MachineParts {
  readonly site: RunSite;
  readonly store: Store;
  readonly planFile: PlanFile;
  /** What attempts get of ours: see `baseEnvironment`. */
  readonly environment: Readonly<Record<string, string>>;
  /** All of it: see `OrderRequest`. */
  readonly personal: Readonly<Record<string, string | undefined>>;
  readonly observe: (observation: Observation) => void;
  /** An attempt makes the same call again and again. */
  readonly onDoom: (token: number, doom: Doom) => void;
  /** What a person should read. */
  readonly tell: (text: string) => void;
  /** What commands of an attempt have written that were not over at its end. */
  readonly auditLeft: (token: number) => Promise<readonly WriteFinding[]>;
}

/** @returns the machine, and how to let go of it: attempts that still run are left alone. */
export function openThisMachine(parts: MachineParts) {
  const { site, store, planFile, environment, personal, observe, onDoom, auditLeft, tell } = parts;
  const logs = new TaskLogs(site, store);
  for (const folder of [logs.folder, site.journalsFolder])
    privateFolder(site.stateFolder, ...relative(site.stateFolder, folder).split(sep));
  const host = openWorkerPool({
    workspace: store.workspace,
    folder: site.journalsFolder,
    environment: { ...environment },
    onObservation: observe,
    onFound: (token, pids) => trees.found(token, pids),
  });
  const trees = new TreesOfRun({ site, store, environment, tell, logs: logs.folder });
  const orders = { site, logs, trees, environment, personal };
  const asStarted = (work: Work) => requestFor(work, orders);
  const witness = new AgentWitness({ site, store, environment, onDoom, auditLeft, trees, asStarted });
  const files = filesOfAttempts(site, store);
  const machine: Machine = {
    clock: new SystemClock(),
    host,
    files: {
      ...files,
      forget: (token) => {
        files.forget(token);
        trees.judged(token);
      },
    },
    agents: {
      before: (work) => inOrder(trees.before(work), () => witness.before(work)),
      isCodingAgent: ({ live, task }) => isCodingAgent(performerOf(live.job, task, site.settings)),
      orderFor: (work) => orderFor(work, { ...orders, witness }),
      adopted: (work) => {
        trees.adopted(work);
        witness.adopted(work);
      },
      seenOf: (token) => witness.seenOf(token),
      after: (token, end) => joined(witness.after(token, end), (seen) => trees.after(token, end, seen)),
      reviewOf: (live) => ({
        by: site.settings.reviewAgent ?? 'nobody',
        answer: witness.reviewAnswer(live.token) ?? readReviewAnswer(outputFile(logs.folder, live)),
      }),
      mergeOf: (live) => readMergeAnswer(outputFile(logs.folder, live)),
      outputFile: (live) => outputFile(logs.folder, live),
      lastLine: (live) => logs.lastLine(live),
    },
    planFile,
    isGone,
    isRunnerAlive: (run) => runnerIsAlive(run, site.journalsFolder),
  };
  const close = async () => {
    witness.close();
    await trees.close();
    await host.close();
  };
  return { machine, trees, close };
}

/** Null only where neither is to be waited for. */
function inOrder(first: Promise<void> | null, then: () => Promise<void> | null): Promise<void> | null {
  return first === null ? then() : first.then(async () => (await then()) ?? undefined);
}

/** What is seen of an agent, and then what it left in its tree. */
function joined(
  seen: Promise<Evidence | undefined> | null,
  left: (seen: Promise<Evidence | undefined> | null) => Promise<Evidence> | null,
): Promise<Evidence | undefined> | null {
  const tree = left(seen);
  if (tree === null) return seen;
  // Where nobody could look, nothing was done: an agent that is only said to be done is not believed.
  const unknown = (error: Error): Evidence => ({ unfit: error.message });
  return Promise.all([seen, tree.catch(unknown)]).then(([one, other]) => ({ ...one, ...other }));
}
