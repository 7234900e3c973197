// One `signalbox run` in the simulation: buries the run of a dead runner, loads the plan, starts a run and the real loop on the
// simulated machine, as `src/api/run/run-plan.ts` does it on a real one.
import { loadRevision } from '../../../src/api/act/load-revision.ts';
import { Refusal } from '../../../src/api/refusal.ts';
import { limitsFor } from '../../../src/core/model/defaults.ts';
import { type PlanPath, type RunId, runId } from '../../../src/core/model/ids.ts';
import type { Settings } from '../../../src/core/model/settings.ts';
import { summaryOf } from '../../../src/core/rules/outcome.ts';
import type { RunState } from '../../../src/core/state/state.ts';
import { RunLoop } from '../../../src/runner/loop/run-loop.ts';
import { Outage } from '../../../src/store/outage.ts';
import type { Store, Transaction } from '../../../src/store/store.ts';
import type { World } from '../world.ts';
import { simAgents } from './sim-agents.ts';
import { SimHost } from './sim-host.ts';
import type { SimPlanFile } from './sim-plan-file.ts';
import type { SimProcess } from './sim-process.ts';
import { ProcessClock } from './virtual-clock.ts';

export type RunEnd =
  | { readonly kind: 'ended'; readonly outcome: string; readonly exitCode: number }
  | { readonly kind: 'refused' }
  | { readonly kind: 'outage' };

export interface RunRequest {
  readonly path: PlanPath;
  readonly file: SimPlanFile;
  readonly settings: Settings;
  readonly maxParallel?: number | undefined;
}

const limitsAsked = ({ maxParallel }: RunRequest) => (maxParallel === undefined ? {} : { maxParallel });

export class SimRunner {
  readonly process: SimProcess;
  readonly run: RunId;
  private readonly world: World;
  private readonly request: RunRequest;
  private loop: RunLoop | null = null;

  constructor(world: World, request: RunRequest) {
    this.world = world;
    this.request = request;
    this.process = world.newProcess();
    this.run = runId(world.nextName('r'));
  }

  /** Never comes back if the process dies on the way. */
  async perform(): Promise<RunEnd> {
    const { world, process } = this;
    const role = { plan: this.request.path, isTurn: false };
    const store = world.openStore(process, role);
    try {
      await store.transact((tx) => this.begin(tx));
      role.isTurn = true;
      const ended = await this.runLoop(store);
      return { kind: 'ended', outcome: ended.ended!.outcome, exitCode: ended.ended!.exitCode };
    } catch (error) {
      if (error instanceof Refusal) return { kind: 'refused' };
      if (error instanceof Outage) return { kind: 'outage' };
      throw error;
    } finally {
      await store.close();
      process.die();
    }
  }

  /** It has read the plan and is in its loop. */
  get hasBegun(): boolean {
    return this.loop !== null;
  }

  interrupt(mode: 'drain' | 'stop' | 'kill', by: string): boolean {
    this.loop?.stop(mode, 130, by);
    return this.loop !== null;
  }

  private begin(tx: Transaction): void {
    const { world, process, run, request } = this;
    const { path } = request;
    const known = tx.state.plans.get(path);
    if (known?.run && !known.run.ended) {
      if (world.isRunnerAlive(known.run)) throw new Refusal(8, 'it is being run already');
      const { run: dead } = known.run;
      const summary = summaryOf(known);
      tx.record({ type: 'run-ended', v: 1, plan: path, run: dead, outcome: 'aborted', exitCode: 137, summary });
    }
    // While its attempts run, the loop follows the file by itself.
    if (!known || known.live === 0) {
      const { plan, revision } = request.file.saved;
      for (const event of loadRevision(known, plan, revision).events) tx.record(event);
    }
    const limits = limitsFor(tx.state.plans.get(path)!.plan, request.settings, limitsAsked(request));
    const deadlock = world.deadlockRules(run);
    world.auditor.expectRun({ run, process, limits, deadlock });
    tx.record({ type: 'run-started', v: 1, plan: path, run, runner: process.identity, limits, deadlock });
  }

  private async runLoop(store: Store): Promise<RunState> {
    const { world, process, run, request } = this;
    const host = new SimHost({
      machine: world.machine,
      process,
      clock: world.clock,
      random: world.random.fork(`host ${run}`),
      tally: world.tally,
      observe: (observation) => loop.observe(world.sabotage.observation?.(observation) ?? observation),
      onStop: (token, graceMs) => world.auditor.stopping(token, process, graceMs),
    });
    const loop = new RunLoop({
      store,
      me: { host: process.identity.host, plan: request.path, run },
      machine: {
        clock: new ProcessClock(world.clock, process, world.wallOffset),
        host: world.sabotage.host?.(host, (observation) => loop.observe(observation)) ?? host,
        files: world.disc.files(process),
        agents: {
          ...simAgents(({ live: { token, plan }, task }) => world.orders.set(token, { plan, task })),
          isCodingAgent: world.sabotage.isCodingAgent ?? (() => false),
        },
        planFile: world.sabotage.planFile?.(request.file) ?? request.file,
        isGone: world.isGone,
        isRunnerAlive: (other) => world.isRunnerAlive(other),
      },
    });
    this.loop = loop;
    try {
      const ended = await loop.run();
      const { revision } = request.file.saved;
      const left = await loop.editLeft();
      if (request.file.saved.revision === revision) world.auditor.edits.runOver(run, request.file.saved, left !== null);
      return ended;
    } finally {
      this.loop = null;
      await host.close();
    }
  }
}
