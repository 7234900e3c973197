// `signalbox lock …`: the answer as one line and an exit code that scripts can go by.
import type { LockHolder, LockReport, ReleaseReport } from '../../api/signalbox.ts';
import { listWords } from '../count-words.ts';
import { describeElapsed } from '../describe-duration.ts';
import { describeMoment } from '../describe-time.ts';
import { interruptible } from '../interruptible.ts';
import { jsonLine } from '../json-line.ts';
import { plainData } from '../plain-data.ts';
import type { Request } from '../request.ts';
import { showTable } from '../show-table.ts';

export async function lockTry({ box, io, args, flags }: Request): Promise<number> {
  return answer(await box.locks.try(args, options(flags)), { io, flags });
}

export async function lockWait({ box, io, args, flags }: Request): Promise<number> {
  let exitCode = 0;
  const interrupted = await interruptible(io, true, async (signal) => {
    const limit = flags.timeout === undefined ? {} : { timeoutMs: flags.timeout * 1000 };
    exitCode = answer(await box.locks.wait(args, { ...options(flags), ...limit, signal }), { io, flags });
  });
  return interrupted === 0 ? exitCode : interrupted;
}

export async function lockRelease({ box, io, args, flags }: Request): Promise<number> {
  const force = flags.force ? { force: { reason: flags.reason ?? '' } } : {};
  return told(await box.locks.release(args, { ...named(flags), ...force }), { io, flags });
}

export async function lockReleaseAll({ box, io, flags }: Request): Promise<number> {
  return told(await box.locks.releaseAll(named(flags)), { io, flags });
}

export async function lockCheck({ box, io, args, flags }: Request): Promise<number> {
  const report = await box.locks.check(args[0]!, { shared: flags.shared ?? false });
  if (flags.json) io.out(jsonLine(report));
  else {
    const { resource, holders } = plainData(report);
    io.out(report.free ? `${resource} is free\n` : `${holderLines(holders, io.now()).join('\n')}\n`);
  }
  return report.free ? 0 : 1;
}

export async function lockList({ box, io, paint, flags }: Request): Promise<number> {
  const report = await box.locks.list();
  if (flags.json) {
    io.out(jsonLine(report));
    return 0;
  }
  const { holds, waits, deadlocks } = plainData(report);
  if (holds.length === 0 && waits.length === 0) {
    io.out('Nobody holds a lock.\n');
    return 0;
  }
  const age = (since: string) =>
    flags.absolute ? describeMoment(Date.parse(since)) : describeElapsed(io.now() - Date.parse(since));
  const rows = [
    ...holds.map(({ owner, resource, mode, since, task }) => [
      { text: owner, color: paint.bold },
      { text: mode === 'shared' ? 'reads' : 'holds', color: paint.green },
      { text: resource },
      { text: age(since), color: paint.dim },
      { text: task === null ? 'not started by Signalbox' : '', color: paint.dim },
    ]),
    ...waits.map(({ owner, resources, since, blockedBy }) => [
      { text: owner, color: paint.bold },
      { text: 'waits', color: paint.yellow },
      { text: resources.join(', ') },
      { text: age(since), color: paint.dim },
      { text: `for ${listWords(blockedBy)}`, color: paint.dim },
    ]),
  ];
  io.out(showTable(rows, io.columns(), 2));
  for (const words of deadlocks) io.out(`${paint.red('deadlock')}  ${words}\n`);
  return 0;
}

type Manner = Pick<Request, 'io' | 'flags'>;

const named = ({ agent }: Request['flags']) => (agent === undefined ? {} : { agent });

const options = (flags: Request['flags']) => ({
  ...named(flags),
  shared: flags.shared ?? false,
  ...(flags.pid === undefined ? {} : { pid: flags.pid }),
});

const exitCodes: Record<LockReport['answer'], number> = {
  granted: 0,
  busy: 1,
  timeout: 1,
  interrupted: 1,
  deadlock: 5,
  victim: 5,
  over: 5,
};

function answer(report: LockReport, { io, flags }: Manner): number {
  if (flags.json) io.out(jsonLine(report));
  else {
    const { owner, resources, holders, reason } = plainData(report);
    const what = listWords(resources);
    if (report.answer === 'granted') io.out(`${owner} holds ${what}\n`);
    else for (const line of refused(report.answer, { owner, what, reason, holders }, io.now())) io.err(`${line}\n`);
  }
  return exitCodes[report.answer];
}

interface Refused {
  readonly owner: string;
  readonly what: string;
  readonly reason: string | null;
  readonly holders: readonly LockHolder[];
}

function refused(
  kind: Exclude<LockReport['answer'], 'granted'>,
  { owner, what, reason, holders }: Refused,
  now: number,
) {
  switch (kind) {
    case 'busy':
    case 'interrupted':
      return holderLines(holders, now);
    case 'timeout':
      return [`${owner} waited for ${what} in vain`, ...holderLines(holders, now)];
    case 'deadlock':
      return [
        `refused: waiting for ${what} would never end: ${reason}`,
        'release something of yours first, then ask again',
      ];
    case 'victim':
      return [`${owner} was stopped to end a deadlock: ${reason}`, 'its task will run again'];
    default:
      return [`${owner} is over: its attempt has ended, or is being ended`];
  }
}

const holderLines = (holders: readonly LockHolder[], now: number) =>
  holders.map(({ owner, resource, does, since }) => {
    const age = since === null ? '' : `, for ${describeElapsed(now - Date.parse(since))}`;
    return does === 'holds'
      ? `${resource} is held by ${owner}${age}`
      : `${resource} is waited for by ${owner}, who came first`;
  });

function told(report: ReleaseReport, { io, flags }: Manner): number {
  if (flags.json) io.out(jsonLine(report));
  else {
    const { owner, released, notHeld } = plainData(report);
    io.out(released.length === 0 ? `${owner} held nothing of that\n` : `released ${listWords(released)}\n`);
    if (released.length > 0 && notHeld.length > 0) io.err(`not held: ${listWords(notHeld)}\n`);
  }
  return 0;
}
