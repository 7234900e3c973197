// The door to the files of plans: read, rewritten, brought in from other tools, compared with what was loaded.
import type { PlanPath } from '../../core/model/ids.ts';
import type { Acting } from '../act/act.ts';
import type { SetParts } from '../act/write-current-plan.ts';
import type { StoreDoor } from '../open-store.ts';
import type {
  CheckReport,
  FormatReport,
  ImportReport,
  ReloadReport,
  SetReport,
  SyncReport,
} from '../reports/plan-files.ts';
import { planPathOf } from '../workspace.ts';

export interface FilesDoor {
  /** Every mistake of a plan, and what a run here would refuse. */
  check(plan?: string): Promise<CheckReport>;
  /** A plan in the native form, with the same meaning. Without `write` nothing is changed. */
  format(plan: string | undefined, options: FormatOptions): Promise<FormatReport>;
  /** A native plan from another tool's file, given out or written to a new file. */
  import(tool: string, source: string, options: ImportOptions): Promise<ImportReport>;
  /** Makes a plan the one that commands mean when none is named. */
  set(plan: string): Promise<SetReport>;
  /** Takes the plan file as it is now, also where it contradicts what was done. */
  reload(plan: string | undefined): Promise<ReloadReport>;
  /** Compares the plan file with the loaded plan. */
  syncCheck(plan: string | undefined): Promise<SyncReport>;
}

export interface FormatOptions {
  /** Also writes the ids of tasks that have none. */
  readonly ids?: boolean;
  readonly write?: boolean;
}

export interface ImportOptions {
  /** Where the plan is to be written; without it, it is only given out. */
  readonly out?: string;
  /** Also over a file that exists. */
  readonly force?: boolean;
  /** Which of Task Master's lists. */
  readonly tag?: string;
}

export interface FilesParts extends SetParts, Omit<Acting, 'store' | 'path'> {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly user: () => string;
  readonly store: StoreDoor;
  readonly which: (plan: string | undefined) => Promise<PlanPath>;
  readonly warn: (text: string) => void;
}

export function openFilesDoor(parts: FilesParts): FilesDoor {
  const { workspace, cwd, env, user, store, which, warn } = parts;
  return {
    async check(plan) {
      const { checkReport } = await import('./check-report.ts');
      const report = await checkReport(workspace, await which(plan), env);
      store.mention();
      return report;
    },
    async format(plan, options) {
      const { formatFile, formatInput } = await import('./format-file.ts');
      if (plan === '-') return formatInput(workspace, options);
      return formatFile(workspace, await which(plan), options);
    },
    async import(tool, source, options) {
      const { importFile } = await import('./import-file.ts');
      return importFile({ workspace, cwd, tool, source }, options);
    },
    async set(plan) {
      const path = planPathOf(workspace, cwd, plan);
      return (await import('../act/write-current-plan.ts')).setCurrentPlan(path, parts);
    },
    async reload(plan) {
      const path = await which(plan);
      const known = await parts.loaded(path);
      const { reloadPlanFile } = await import('../act/load-plan-file.ts');
      return reloadPlanFile(workspace, { ...parts, store: known, path, by: user() });
    },
    async syncCheck(plan) {
      const seen = await store.sound();
      const { syncReport } = await import('../validate/sync-check.ts');
      return syncReport(workspace, seen, await which(plan), warn);
    },
  };
}
