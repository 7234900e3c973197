// The plan file of a run, as the loop follows it: looked at twice a second, and read only when something about it is new.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { PlanPath } from '../../core/model/ids.ts';
import type { PlanState } from '../../core/state/state.ts';
import type { PlanFile, PlanText } from '../../runner/machine.ts';
import { approvedPlan } from '../approval/approved-plan.ts';
import { readPlanFile, revisionOf } from '../files/plan-file.ts';
import { Refusal } from '../refusal.ts';
import { settingsTextIn, type Workspace } from '../workspace.ts';
import { refuseOutside } from './choose-tasks.ts';
import { refuseHindered, refuseUnsupported } from './ready-to-run.ts';

export interface FollowedParts {
  readonly workspace: Workspace;
  readonly path: PlanPath;
  /** Of whoever runs it. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** False: edits are told and left to a person. */
  readonly reload: boolean;
  readonly warn: (text: string) => void;
}

const lookEveryMs = 500;
/** Two saves within one tick of the file system's clock look the same, so a young file is read in any case. */
const youngMs = 1_000;

export function followPlan(parts: FollowedParts): PlanFile {
  const { workspace, path } = parts;
  const file = join(workspace.root, path);
  return {
    watch: (hint) => {
      let last = stampOf(file);
      const look = setInterval(() => {
        const stamp = stampOf(file);
        if (stamp.text !== last.text || Date.now() - stamp.changedAt < youngMs) hint();
        last = stamp;
      }, lookEveryMs);
      return () => clearInterval(look);
    },
    read: () => {
      try {
        return textOf(parts, readPlanFile(workspace, path));
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        return unreadable(error);
      }
    },
  };
}

function stampOf(file: string): { readonly text: string; readonly changedAt: number } {
  try {
    const { dev, ino, size, mtimeNs, ctimeNs, ctimeMs } = statSync(file, { bigint: true });
    return { text: [dev, ino, size, mtimeNs, ctimeNs].join(' '), changedAt: Number(ctimeMs) };
  } catch {
    return { text: 'gone', changedAt: 0 };
  }
}

function textOf(
  { workspace, path, env, reload, warn }: FollowedParts,
  file: ReturnType<typeof readPlanFile>,
): PlanText {
  const { revision, text } = file;
  const settings = settingsTextIn(workspace.root);
  // Somebody else may have loaded it, by the settings as they are now.
  const theirs = settings === null ? revision : revisionOf(settings, text);
  return {
    id: revision,
    revision,
    isRevision: (known) => known === revision || known === theirs,
    hold: !reload
      ? 'the run was started with --no-reload'
      : theirs !== revision
        ? 'signalbox.yaml was edited too, and the run goes on with the settings it began with'
        : null,
    plan: () =>
      orRefusal(async () => {
        const plan = await approvedPlan(workspace, file, ({ diagnostics }) => {
          for (const { message, line } of diagnostics) warn(`${path}:${line}: ${message}`);
        });
        refuseUnsupported(workspace, plan);
        return plan;
      }),
    unfit: (plan) => unfitFor(workspace, plan, env),
  };
}

/** What a new run of the plan would be refused for. */
export function unfitFor(workspace: Workspace, plan: PlanState, env: FollowedParts['env']): string | null {
  const { selected, run } = plan;
  try {
    refuseHindered(workspace, plan, { selected, onFailure: run?.onFailure ?? null, env });
    if (selected) refuseOutside(plan, selected);
    return null;
  } catch (error) {
    if (error instanceof Refusal) return error.message;
    throw error;
  }
}

function unreadable(refusal: Refusal): PlanText {
  const because = wordsOf(refusal);
  return {
    id: because,
    revision: because,
    isRevision: () => false,
    hold: null,
    plan: async () => ({ ok: false, because }),
    unfit: () => because,
  };
}

async function orRefusal<T>(read: () => Promise<T>) {
  try {
    return { ok: true, plan: await read() } as const;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { ok: false, because: wordsOf(error) } as const;
  }
}

/** The first mistake with its line, and how many there are. */
function wordsOf({ message, diagnostics }: Refusal): string {
  const [first, ...more] = diagnostics.filter(({ severity }) => severity === 'error');
  if (!first) return message;
  const others = more.length === 0 ? '' : ` (and ${more.length} more)`;
  return `${first.file}:${first.line}: ${first.message}${others}`;
}
