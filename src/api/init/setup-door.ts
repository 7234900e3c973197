// The door to the first day in a workspace: what `init` writes there, and how it is taken back.
import { pathArgument } from '../../core/model/command-line.ts';
import { lineDiff } from '../../files/disk/line-diff.ts';
import type { Store } from '../../store/store.ts';
import type { IsRunning } from '../look/reports.ts';
import { Refusal } from '../refusal.ts';
import {
  type RegisterOptions,
  type RegisterParts,
  register,
  type UnregisterOptions,
  unregister,
} from '../register/register-door.ts';
import type { InitReport, UndoReport } from '../reports/init.ts';
import type { RegisterReport, UnregisterReport } from '../reports/register.ts';
import { ownFiles } from '../run/isolation/choose-isolation.ts';
import { isThere } from '../trust/owner.ts';
import { typedPath } from '../workspace.ts';
import { InitRecord } from './init-record.ts';
import { refuseOther, refuseOthersFolder } from './own-place.ts';
import { type Place, planChanges } from './plan-changes.ts';
import { planUndo, removeDrafts, takeBack } from './undo-changes.ts';
import { writeChanges } from './write-changes.ts';

export interface SetupDoor {
  /** Settings, a first plan, ignore rules and a section for agents. Nothing is overwritten. */
  init(options: InitOptions): Promise<InitReport>;
  /** Takes back exactly what `init` wrote. */
  undo(options: UndoOptions): Promise<UndoReport>;
  /** The MCP server, for the person's own agents, in every folder. It has nothing to do with the workspace. */
  register(options: RegisterOptions): Promise<RegisterReport>;
  /** Takes back exactly what `register` wrote. */
  unregister(options: UnregisterOptions): Promise<UnregisterReport>;
}

export interface InitOptions {
  /** False: it is only told what would be written. */
  readonly write: boolean;
  /** False: AGENTS.md and CLAUDE.md are left alone. */
  readonly agentsFile?: boolean;
  /** What a person has seen and agreed to; if it would be something else by now, nothing is written. */
  readonly shown?: InitReport['changes'];
}

export interface UndoOptions {
  readonly write: boolean;
  readonly shown?: UndoReport['changes'];
}

export interface SetupParts extends Place, Pick<RegisterParts, 'command'> {
  /** Null where there is no state. */
  readonly existing: () => Promise<Store | null>;
  readonly isRunning: IsRunning;
}

export function openSetupDoor(parts: SetupParts): SetupDoor {
  const { workspace } = parts;
  const { root } = workspace;
  const record = new InitRecord(workspace);
  return {
    async init({ write, agentsFile = true, shown }) {
      const { agents, changes, leftAlone, plan } = await planChanges(parts, agentsFile);
      const report: InitReport = {
        root,
        agents: agents.found,
        agent: agents.chosen,
        changes: changes.map(({ path, existed, before, text }) => ({
          path,
          action: existed ? 'append' : 'create',
          text,
          diff: lineDiff(before, before + text),
        })),
        leftAlone,
        plan,
        written: write && changes.length > 0,
      };
      if (!write) return report;
      refuseOther(report.changes, shown);
      writeChanges(root, changes, record);
      return report;
    },

    async undo({ write, shown }) {
      refuseOthersFolder(workspace);
      const written = record.read();
      const { steps, stays, changed } = planUndo(root, written);
      const report: UndoReport = {
        root,
        changes: steps.map(({ path, before, after }) => ({
          path,
          action: after === null ? 'remove' : 'cut',
          diff: lineDiff(before, after ?? ''),
        })),
        stays,
        kept: ownFiles(workspace).filter((path) => isThere(`${root}/${path}`)),
        written: write && steps.length > 0,
      };
      if (!write) return report;
      refuseOther(report.changes, shown);
      await refuseWhileRunning(parts);
      takeBack(root, steps);
      removeDrafts(root, written);
      record.write(changed);
      return report;
    },

    register: (options) => register(parts, options),
    unregister: (options) => unregister(parts, options),
  };
}

/** A run reads its plan and its settings again and again. A state that cannot be read has no run that could. */
async function refuseWhileRunning({ workspace, cwd, existing, isRunning }: SetupParts): Promise<void> {
  const store = await existing().catch(() => null);
  const running = await store?.read(({ plans }) => [...plans.values()].find(isRunning)?.path);
  if (running === undefined) return;
  throw new Refusal(8, `${running} is being run; nothing was taken back`, {
    instead: `let it end, or stop it: signalbox stop ${pathArgument(typedPath(workspace, cwd, running))}`,
  });
}
