// The one sign and colour of each status, the same in every command.
import type { Status } from '../../core/state/state.ts';
import type { Paint } from '../terminal/paint.ts';

export const signs = {
  started: '▸',
  completed: '✔',
  failed: '✖',
  again: '↻',
  warning: '⚠',
  pending: '○',
  blocked: '⊘',
  suspended: '‖',
  skipped: '–',
  stopping: '■',
} as const;

/** The one that decides: the failure of an optional task is only a warning. */
export const lookOf = (status: Status, optional: boolean) =>
  status === 'failed' && optional ? ({ sign: signs.warning, color: 'yellow' } as const) : looks[status];

export function statusSign(status: Status, paint: Paint, optional = false): string {
  const { sign, color } = lookOf(status, optional);
  return paint[color](sign);
}

export function paintStatus(status: Status, text: string, paint: Paint, optional = false): string {
  return paint[lookOf(status, optional).color](text);
}

const looks: Readonly<Record<Status, { sign: string; color: 'green' | 'red' | 'cyan' | 'yellow' | 'dim' }>> = {
  pending: { sign: signs.pending, color: 'dim' },
  in_progress: { sign: signs.started, color: 'cyan' },
  completed: { sign: signs.completed, color: 'green' },
  failed: { sign: signs.failed, color: 'red' },
  blocked: { sign: signs.blocked, color: 'yellow' },
  suspended: { sign: signs.suspended, color: 'yellow' },
  skipped: { sign: signs.skipped, color: 'dim' },
};
