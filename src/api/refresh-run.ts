// Starts a fresh process once enough tasks were completed in this one. If that cannot be started, or ends before it has taken over,
// this process simply goes on.
import type { StoredEvent } from '../core/event.ts';
import type { RunParts } from './run-plan.ts';
import type { RunOptions } from './signalbox.ts';
import { startSuccessor } from './successor.ts';

export class Refresh {
  private readonly parts: RunParts;
  private readonly options: RunOptions;
  private completed = 0;

  constructor(parts: RunParts, options: RunOptions) {
    this.parts = parts;
    this.options = options;
  }

  heard(events: readonly StoredEvent[]): void {
    const { refresh, onNotice } = this.options;
    if (!refresh || refresh.after < 1) return;
    for (const { type } of events) if (type === 'task-completed') this.completed++;
    const isOver = events.some(({ type }) => type === 'run-ended' || type === 'run-stopping');
    if (this.completed < refresh.after || isOver) return;
    this.completed = Number.NEGATIVE_INFINITY;
    const { command, cwd, env } = this.parts;
    const exitCode = startSuccessor({ command, cwd, env, argv: refresh.argv });
    refresh.onSuccessor(exitCode);
    exitCode.catch((error: Error) => {
      onNotice?.(`a fresh process could not be started, so this one goes on: ${error.message}`, 'warning');
    });
  }
}
