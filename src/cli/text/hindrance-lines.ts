// Why a run would be refused here, for commands that only look.
import type { RunHindrance } from '../../api/reports/plan-files.ts';
import type { Paint } from '../terminal/paint.ts';

export const hindranceLines = (plan: string, hindrances: readonly RunHindrance[], paint: Paint): string[] =>
  hindrances.flatMap(({ line, message, help }) => [
    `${plan}:${line}: ${paint.yellow('warning')}: run refuses this plan: ${message}`,
    `  ${paint.bold('help')}: ${help}`,
  ]);
