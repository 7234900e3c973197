// The only place that starts git: arguments and no shell, a limit of time and of output, nothing inherited that git would take
// orders from, and nothing of the repository that names a program. What is configured is looked up again for each call, because
// whoever works in the repository may have changed it meanwhile.
import { spawn } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join, relative } from 'node:path';
import type { Committer } from '../core/model/run-event.ts';
import { type Overrides, switchedOff } from './switched-off.ts';

export interface GitPlace {
  /** Where git is started. */
  readonly root: string;
  /** Of ours: PATH and HOME count, and nothing that is about git. */
  readonly environment: Readonly<Record<string, string>>;
  /** A person trusts what the repository names (`signalbox trust --git`): its hooks and filters run. */
  readonly isTrusted?: boolean;
  /** In whose name commits are made; absent: as git is configured. */
  readonly committer?: Committer | undefined;
}

export interface GitCall {
  readonly args: readonly string[];
  readonly input?: Buffer;
  /** Such as GIT_DIR: whatever else is called GIT_ is not handed on. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Counts over every configuration. */
  readonly settings?: Overrides;
  readonly mostBytes?: number;
  readonly limitMs?: number;
  /**
   * It may fetch from another repository on this machine. Without it, it may not: a remote can name a program for fetching, and it would run
   * here. Git takes the first program of several, so an override of ours would not count.
   */
  readonly readsLocal?: true;
  /** Exit codes that are answers; absent: 0 alone. */
  readonly answers?: readonly number[];
}

export type GitAnswer =
  /** `cut`: there was more than the limit, and git was stopped. */
  | { readonly ok: true; readonly bytes: Buffer; readonly cut: boolean; readonly code: number }
  /** In words, as the end of a sentence. */
  | { readonly ok: false; readonly why: string };

const defaultLimitMs = 20_000;
const defaultBytes = 1024 * 1024;
const mostKeys = 4 * 1024 * 1024;

export async function git(place: GitPlace, call: GitCall): Promise<GitAnswer> {
  const program = findGit(place);
  if (program === null) return { ok: false, why: noGit };
  const protocols = { GIT_ALLOW_PROTOCOL: call.readsLocal ? `file:${network}` : network };
  const variables = { ...handedOn(place.environment), ...call.variables, ...alwaysSet, ...protocols };
  const how = { program, cwd: place.root, limitMs: call.limitMs ?? defaultLimitMs, answers: [0] };
  // Reads files, and runs nothing.
  const list = ['config', '--list', '--name-only', '-z'];
  const listed = await start({ ...how, args: list, variables, mostBytes: mostKeys });
  if (!listed.ok) return listed;
  if (listed.cut) return { ok: false, why: 'the configuration of git is too large to be read' };
  const text = listed.bytes.toString('utf8');
  // A variable of the environment cannot have such a name, so nothing could switch it off.
  if (!Buffer.from(text).equals(listed.bytes)) {
    return { ok: false, why: 'the configuration of git has a name that is no UTF-8' };
  }
  const settings = [...switchedOff(text.split('\0'), place.isTrusted), ...(call.settings ?? [])];
  return start({
    ...how,
    args: ['--no-pager', '--literal-pathspecs', ...call.args],
    variables: { ...variables, ...asVariables(settings) },
    mostBytes: call.mostBytes ?? defaultBytes,
    answers: call.answers ?? [0],
    ...(call.input === undefined ? {} : { input: call.input }),
  });
}

export const noGit = 'there is no git on the PATH';

/** Not with `-c`: a name with an equals sign in it would be cut there. */
function asVariables(settings: Overrides): Record<string, string> {
  const variables: Record<string, string> = { GIT_CONFIG_COUNT: String(settings.length) };
  settings.forEach(([key, value], i) => {
    variables[`GIT_CONFIG_KEY_${i}`] = key;
    variables[`GIT_CONFIG_VALUE_${i}`] = value;
  });
  return variables;
}

const handedOn = (environment: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(environment).filter(([name]) => !/^GIT_|^(?:SSH_ASKPASS|PAGER|EDITOR|VISUAL)$/.test(name)),
  );

/** By these variables a process is known that was started here. */
export const alwaysSet: Readonly<Record<string, string>> = {
  GIT_TERMINAL_PROMPT: '0',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_NO_LAZY_FETCH: '1',
  GIT_ATTR_NOSYSTEM: '1',
  GIT_ASKPASS: '',
  // Of several that are configured git takes the first; this one comes before all of them.
  GIT_PROXY_COMMAND: '',
  GIT_EDITOR: 'false',
  GIT_SEQUENCE_EDITOR: 'false',
  GIT_PAGER: 'cat',
  LC_ALL: 'C',
};

const network = 'git:http:https:ssh';

export const hasGit = (place: GitPlace): boolean => findGit(place) !== null;

/** Neither a relative entry of the PATH nor one in the workspace counts: whoever works there could put a program into it. */
export function findGit({ root, environment }: GitPlace): string | null {
  for (const folder of (environment.PATH ?? '').split(delimiter)) {
    const inside = relative(root, folder);
    if (!isAbsolute(folder) || inside === '' || !(inside.startsWith('..') || isAbsolute(inside))) continue;
    const file = join(folder, 'git');
    try {
      accessSync(file, constants.X_OK);
      if (statSync(file).isFile()) return file;
    } catch {
      // Not in this folder.
    }
  }
  return null;
}

interface Started {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly variables: Readonly<Record<string, string>>;
  readonly input?: Buffer;
  readonly mostBytes: number;
  readonly limitMs: number;
  readonly answers: readonly number[];
}

const mostComplaint = 2_000;

function start({ program, args, cwd, variables, input, mostBytes, limitMs, answers }: Started): Promise<GitAnswer> {
  return new Promise((resolve) => {
    // In a session of its own it has no terminal to ask at, and is stopped with whatever it started.
    const child = spawn(program, args, { cwd, env: variables, stdio: 'pipe', detached: true });
    const parts: Buffer[] = [];
    let length = 0;
    let complaint = '';
    let isLate = false;
    const kill = () => {
      try {
        process.kill(-child.pid!, 'SIGKILL');
      } catch {
        // It has ended.
      }
    };
    const timer = setTimeout(() => {
      isLate = true;
      kill();
    }, limitMs);
    const failed = (why: string) => {
      clearTimeout(timer);
      resolve({ ok: false, why });
    };
    child.stdout.on('data', (part: Buffer) => {
      if (length < mostBytes) parts.push(part.subarray(0, mostBytes - length));
      length += part.length;
      if (length > mostBytes) kill();
    });
    child.stderr.on('data', (part: Buffer) => {
      if (complaint.length < mostComplaint) complaint += part.toString('utf8');
    });
    // Whoever ends without reading what it was given says why by its code.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
    child.on('error', (error) => failed(`git could not be started: ${error.message}`));
    child.on('close', (code) => {
      clearTimeout(timer);
      const cut = length > mostBytes;
      if (cut || (code !== null && answers.includes(code)))
        return resolve({ ok: true, bytes: Buffer.concat(parts), cut, code: code ?? 0 });
      const name = `git ${args.find((arg) => !arg.startsWith('-'))}`;
      if (isLate) return failed(`${name} took longer than ${limitMs / 1000} s`);
      failed(`${name} ended with ${code === null ? 'a signal' : `code ${code}`}${firstLine(complaint)}`);
    });
  });
}

function firstLine(complaint: string): string {
  const line = complaint.split('\n').find((one) => one.trim() !== '');
  return line === undefined ? '' : ` (${line.trim().slice(0, 300)})`;
}
