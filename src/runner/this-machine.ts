// The machine that Signalbox runs on: worker shells, the files of the workspace, the agents of the settings.
import { mkdirSync } from 'node:fs';
import { outputFile } from '../agents/process/attempt-files.ts';
import type { Observation } from '../agents/process/attempt-host.ts';
import { openWorkerPool } from '../agents/process/worker-pool.ts';
import { readReviewAnswer } from '../agents/prompt/review-answer.ts';
import type { Store } from '../store/store.ts';
import { AgentWitness } from './attempts/agent-witness.ts';
import { filesOfAttempts } from './attempts/files-of-attempts.ts';
import type { Ground } from './attempts/ground.ts';
import { orderFor } from './attempts/order-for.ts';
import { TaskLogs } from './attempts/task-logs.ts';
import { SystemClock } from './clock.ts';
import type { Machine } from './machine.ts';
import { isGone } from './reap-locks.ts';
import { runnerIsAlive } from './runner-alive.ts';

export interface MachineParts {
  readonly ground: Ground;
  readonly store: Store;
  /** What attempts get of ours: see `baseEnvironment`. */
  readonly environment: Readonly<Record<string, string>>;
  readonly observe: (observation: Observation) => void;
  /** An attempt makes the same call again and again. */
  readonly onLooping: (token: number, call: string, times: number) => void;
}

/** @returns the machine, and how to let go of it: attempts that still run are left alone. */
export function openThisMachine({ ground, store, environment, observe, onLooping }: MachineParts) {
  const logs = new TaskLogs(ground, store);
  mkdirSync(logs.folder, { recursive: true, mode: 0o700 });
  const host = openWorkerPool({
    workspace: store.workspace,
    folder: ground.journalsFolder,
    environment: { ...environment },
    onObservation: observe,
  });
  const witness = new AgentWitness({ ground, store, environment, onLooping });
  const machine: Machine = {
    clock: new SystemClock(),
    host,
    files: filesOfAttempts(ground, store),
    agents: {
      before: (work) => witness.before(work),
      orderFor: (work) => orderFor(work, { ground, logs, witness, environment }),
      adopted: (work) => witness.adopted(work),
      after: (token, end) => witness.after(token, end),
      reviewOf: (live) => ({
        by: ground.settings.reviewAgent ?? 'nobody',
        answer: readReviewAnswer(outputFile(logs.folder, live)),
      }),
      outputFile: (live) => outputFile(logs.folder, live),
      lastLine: (live) => logs.lastLine(live),
    },
    isGone,
    isRunnerAlive: (run) => runnerIsAlive(run, ground.journalsFolder),
  };
  const close = async () => {
    witness.close();
    await host.close();
  };
  return { machine, close };
}
