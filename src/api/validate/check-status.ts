// Holds what lies in a plan's folder against the log.
import { copyFileSync, renameSync, rmSync } from 'node:fs';
import { relative } from 'node:path';
import type { PlanState, State } from '../../core/state.ts';
import { isAsPlaced, notePlaced } from '../../status/as-placed.ts';
import { findingFile, type OutputPlaces } from '../../status/output-places.ts';
import { readStatus, type StatusReading } from '../../status/read-status.ts';
import { isNoRegularFile, readRegular } from '../../status/regular-file.ts';
import type { StatusFile } from '../../status/status-file.ts';
import { statusBytes } from '../../status/status-text.ts';
import { deadDrafts, isDraft, removeDrafts } from '../../status/whole-file.ts';
import { placeStatus, prepareStatus } from '../../status/write-status.ts';
import { namesIn } from '../names-in.ts';
import { notesOf, projected, StatusFiles, type StatusParts } from '../status/status-files.ts';
import { stillWrong } from './still-wrong.ts';
import { notTried, tryFix } from './try-fix.ts';
import type { Problem } from './validate-report.ts';

export async function checkStatus(
  parts: Omit<StatusParts, 'warn'>,
  { state, plan, fix }: { readonly state: State; readonly plan: PlanState; readonly fix: boolean },
): Promise<Problem[]> {
  const { places, status } = projected(parts, state, plan);
  const { root } = parts.workspace;
  const name = relative(root, places.status);
  const about = { plan: plan.path, help: 'signalbox validate --fix writes it from the log' };
  const wrong = await stillWrong(() => whatIsWrong(readFile(places.status), status, parts, plan));
  const problems: Problem[] = [];
  const { fixed, help } = wrong.length > 0 && fix ? await tryFix(() => rewrite(places, status, parts)) : notTried;
  for (const { about: what, message } of wrong)
    problems.push({ ...about, about: what, message: `${name} ${message}`, fixed, ...(help === null ? {} : { help }) });
  const backup = readFile(places.backup);
  const spoilt = backup === null ? null : damageOf(backup);
  if (spoilt !== null) {
    const message = `${relative(root, places.backup)} ${spoilt}`;
    const isWhole = wrong.length === 0 || fixed;
    const replaced = fix && isWhole ? await tryFix(() => replaceBackup(places, parts)) : notTried;
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
  found: Found | null,
  status: StatusFile,
  { store, isRunning }: Pick<StatusParts, 'store' | 'isRunning'>,
  plan: PlanState,
): Promise<Wrong[]> {
  const wrong = (message: string): Wrong => ({ about: 'status', message });
  if (found === null) return [wrong('is missing')];
  const damage = damageOf(found);
  if (damage !== null) return [wrong(damage)];
  const file = JSON.parse(found.text) as StatusFile;
  const counts = summaryMistake(file);
  if (file.log !== status.log) return [wrong('was not written from this log'), ...counts];
  if (!(file.seq <= status.seq)) {
    // Somebody may have recorded more since the log was looked at: then that is in it, and cannot be compared.
    const head = await store.read((now) => now.seq);
    return file.seq <= head ? counts : [wrong(`has the number ${file.seq}, and the log ends at ${head}`), ...counts];
  }
  const since = await store.events({ after: file.seq, plan: plan.path });
  if (since.some((event) => event.seq <= status.seq && StatusFiles.isAbout(event))) {
    // A run writes it now and then, and at its end.
    return isRunning(plan) ? counts : [wrong('is older than the log'), ...counts];
  }
  return comparable(file, plan) === comparable(status, plan)
    ? counts
    : [wrong('says something else than the log'), ...counts];
}

/** Locks and other plans move on without it. Of a run that has not ended, the log does not know whether somebody still looks after it. */
function comparable(file: StatusFile, plan: PlanState): string {
  const { seq: _seq, lastUpdatedAt: _at, planStatus, outcome, ...rest } = file;
  const isOpen = plan.run !== null && plan.run.ended === null;
  return JSON.stringify(isOpen ? rest : { ...rest, planStatus, outcome });
}

/** By what the file itself says, as whoever reads it would count. */
function summaryMistake({ tasks, summary }: StatusFile): Wrong[] {
  const counts = new Map<string, number>([['totalTasks', tasks.length]]);
  for (const { status } of tasks) counts.set(status, (counts.get(status) ?? 0) + 1);
  const off = Object.entries(summary ?? {}).find(([word, count]) => count !== (counts.get(word) ?? 0));
  if (summary && !off) return [];
  const message = off ? `counts ${off[1]} as ${off[0]}, and lists ${counts.get(off[0]) ?? 0}` : 'has no summary';
  return [{ about: 'summary', message }];
}

type Fixing = Pick<StatusParts, 'workspace' | 'store'>;

async function rewrite(places: OutputPlaces, status: StatusFile, { workspace, store }: Fixing): Promise<boolean> {
  const { seq, log } = status;
  const prepared = prepareStatus(places, { seq, log }, statusBytes(status));
  // What is there is wrong, whatever number it has; unless somebody wrote a newer one this moment.
  const placing = await store.transact(({ state }) => {
    const done = placeStatus(places, prepared, { head: state.seq, replaces: seq });
    if (done === 'placed') notePlaced(notesOf(workspace), places);
    return done;
  });
  return placing !== 'gone';
}

async function replaceBackup(places: OutputPlaces, { workspace, store }: Fixing): Promise<void> {
  const { status, backup } = places;
  const draft = `${backup}.${process.pid}.new`;
  try {
    copyFileSync(status, draft);
    const notes = notesOf(workspace);
    // One at a time: somebody may be putting a newer one in its place.
    await store.transact(() => {
      const isKnown = isAsPlaced(notes, places);
      renameSync(draft, backup);
      if (isKnown) notePlaced(notes, places, true);
    });
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

/** Half of something that was never said to be written: what it was to replace, or to be added to, is whole. */
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
  const isStrange = (name: string) => !known.has(`${places.findings}/${name}`) && !isDraft(name);
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
  readonly read: StatusReading;
}

/** Null: all of it makes sense. */
function damageOf({ read }: Found): string | null {
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
    return { text, read: readStatus(text) };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return null;
    const problem = isNoRegularFile(error) ? 'it is no regular file' : message;
    return { text: '', read: { ok: false, problem } };
  }
}
