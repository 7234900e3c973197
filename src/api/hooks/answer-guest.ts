// What the hook of a person's own session is answered: it is a guest beside the attempts of a run, and shares their locks.
//
//   inside of an attempt                           passes: the hook of the attempt governs
//   an edit in .signalbox                          denied
//   an edit that nobody could collide with         passes, and nothing is written
//   an edit                                        takes the locks of its files, and waits a little; else denied, with who has them
//   an edit whose wait would close a deadlock      denied, with the circle and what to release; no attempt is stopped for it
//   the end of a turn or of the session            everything is released but what belongs to tasks in the guest's hands
//   the begin of a session                         the shell of the session gets the guest's name, and the session is told of the plan
//
// A person is never locked out of their own editor by trouble of ours. So whoever calls this turns every error into `trouble` beside a pass.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type GuestCall, guestCall } from '../../agents/hooks/hook-call.ts';
import { kindOf } from '../../agents/kind.ts';
import { handsOf } from '../../core/commands/lock-request.ts';
import { pathArgument, quoted } from '../../core/model/command-line.ts';
import { listWords } from '../../core/model/count-words.ts';
import type { LockOwner } from '../../core/state/lock-state.ts';
import { isIsolated } from '../../core/state/questions/isolated.ts';
import type { State } from '../../core/state/state.ts';
import type { Store } from '../../store/store.ts';
import type { World } from '../act/act.ts';
import type { LockDoor } from '../locks/lock-door.ts';
import { lockKey } from '../locks/lock-key.ts';
import { plainLine } from '../look/plain-text.ts';
import type { Seen } from '../look/state-view.ts';
import { Refusal } from '../refusal.ts';
import type { LockHolder, LockReport } from '../reports/locks.ts';
import { typedPath, type Workspace } from '../workspace.ts';
import { isolationOf } from './attempt-isolation.ts';
import { editedFiles } from './edited-files.ts';

export type { GuestCall };

export type GuestAnswer =
  | { readonly kind: 'deny'; readonly reason: string }
  /** `context`: what the agent should know. `trouble`: what the person should. */
  | { readonly kind: 'pass'; readonly context?: string; readonly trouble?: string };

export interface GuestParts {
  readonly workspace: Workspace;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly world: World;
  readonly store: () => Promise<Store | null>;
  readonly sound: () => Promise<Seen>;
  readonly locks: () => Promise<LockDoor>;
  /** The process of the session. */
  readonly caller: () => number;
}

/** A person looks on, and the agent can do something else. */
export const guestWaitMs = 15_000;

const pass: GuestAnswer = { kind: 'pass' };
const deny = (reason: string): GuestAnswer => ({ kind: 'deny', reason: plainLine(reason) });

/** @param text what the hook was told */
export function readGuestCall(kind: string, text: string): GuestCall {
  const forms = kindOf({ kind })?.hooks;
  if (!forms)
    throw new Refusal(2, `${kind} is not a kind of agent with hooks`, { instead: 'signalbox hook --help names them' });
  return guestCall(text, forms);
}

export async function answerGuest(kind: string, call: GuestCall, parts: GuestParts): Promise<GuestAnswer> {
  const { env, caller } = parts;
  if (env.SIGNALBOX_TOKEN) return pass;
  const given = env.SIGNALBOX_AGENT?.trim() ? env.SIGNALBOX_AGENT : null;
  const name = () => given ?? `${kind}-${caller()}`;
  switch (call.kind) {
    case 'other':
      return pass;
    case 'unclear':
      return { kind: 'pass', trouble: `no lock was taken for this call: ${call.because}` };
    case 'edit':
      return edit(call, name, parts);
    case 'turn-ended':
    case 'session-ended':
      return leave(name(), parts);
    case 'session-begins': {
      const { beginSession } = await import('./begin-guest-session.ts');
      return beginSession(given === null ? name() : null, parts);
    }
  }
}

async function edit(
  { paths, cwd }: Extract<GuestCall, { readonly kind: 'edit' }>,
  name: () => string,
  { workspace, world, store: open, locks }: GuestParts,
): Promise<GuestAnswer> {
  if (!hasState(workspace)) return pass;
  const files = editedFiles(paths, cwd, workspace);
  if (typeof files === 'string') return deny(files);
  const store = files.length === 0 ? null : await open();
  if (store === null) return pass;
  const agent = name();
  const { root } = workspace;
  const wants = files.map((file) => ({ key: lockKey(file, { root, cwd: root }), mode: 'exclusive' as const }));
  const mayCollide = await store.read((state) => {
    if (!isShared(state, agent, world)) return false;
    const obstacles = state.locks.table.obstaclesOf({ owner: agent, wants });
    return obstacles.length === 0 || obstacles.some(({ owner }) => !isElsewhere(state, state.locks.owners.get(owner)!));
  });
  if (!mayCollide) return pass;
  const report = await (await locks()).wait(files, { agent, timeoutMs: guestWaitMs, yields: true });
  return report.answer === 'granted' ? pass : deny(refusalInWords(report, (plan) => typedPath(workspace, cwd, plan)));
}

/** Looking at it is left to those who need it: a session in any other folder is not held up. */
const hasState = ({ stateFolder }: Workspace): boolean => existsSync(join(stateFolder, 'state.db'));

/** Whether somebody else works in the checkout of the person, or may do so soon. */
function isShared(state: State, agent: string, { isRunning }: World): boolean {
  const own = new Set([agent, ...handsOf(state, { token: 0, name: agent }).map(({ owner }) => owner)]);
  for (const owner of state.locks.owners.values()) if (!own.has(owner.owner) && !isElsewhere(state, owner)) return true;
  return [...state.plans.values()].some((plan) => !isIsolated(plan) && isRunning(plan));
}

/** An attempt in a tree of its own has the locks that its task declares, and they keep it apart from other tasks only. */
const isElsewhere = (state: State, { token }: LockOwner): boolean => isolationOf(state, token) !== null;

async function leave(agent: string, { workspace, store: open, locks }: GuestParts): Promise<GuestAnswer> {
  const store = hasState(workspace) ? await open() : null;
  if (store !== null && (await store.read(({ locks: { owners } }) => owners.has(agent))))
    await (await locks()).leave({ agent });
  return pass;
}

type Typed = (plan: string) => string;

function refusalInWords(
  { answer, owner, resources, holders, reason, release, waitedMs }: LockReport,
  typed: Typed,
): string {
  const files = listWords(resources);
  const command = (verb: string, keys: readonly string[]) =>
    `signalbox lock ${verb} ${[...keys, '--agent', owner].map(quoted).join(' ')}`;
  if (answer === 'deadlock') {
    const way =
      release.length === 0
        ? ''
        : ` Bring ${listWords(release)} to an end and release it, since others wait for it: ${command('release', release)}. Then make this edit again.`;
    return `Waiting for ${files} would never end: ${reason}.${way} Otherwise leave ${files} alone, do what you can without it, and tell the person what is left.`;
  }
  // Somebody has ended the wait from outside: the turn is over, or the person has released everything.
  if (answer !== 'timeout') return `${files} is not locked for you: the wait for it was ended. Make this edit again.`;
  const who =
    holders.length === 0 ? 'another' : listWords([...new Set(holders.map((holder) => holderInWords(holder, typed)))]);
  return `${files} is locked by ${who}, and was not released within ${Math.round(waitedMs / 1000)} s. Do something else meanwhile and make this edit again later. If nothing else is left to do, tell the person, or wait: ${command('wait', resources)}.`;
}

function holderInWords({ owner, task, plan, does, since, unattended }: LockHolder, typed: Typed): string {
  const of = task === null ? '' : ` (task ${task}${plan === null ? '' : ` of ${plan}`})`;
  if (does === 'waits') return `${owner}${of}, who came first and waits for it`;
  const from = since === null ? '' : ` since ${since.slice(0, 19).replace('T', ' ')} UTC`;
  if (unattended === undefined) return `${owner}${of}${from}`;
  const left =
    unattended.is === 'asked'
      ? 'whose task waits for an answer of a person: signalbox decide'
      : `which no run looks after: signalbox run ${pathArgument(typed(unattended.plan))} does`;
  return `${owner}${of}${from}, ${left}`;
}
