// Clients of one store do what the lock commands do, one transaction at a time. A runner ends the victims of deadlocks and lets them start
// again. Everything is told in words without numbers, so that two stores can be compared.

import { requestLocks } from '../../src/core/commands/lock-request.ts';
import { planPath, runId, taskId } from '../../src/core/model/ids.ts';
import type { Me } from '../../src/core/rules/decide.ts';
import { type LockOwner, ownerOfToken, partyOf } from '../../src/core/state/lock-state.ts';
import type { State } from '../../src/core/state/state.ts';
import type { Want } from '../../src/locks/lock-table.ts';
import { letRulesAct } from '../../src/runner/let-rules-act.ts';
import type { Store, Transaction } from '../../src/store/store.ts';
import { here, planOf } from '../scenario.ts';
import type { Choices } from './interleave.ts';
import { neverEnds } from './plain-deadlock.ts';

export type Step = { readonly lock: readonly Want[] } | 'release';

export interface Case {
  readonly name: string;
  readonly programs: readonly (readonly Step[])[];
  readonly kind: 'agents' | 'attempts';
  /** Keys that are not equal and overlap all the same. */
  readonly overlapping?: readonly (readonly [string, string])[];
}

const path = planPath('plan.md');
let plays = 0;

interface Client {
  readonly name: string;
  readonly task: string;
  readonly program: readonly Step[];
  at: number;
  /** Of its attempt; 0 for an agent, and for a task that is not running. */
  token: number;
  ticket: number | null;
  state: 'on' | 'being ended' | 'pending' | 'done';
}

export class Players {
  readonly told: string[] = [];
  readonly wrong: string[] = [];
  victims = 0;
  deadlocks = 0;
  private readonly store: Store;
  private readonly kase: Case;
  private readonly clients: Client[];
  private readonly me: Me;

  constructor(store: Store, kase: Case) {
    this.store = store;
    this.kase = kase;
    const number = ++plays;
    this.me = { host: here.host, plan: path, run: runId(`run-${number}`) };
    this.clients = kase.programs.map((program, i) => {
      const name = 'ABCDEF'[i]!;
      return { name, task: `${name}${number}`, program, at: 0, token: 0, ticket: null, state: 'on' };
    });
  }

  async play(choices: Choices): Promise<void> {
    if (this.kase.kind === 'attempts') await this.begin();
    for (;;) {
      const enabled = await this.store.read((state) => this.clients.filter((client) => this.canMove(state, client)));
      if (enabled.length === 0) break;
      await this.move(enabled[choices.choose(enabled.length)]!);
      this.wrong.push(...(await this.store.read((state) => doubleHolds(state, this.overlap))));
    }
    const left = this.clients.filter(({ state }) => state !== 'done').map(({ name, state }) => `${name} is ${state}`);
    if (left.length > 0) this.wrong.push(`stuck: ${left.join(', ')}`);
    if (!(await this.store.read((state) => state.locks.table.isEmpty && state.locks.owners.size === 0)))
      this.wrong.push('the table is not empty');
    if (this.victims !== this.deadlocks)
      this.wrong.push(`${this.deadlocks} deadlocks, and ${this.victims} were stopped or refused`);
  }

  private begin(): Promise<void> {
    const definition = planOf(this.clients.map(({ task }) => task).join(', '), { path });
    return this.store.transact((tx) => {
      tx.record({ type: 'plan-loaded', v: 1, plan: path, revision: String(plays), definition });
      const limits = { plan: 1000, pools: {} };
      tx.record({ type: 'run-started', v: 1, plan: path, run: this.me.run, runner: here, limits });
      this.turn(tx);
    });
  }

  private canMove(state: State, client: Client): boolean {
    if (client.state === 'being ended') return true;
    if (client.state !== 'on') return false;
    return client.ticket === null || state.locks.table.request(client.ticket) === undefined;
  }

  private move(client: Client): Promise<void> {
    return this.store.transact((tx) => {
      if (client.state === 'being ended') return this.endVictim(tx, client);
      if (client.ticket !== null) {
        client.ticket = null;
        this.told.push(`${client.name} is served`);
      }
      const step = client.program[client.at++];
      if (step === undefined) return this.finish(tx, client);
      if (step === 'release') {
        this.release(tx, client);
        this.told.push(`${client.name} releases`);
      } else this.ask(tx, client, step.lock);
      this.noteVictims(tx.state);
    });
  }

  private ask(tx: Transaction, client: Client, wants: readonly Want[]): void {
    const owner = ownerIn(client, this.me);
    letRulesAct(tx, null);
    const expected = this.isDeadlock(tx.state, owner.owner, wants);
    const seq = tx.state.seq;
    const doomed = countDoomed(tx.state);
    const request = {
      owner,
      wants,
      queue: true,
      now: tx.now,
      process: here,
      lease: client.token === 0 ? { until: tx.now + 1e9 } : {},
    };
    const answer = requestLocks(tx.state, request, {
      record: (event) => tx.record(event),
      watched: new Set(tx.state.plans.keys()),
    });
    this.told.push(
      `${client.name} wants ${wants.map(({ key, mode }) => `${key} ${mode}`).join(' and ')}: ${answer.kind}`,
    );
    const stopped = countDoomed(tx.state) - doomed + (answer.kind === 'deadlock' ? 1 : 0);
    this.victims += stopped;
    if (expected) this.deadlocks++;
    if (expected !== null && stopped !== (expected ? 1 : 0)) {
      this.wrong.push(
        `${expected ? 'a' : 'no'} deadlock, and ${stopped} were stopped or refused: ${this.told.join('; ')}`,
      );
    }
    if (expected === null) this.deadlocks += stopped;
    if (answer.kind === 'waiting') client.ticket = answer.ticket;
    if (answer.kind === 'waiting' && answer.ticket <= seq) this.wrong.push('an old ticket');
    // Who is refused gives everything back and goes on.
    if (answer.kind === 'deadlock') {
      this.release(tx, client);
      client.at = client.program.length;
    }
  }

  /** Null: nobody knows. */
  private isDeadlock(state: State, owner: string, wants: readonly Want[]): boolean | null {
    if (wants.length !== 1) return null;
    const { table } = state.locks;
    const [want] = wants as [Want];
    const held = table.holdsOf(owner).find(({ key }) => key === want.key);
    if (held && (held.mode === 'exclusive' || want.mode === 'shared')) return false;
    const ending = new Set([...state.live.values()].filter(({ doom }) => doom).map(({ token }) => ownerOfToken(token)));
    if (ending.has(owner)) return false;
    const waits = [...table.requests()].map((request) => ({ owner: request.owner, want: request.wants[0]! }));
    return neverEnds({ holds: [...table.holds()], waits, ending }, { owner, want }, this.overlap);
  }

  private readonly overlap = (a: string, b: string): boolean =>
    a === b || (this.kase.overlapping ?? []).some((pair) => pair.includes(a) && pair.includes(b));

  private release(tx: Transaction, client: Client): void {
    const owner = ownerIn(client, this.me);
    for (const { key } of tx.state.locks.table.holdsOf(owner.owner)) {
      tx.record({ type: 'lock-released', v: 1, ...partyOf(owner), resource: key, because: 'released' });
    }
    letRulesAct(tx, null);
  }

  private finish(tx: Transaction, client: Client): void {
    client.state = 'done';
    this.told.push(`${client.name} ends`);
    if (client.token === 0) return this.release(tx, client);
    const { attempt } = tx.state.live.get(client.token)!;
    const about = {
      v: 1,
      plan: path,
      run: this.me.run,
      task: taskId(client.task),
      attempt,
      token: client.token,
    } as const;
    tx.record({ type: 'attempt-ended', ...about, end: { kind: 'exited', code: 0 } });
    this.turn(tx);
  }

  /** All its processes are dead: its work is saved, its files are put back, and the policy does the rest. */
  private endVictim(tx: Transaction, client: Client): void {
    const { attempt } = tx.state.live.get(client.token)!;
    const about = {
      v: 1,
      plan: path,
      run: this.me.run,
      task: taskId(client.task),
      attempt,
      token: client.token,
    } as const;
    tx.record({ type: 'attempt-ended', ...about, end: { kind: 'killed', code: 143 } });
    if (tx.state.salvage.has(client.token)) {
      tx.record({ type: 'work-saved', ...about, saved: null, files: 0 });
      tx.record({ type: 'files-put-back', ...about });
    }
    client.state = 'pending';
    this.told.push(`${client.name} is ended`);
    this.turn(tx);
  }

  /** A turn of the runner: what may start, starts. */
  private turn(tx: Transaction): void {
    letRulesAct(tx, this.me);
    for (const live of tx.state.live.values()) {
      const client = this.clients.find(({ task }) => task === live.task)!;
      if (client.token === live.token) continue;
      Object.assign(client, { token: live.token, at: 0, ticket: null, state: 'on' });
      this.told.push(`${client.name} starts`);
    }
    this.noteVictims(tx.state);
  }

  private noteVictims(state: State): void {
    for (const client of this.clients) {
      if (client.token !== 0 && client.state === 'on' && state.live.get(client.token)?.doom)
        client.state = 'being ended';
    }
  }
}

const countDoomed = (state: State) => [...state.live.values()].filter(({ doom }) => doom !== null).length;

function ownerIn({ name, task, token }: Client, me: Me): LockOwner {
  const none = { until: 0, process: null };
  if (token === 0) return { owner: name, name, plan: '' as never, task: null, token: 0, run: null, ...none };
  const attempt = `${task}#1`;
  return { owner: ownerOfToken(token), name: attempt, plan: path, task: taskId(task), token, run: me.run, ...none };
}

function doubleHolds({ locks }: State, overlap: (a: string, b: string) => boolean): string[] {
  const holds = [...locks.table.holds()];
  return holds.flatMap((a, i) =>
    holds
      .slice(i + 1)
      .filter((b) => a.owner !== b.owner && (a.mode === 'exclusive' || b.mode === 'exclusive') && overlap(a.key, b.key))
      .map((b) => `${a.owner} has ${a.key} and ${b.owner} has ${b.key}`),
  );
}
