// `signalbox lock …`: the answer as one line, and as an exit code for scripts.
import type { LockHolder, LockReport, ReleaseReport } from '../../api/reports/locks.ts';
import { listWords } from '../../core/model/count-words.ts';
import { describeDuration, describeElapsed } from '../../core/model/duration-words.ts';
import { jsonLine } from '../json/json-line.ts';
import { plainData } from '../json/plain-data.ts';
import type { Request } from '../request.ts';
import { cutToWidth } from '../terminal/display-width.ts';
import { interruptible } from '../terminal/interruptible.ts';
import { describeUnattended, type ReasonManner } from '../text/describe/describe-reason.ts';
import { describeMoment } from '../text/describe/describe-time.ts';
import { about, shellWord } from '../text/shell-word.ts';
import { showTable } from '../text/show-table.ts';
import { signs } from '../text/signs.ts';

export async function lockTry({ box, io, args, flags }: Request): Promise<number> {
  return answer(await (await box.locks()).try(args, options(flags)), { box, io, flags });
}

export async function lockWait({ box, io, args, flags }: Request): Promise<number> {
  let exitCode = 0;
  const interrupted = await interruptible(io, true, async (signal) => {
    const limit = flags.timeout === undefined ? {} : { timeoutMs: flags.timeout * 1000 };
    const wish = { ...options(flags), ...limit, ...(flags.yield ? { yields: true } : {}), signal };
    exitCode = answer(await (await box.locks()).wait(args, wish), { box, io, flags });
  });
  return interrupted === 0 ? exitCode : interrupted;
}

export async function lockRelease({ box, io, args, flags }: Request): Promise<number> {
  const force = flags.force ? { force: { reason: flags.reason ?? '' } } : {};
  return told(await (await box.locks()).release(args, { ...named(flags), ...force }), { io, flags });
}

export async function lockReleaseAll({ box, io, flags }: Request): Promise<number> {
  return told(await (await box.locks()).releaseAll(named(flags)), { io, flags });
}

export async function lockCheck({ box, io, args, flags }: Request): Promise<number> {
  const report = await (await box.locks()).check(args[0]!, { shared: flags.shared ?? false });
  if (flags.json) io.out(jsonLine(report));
  else {
    const { resource, holders } = plainData(report);
    io.out(
      report.free
        ? `${resource} is free\n`
        : `${holderLines(holders, { now: io.now(), typed: box.typed }).join('\n')}\n`,
    );
  }
  return report.free ? 0 : 1;
}

export async function lockList({ box, io, paint, flags }: Request): Promise<number> {
  const report = await (await box.locks()).list();
  if (flags.json) {
    io.out(jsonLine(report));
    return 0;
  }
  const { holds, waits, deadlocks } = plainData(report);
  if (holds.length === 0 && waits.length === 0) {
    io.out('Nobody holds a lock.\n');
    return 0;
  }
  const age = (since: string, ms: number) =>
    flags.absolute ? `since ${describeMoment(Date.parse(since))}` : `for ${describeElapsed(ms)}`;
  // A long name would hide the resource.
  const widest = Math.max(8, Math.floor(io.columns() / 4));
  const who = (owner: string) => ({ text: cutToWidth(owner, widest), color: paint.bold });
  const rows = [
    ...holds.map(({ owner, resource, mode, since, heldMs, task, leftMs, unattended }) => [
      who(owner),
      { text: mode === 'shared' ? 'reads' : 'holds', color: paint.green },
      { text: resource },
      { text: age(since, heldMs), color: paint.dim },
      unattended
        ? { text: describeUnattended(unattended, box.typed), color: paint.red }
        : { text: task === null ? leaseWords(leftMs) : '', color: paint.dim },
    ]),
    ...waits.map(({ owner, resources, since, waitedMs, blockedBy }) => [
      who(owner),
      { text: 'waits', color: paint.yellow },
      { text: resources.join(', ') },
      { text: age(since, waitedMs), color: paint.dim },
      { text: `behind ${listWords(blockedBy)}`, color: paint.dim },
    ]),
  ];
  io.out(showTable(rows, io.columns(), 2));
  for (const words of deadlocks) io.out(`${paint.red(`${signs.stopping}  deadlock: ${words}`)}\n`);
  return 0;
}

/** For an agent that Signalbox did not start. */
const leaseWords = (leftMs: number | null) =>
  leftMs === null ? 'as long as its process lives' : `expires in ${describeElapsed(leftMs)}`;

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

function answer(report: LockReport, { box, io, flags }: Pick<Request, 'box' | 'io' | 'flags'>): number {
  if (flags.json) io.out(jsonLine(report));
  else {
    const { waitedMs, ...plain } = plainData(report);
    const what = listWords(plain.resources);
    const waited = waitedMs < 1000 ? '' : `, after ${describeDuration(waitedMs)}`;
    if (report.answer === 'granted') io.out(`${plain.owner} holds ${what}${waited}\n`);
    else
      for (const line of refused(
        report.answer,
        { ...plain, what, waitedMs, agent: plainData(flags.agent) },
        { now: io.now(), typed: box.typed },
      ))
        io.err(`${line}\n`);
  }
  return exitCodes[report.answer];
}

interface Refused extends Pick<LockReport, 'owner' | 'reason' | 'holders' | 'release' | 'waitedMs'> {
  readonly what: string;
  /** As it was given on the command line. */
  readonly agent: string | undefined;
}

function refused(kind: Exclude<LockReport['answer'], 'granted'>, refusal: Refused, manner: ReasonManner): string[] {
  const { owner, what, reason, holders, release, waitedMs, agent } = refusal;
  const as = agent === undefined ? [] : ['--agent', shellWord(agent)];
  switch (kind) {
    case 'busy':
      return holderLines(holders, manner);
    case 'interrupted':
      return [`${owner} no longer waits for ${what}`];
    case 'timeout':
      return [`${owner} waited ${describeDuration(waitedMs)} for ${what} and gave up`, ...holderLines(holders, manner)];
    case 'deadlock':
      return [
        `refused: waiting for ${what} would never end, because ${reason}`,
        release.length === 0
          ? 'release something of yours first, or hand in a task that you work on by hand, then ask again'
          : `release it first, then ask again: signalbox ${about('lock release', release, as.join(' '))}`,
      ];
    case 'victim':
      return [
        `${owner} is being stopped to end a deadlock: ${reason}`,
        'nothing is lost: its task runs again by itself',
      ];
    default:
      return [`${owner} gets no more locks: its attempt has ended or is being stopped`];
  }
}

const holderLines = (holders: readonly LockHolder[], { now, typed }: ReasonManner) =>
  holders.map(({ owner, resource, does, since, unattended }) => {
    const age = since === null ? '' : ` for ${describeElapsed(now - Date.parse(since))}`;
    const left = unattended ? `, ${describeUnattended(unattended, typed)}` : '';
    if (does === 'waits') return `${owner} came first and waits for ${resource}${left}`;
    return `${resource} ${since === null ? 'is' : 'has been'} held by ${owner}${age}${left}`;
  });

function told(report: ReleaseReport, { io, flags }: Manner): number {
  if (flags.json) io.out(jsonLine(report));
  else {
    const { owner, released, notHeld } = plainData(report);
    if (released.length > 0) io.out(`released ${listWords(released)}\n`);
    else if (notHeld.length === 0) io.out(`${owner} holds nothing\n`);
    // With --force the holder may be anybody, so no owner is named.
    if (notHeld.length > 0) io.err(`not held${flags.force ? '' : ` by ${owner}`}: ${listWords(notHeld)}\n`);
  }
  return 0;
}
