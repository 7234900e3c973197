// The two ways to the locks: inside the process, and by the command as agents call it.
import { type ChildProcess, spawn } from 'node:child_process';
import { LockDesk } from '../../../src/api/locks/lock-desk.ts';
import { StateRecord } from '../../../src/api/trust/state-record.ts';
import { userFolder } from '../../../src/api/trust/user-folder.ts';
import { openSqlite } from '../../../src/store/sqlite/open-sqlite.ts';

export interface Wish {
  readonly resources: readonly string[];
  readonly shared: boolean;
}

export interface LockCalls {
  try(wish: Wish): Promise<string>;
  /** `killed` when the process that waited was; then nobody knows what was granted. */
  wait(wish: Wish, timeoutSeconds: number, killAfterMs: number | null): Promise<string>;
  /** What was given back. */
  releaseAll(): Promise<readonly string[]>;
  /** What the table says this client holds, with fencing tokens. */
  held(): Promise<ReadonlyMap<string, number>>;
  close(): Promise<void>;
}

export async function inProcess(root: string, agent: string): Promise<LockCalls> {
  const stateFolder = `${root}/.signalbox`;
  // Commands see the same store, and it has to be theirs.
  const record = new StateRecord({ root, stateFolder, userFolder: userFolder(process.env) });
  const onCreate = (id: string) => record.claim(id);
  const store = (await openSqlite({ folder: stateFolder, create: true, programVersion: '0.2.0', onCreate }))!;
  const desk = new LockDesk({
    store,
    root,
    cwd: root,
    env: {},
    user: agent,
    isRunning: () => false,
    keepBeforeImage: async () => undefined,
    letGoOfImage: async () => undefined,
  });
  const bound = { agent, pid: process.pid };
  return {
    try: async ({ resources, shared }) => (await desk.try(resources, { ...bound, shared })).answer,
    wait: async ({ resources, shared }, seconds) =>
      (await desk.wait(resources, { ...bound, shared, timeoutMs: seconds * 1000 })).answer,
    releaseAll: async () => (await desk.releaseAll({ agent })).released,
    held: () =>
      store.read(({ locks }) => new Map(locks.table.holdsOf(agent).map(({ key, fence }) => [key, fence] as const))),
    close: () => store.close(),
  };
}

export function byCommand(root: string, agent: string, launcher: string): LockCalls {
  const start = (...args: string[]): ChildProcess =>
    spawn(process.execPath, [launcher, 'lock', ...args, '--json'], {
      cwd: root,
      env: { PATH: process.env.PATH, HOME: process.env.HOME, SIGNALBOX_STATE: process.env.SIGNALBOX_STATE },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  const ended = (child: ChildProcess): Promise<{ signal: string | null; out: string; err: string }> =>
    new Promise((done) => {
      let out = '';
      let err = '';
      child.stdout!.on('data', (text) => {
        out += text;
      });
      child.stderr!.on('data', (text) => {
        err += text;
      });
      child.on('close', (_, signal) => done({ signal, out, err }));
    });
  const json = async (child: ChildProcess) => {
    const { signal, out, err } = await ended(child);
    if (signal !== null) return { answer: 'killed' };
    if (out === '') throw new Error(err);
    return JSON.parse(out);
  };
  const wanted = ({ resources, shared }: Wish) => [
    ...resources,
    ...(shared ? ['--shared'] : []),
    '--agent',
    agent,
    '--pid',
    String(process.pid),
  ];
  return {
    try: async (wish) => (await json(start('try', ...wanted(wish)))).answer,
    wait: async (wish, seconds, killAfterMs) => {
      const child = start('wait', ...wanted(wish), '--timeout', String(seconds));
      const timer = killAfterMs === null ? null : setTimeout(() => child.kill('SIGKILL'), killAfterMs);
      const { answer } = await json(child);
      if (timer) clearTimeout(timer);
      return answer;
    },
    releaseAll: async () => (await json(start('release-all', '--agent', agent))).released,
    held: async () => {
      const { holds } = await json(start('list'));
      const own = holds.filter(({ owner }: { owner: string }) => owner === agent);
      return new Map(own.map(({ resource, fence }: { resource: string; fence: number }) => [resource, fence]));
    },
    close: async () => undefined,
  };
}
