// Compares the files in a plan's folder with the log.
import { constants, copyFileSync, renameSync, rmSync } from 'node:fs';
import { relative } from 'node:path';
import type { PlanState } from '../../core/state/state.ts';
import { namesIn } from '../../files/disk/names-in.ts';
import { deadDrafts, isDraft, removeDrafts } from '../../files/disk/write-whole.ts';
import { isKeptAside, keepForeign } from '../../status/keep-broken.ts';
import { findingFile, type OutputPlaces } from '../../status/output-places.ts';
import { readStatus } from '../../status/read-status.ts';
import { isNoRegularFile, readRegular } from '../../status/regular-file.ts';
import { type StatusFile, statusText } from '../../status/status-file.ts';
import { changesStatus, type Projected } from '../../status/status-files.ts';
import { draftStatus, dropDraft, placeStatus, writtenMark } from '../../status/write-status.ts';
import type { Store, Transaction } from '../../store/store.ts';
import type { IsRunning } from '../look/reports.ts';
import type { Problem } from '../reports/health.ts';
import { stillWrong } from './still-wrong.ts';
import { notTried, tryFix } from './try-fix.ts';

export interface StatusCheck {
  readonly root: string;
  readonly store: Store;
  readonly isRunning: IsRunning;
  readonly plan: PlanState;
  /** As the log says it. */
  readonly projected: Projected;
  readonly fix: boolean;
}

export async function checkStatus(check: StatusCheck): Promise<Problem[]> {
  const { root, store, plan, projected, fix } = check;
  const { places } = projected;
  const name = relative(root, places.status);
  const about = { plan: plan.path, help: 'signalbox validate --fix writes it from the log' };
  const wrong = await stillWrong(() => whatIsWrong(check, readFile(places.status)));
  const problems: Problem[] = [];
  const { fixed, help } = wrong.length > 0 && fix ? await tryFix(() => rewrite(projected, store)) : notTried;
  for (const { about: what, message } of wrong)
    problems.push({ ...about, about: what, message: `${name} ${message}`, fixed, ...(help === null ? {} : { help }) });
  const backup = readFile(places.backup);
  const spoilt = backup === null ? null : damageOf(backup);
  if (spoilt !== null) {
    const message = `${relative(root, places.backup)} ${spoilt}`;
    const isWhole = wrong.length === 0 || fixed;
    const replaced = fix && isWhole ? await tryFix(() => replaceBackup(places, store)) : notTried;
    problems.push({
      about: 'backup',
      plan: plan.path,
      message,
      help: replaced.help ?? 'signalbox validate --fix replaces it by the status.json of now',
      fixed: replaced.fixed,
    });
  }
  return [...problems, ...(await checkDrafts(places, plan, root, fix)), ...checkFindings(places, plan, root)];
}

type Wrong = { readonly about: 'status' | 'summary'; readonly message: string };

async function whatIsWrong(
  { store, isRunning, plan, projected: { status } }: StatusCheck,
  found: Found | null,
): Promise<Wrong[]> {
  const wrong = (message: string): Wrong => ({ about: 'status', message });
  if (found === null) return [wrong('is missing')];
  if (found.text === statusText(status)) return [];
  const damage = damageOf(found);
  if (damage !== null) return [wrong(damage)];
  const file = JSON.parse(found.text) as StatusFile;
  const counts = summaryMistake(file);
  if (file.log !== status.log) return [wrong('was not written from this log'), ...counts];
  if (!(file.seq <= status.seq)) {
    // Somebody may have recorded more since the log was read. Then the file is newer and cannot be compared.
    const head = await store.read((now) => now.seq);
    return file.seq <= head ? counts : [wrong(`has the number ${file.seq}, and the log ends at ${head}`), ...counts];
  }
  const since = await store.events({ after: file.seq, plan: plan.path });
  if (since.some((event) => event.seq <= status.seq && changesStatus(event))) {
    // A run writes it now and then, and at its end.
    return isRunning(plan) ? counts : [wrong('is older than the log'), ...counts];
  }
  return comparable(file, plan) === comparable(status, plan)
    ? counts
    : [wrong('says something else than the log'), ...counts];
}

/** `seq` moves on with locks and other plans. Whether an unended run still has a runner is not in the log. */
function comparable(file: StatusFile, plan: PlanState): string {
  const { seq: _seq, lastUpdatedAt: _at, planStatus, outcome, ...rest } = file;
  const isOpen = plan.run !== null && plan.run.ended === null;
  return JSON.stringify(isOpen ? rest : { ...rest, planStatus, outcome });
}

/** Counted from the tasks in the file, as its readers would count them. */
function summaryMistake({ tasks, summary }: StatusFile): Wrong[] {
  const counts = new Map<string, number>([['totalTasks', tasks.length]]);
  for (const { status } of tasks) counts.set(status, (counts.get(status) ?? 0) + 1);
  const off = Object.entries(summary ?? {}).find(([word, count]) => count !== (counts.get(word) ?? 0));
  if (summary && !off) return [];
  const message = off ? `counts ${off[1]} as ${off[0]}, and lists ${counts.get(off[0]) ?? 0}` : 'has no summary';
  return [{ about: 'summary', message }];
}

async function rewrite(projected: Projected, store: Store, triesLeft = 2): Promise<boolean> {
  const { places, status } = projected;
  const draft = draftStatus(places, status, statusText(status));
  try {
    // The file there is wrong, whatever its number, unless somebody wrote a newer one this moment.
    const place = ({ state }: Transaction) => placeStatus(places, draft, { head: state.seq, replaces: status.seq });
    const placing = await store.transact(place);
    if (placing !== 'gone') return true;
  } finally {
    dropDraft(draft);
  }
  return triesLeft > 1 && rewrite(projected, store, triesLeft - 1);
}

async function replaceBackup({ root, status, backup }: OutputPlaces, store: Store): Promise<void> {
  const draft = `${backup}.${process.pid}.new`;
  try {
    rmSync(draft, { force: true });
    copyFileSync(status, draft, constants.COPYFILE_EXCL);
    // One at a time: somebody may be putting a newer one in its place.
    await store.transact(() => {
      if (writtenMark(backup) === null) keepForeign(root, backup);
      renameSync(draft, backup);
    });
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

/** A half-written draft that was never acknowledged. The file it was to replace or extend is whole. */
async function checkDrafts(
  { findings }: OutputPlaces,
  plan: PlanState,
  root: string,
  fix: boolean,
): Promise<Problem[]> {
  const drafts = namesIn(findings).length === 0 ? [] : deadDrafts(findings);
  const { fixed, help } = fix ? await tryFix(() => removeDrafts(findings, drafts)) : notTried;
  return drafts.map((name) => ({
    about: 'findings' as const,
    plan: plan.path,
    message: `${relative(root, findings)}/${name} was left by a command that was killed`,
    help: help ?? 'signalbox validate --fix removes it',
    fixed,
  }));
}

function checkFindings(places: OutputPlaces, plan: PlanState, root: string): Problem[] {
  const known = new Set(plan.plan.tasks.map(({ id }) => findingFile(places, id)));
  const isStrange = (name: string) => !known.has(`${places.findings}/${name}`) && !isDraft(name) && !isKeptAside(name);
  const strange = namesIn(places.findings).filter(isStrange).sort();
  return strange.map((name) => ({
    about: 'findings' as const,
    plan: plan.path,
    message: `${relative(root, places.findings)}/${name} belongs to no task of the plan`,
    help: 'rename it after a task, or move it away; Signalbox deletes no findings',
    fixed: false,
  }));
}

interface Found {
  readonly text: string;
  /** Why it could not be read. */
  readonly trouble: string | null;
}

/** Null: all of it makes sense. */
function damageOf({ text, trouble }: Found): string | null {
  const read = trouble === null ? readStatus(text) : { ok: false as const, problem: trouble };
  if (!read.ok) return `could not be used: ${read.problem}`;
  const [first] = read.odd;
  return first && read.isDamaged ? `is damaged: ${first.problem}` : null;
}

/** Null: there is none. */
function readFile(file: string): Found | null {
  try {
    const text = readRegular(file)
      .toString('utf8')
      .replace(/^\ufeff/, '');
    return { text, trouble: null };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return null;
    return { text: '', trouble: isNoRegularFile(error) ? 'it is no regular file' : message };
  }
}
