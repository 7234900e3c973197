// What agents are told, and what they cost.

import { callerPid } from '../../agents/process/caller.ts';
import type { PlanPath } from '../../core/model/ids.ts';
import type { PlanState, State } from '../../core/state/state.ts';
import type { Store } from '../../store/store.ts';
import type { World } from '../act/act.ts';
import { answerGuest, type GuestAnswer, type GuestCall } from '../hooks/answer-guest.ts';
import { answerHook, type HookAnswer } from '../hooks/answer-hook.ts';
import type { LockDoor } from '../locks/lock-door.ts';
import type { CostReport } from '../reports/cost.ts';
import type { PromptReport } from '../reports/prompt.ts';
import type { Workspace } from '../workspace.ts';
import { refuseUnknown, type Seen } from './state-view.ts';

export interface AgentDoor {
  /** What the agent of a task would be told now. */
  prompt(plan: string | undefined, task: string): Promise<PromptReport>;
  /** What the hook of a coding agent is answered. @param text what it was told */
  hook(kind: string, text: string): Promise<HookAnswer>;
  /** The same for a person's own session, which is a guest here. */
  guest(kind: string, call: GuestCall): Promise<GuestAnswer>;
  /** What coding agents have cost. */
  cost(plan: string | undefined): Promise<CostReport>;
}

export interface AgentDoorParts {
  readonly workspace: Workspace;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly world: World;
  readonly locks: () => Promise<LockDoor>;
  readonly existing: () => Promise<Store | null>;
  readonly sound: () => Promise<Seen>;
  readonly which: (plan: string | undefined) => Promise<PlanPath>;
  readonly view: <T>(plan: string | undefined, look: (state: State, found: PlanState) => T) => Promise<T>;
}

export function openAgentDoor(parts: AgentDoorParts): AgentDoor {
  const { workspace, env, world, locks, existing, sound, which, view } = parts;
  return {
    async prompt(plan, task) {
      const [{ promptReport }, { nextIsolation }] = await Promise.all([
        import('./prompt-report.ts'),
        import('../run/isolation/isolate-run.ts'),
      ]);
      const { store, uncompared } = await sound();
      const { definition, run } = await view(plan, (_, found) => ({ definition: found.plan, run: found.run }));
      const isolation =
        run !== null && run.ended === null
          ? run.isolation
          : await nextIsolation({ workspace, env, store: uncompared === 'foreign' ? null : store }, definition);
      return view(plan, (state, found) => promptReport(state, found, task, { workspace, store, isolation }));
    },
    hook: (kind, text) =>
      answerHook(kind, text, {
        ...{ workspace, env, locks, store: existing },
        audit: async (token, since) => {
          const { auditShell } = await import('../hooks/audit-shell.ts');
          return auditShell(token, since, { workspace, env, world, store: existing });
        },
      }),
    guest: (kind, call) =>
      answerGuest(kind, call, { workspace, env, world, locks, sound, store: existing, caller: callerPid }),
    async cost(plan) {
      const { costReport } = await import('./cost-report.ts');
      const path = await which(plan);
      const { store, broken } = await sound();
      if (broken) refuseUnknown(broken, 'what agents have cost');
      return costReport(store, path);
    },
  };
}
