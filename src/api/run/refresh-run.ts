// Starts a fresh process once enough tasks were completed in this one. If that cannot be started, or ends before it has taken over,
// this process simply goes on.
import { stopRun } from '../../core/commands/steer.ts';
import type { StoredEvent } from '../../core/model/event.ts';
import type { RunId } from '../../core/model/ids.ts';
import type { StopMode } from '../../core/model/run-event.ts';
import { act } from '../act/act.ts';
import { Refusal } from '../refusal.ts';
import type { RunOptions } from '../signalbox.ts';
import type { RunParts } from './run-plan.ts';
import { type Successor, startSuccessor } from './successor.ts';

export class Refresh {
  private readonly parts: RunParts;
  private readonly options: RunOptions;
  /** The one that goes on: an attempt that is completed in it may be of an earlier one. */
  private run: RunId | null = null;
  private completed = 0;
  private successor: Successor | null = null;
  /** Another process has the run now, and this one only waits for it. */
  isOver = false;

  constructor(parts: RunParts, options: RunOptions) {
    this.parts = parts;
    this.options = options;
  }

  get hasSuccessor(): boolean {
    return this.successor !== null;
  }

  heard(events: readonly StoredEvent[]): void {
    const { refresh, onNotice } = this.options;
    const after = refresh?.after ?? this.parts.workspace.settings.refreshAfter ?? 0;
    if (!refresh || after < 1 || this.successor) return;
    for (const event of events) {
      if (event.type === 'run-started') this.run = event.run;
      if (event.type === 'run-ended' || event.type === 'run-stopping') return;
      if (event.type === 'task-completed') this.completed++;
      if (this.completed < after || this.run === null) continue;
      const { command, cwd, env } = this.parts;
      this.successor = startSuccessor({ command, cwd, env, argv: refresh.argv, run: this.run });
      const { exitCode } = this.successor;
      refresh.onSuccessor(exitCode);
      exitCode.catch((error: Error) => {
        onNotice?.(`a fresh process could not be started, so this one goes on: ${error.message}`, 'warning');
      });
      return;
    }
  }

  /**
   * For who still signals this process. Told by the log and not by a signal: one that both processes got, from a terminal or a service
   * manager, is then one word and not two.
   */
  async stop(mode: StopMode, exitCode: 130 | 143): Promise<void> {
    const { store, path, isRunning, user: by } = this.parts;
    if (!this.successor) return;
    try {
      await act(
        { store, path, isRunning },
        (plan) => stopRun(plan, { mode, exitCode, by }),
        () => undefined,
      );
    } catch (error) {
      // It has ended, or the log cannot be written: then only the signal is left.
      if (!(error instanceof Refusal)) this.successor.terminate();
    }
  }

  /** The run came to its end here. */
  callOff(): void {
    this.successor?.callOff();
  }
}
