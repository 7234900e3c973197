// Compares the log, the snapshot, the lock tables and the files for other programs with each other. Only `fix` changes anything, and only
// things that can be made again from something whole.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { PlanPath } from '../../core/model/ids.ts';
import type { StoreWithStatus } from '../../status/store-with-status.ts';
import { isUnreadable, Outage } from '../../store/outage.ts';
import { inspectDatabase } from '../../store/sqlite/inspect-database.ts';
import { plansWithFiles } from '../look/plans-with-files.ts';
import type { IsRunning } from '../look/reports.ts';
import type { Problem, ValidateReport } from '../reports/health.ts';
import type { Workspace } from '../workspace.ts';
import { checkLog } from './check-log.ts';
import { checkStatus } from './check-status.ts';
import { checkTimes } from './check-times.ts';
import { looksSound } from './looks-sound.ts';

export interface Validation {
  readonly workspace: Workspace;
  readonly isRunning: IsRunning;
  readonly fix: boolean;
  /** Compares everything, also if all looks well. */
  readonly deep?: boolean;
  /** Null when there is no database. */
  readonly open: () => Promise<StoreWithStatus | null>;
  /** Loads a plan into a database that works, with what is known about it from its files. */
  readonly recover: (path: PlanPath) => Promise<unknown>;
}

export async function validate(parts: Validation): Promise<ValidateReport> {
  const sound = parts.fix || parts.deep ? null : await looksSound(parts);
  return sound ?? compareAll(parts);
}

async function compareAll(parts: Validation): Promise<ValidateReport> {
  const lost = await whatIsLost(parts);
  const problems: Problem[] = [];
  if (lost !== null) {
    const plans = plansWithFiles(parts.workspace);
    const isNothing = lost.message === noDatabase && plans.length === 0;
    if (!isNothing) {
      if (parts.fix) for (const path of plans) await parts.recover(path);
      const fixed = parts.fix && plans.length > 0;
      problems.push({ about: 'database', plan: null, message: lost.message, help: lost.help, fixed });
    }
    if (!parts.fix || plans.length === 0) return report(parts, { events: 0, plans: [] }, problems);
  }
  const store = (await parts.open())!;
  const database = join(parts.workspace.stateFolder, 'state.db');
  const { state, problems: found, times } = await checkLog(store, database, parts.fix);
  problems.push(...found);
  if (!state) return report(parts, { events: 0, plans: [] }, problems);
  const { isRunning, fix } = parts;
  const { root } = parts.workspace;
  for (const plan of state.plans.values()) {
    const projected = store.files.project(state, plan);
    problems.push(...(await checkStatus({ root, store, isRunning, plan, projected, fix })));
    // A run writes them now and then, and at its end.
    if (isRunning(plan)) continue;
    const expected = times.get(plan.path) ?? [];
    problems.push(...(await checkTimes({ root, places: projected.places, plan: plan.path, expected, fix })));
  }
  return report(parts, { events: state.seq, plans: [...state.plans.keys()] }, problems);
}

function report(
  { workspace }: Validation,
  seen: Pick<ValidateReport, 'events' | 'plans'>,
  problems: readonly Problem[],
): ValidateReport {
  return { root: workspace.root, ok: problems.every(({ fixed }) => fixed), ...seen, problems };
}

const noDatabase = 'there is no database';
const setAside = 'signalbox validate --fix keeps what is broken aside and takes the state from status.json';
const makeRoom = 'when it is out of the way, signalbox validate --fix takes the state from status.json';

interface Lost {
  readonly message: string;
  readonly help: string;
}

const lostBy = (message: string, help = setAside): Lost => ({ message, help });

/** Null: the database is there, and whole. */
async function whatIsLost({ workspace, open }: Validation): Promise<Lost | null> {
  const database = join(workspace.stateFolder, 'state.db');
  try {
    const isThere = existsSync(database);
    const store = await open();
    if (!store) return lostBy(isThere ? `${database} is empty` : noDatabase);
    const found = inspectDatabase(database);
    if (found.length > 0) return lostBy(`${database} is broken: ${found[0]}`);
    await store.read(() => undefined);
    return null;
  } catch (error) {
    if (isUnreadable(error)) return lostBy(error.message, error.kind === 'broken-database' ? setAside : makeRoom);
    if (!(error instanceof Outage) && /malformed|not a database|corrupt/i.test((error as Error).message))
      return lostBy(`${database} is broken: ${(error as Error).message}`);
    throw error;
  }
}
