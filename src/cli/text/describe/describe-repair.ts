// Where a person repairs a task by hand.
import type { DecisionAnswerReport } from '../../../api/reports/decisions.ts';

/** @param task where several are repaired */
export const repairWords = (folder: string, task?: string): string =>
  `You can repair ${task ?? 'it'} in ${folder}: its next attempt begins with what you change there.`;

/** After the answer `fix`. */
export const repairLines = ({ repair = [] }: Pick<DecisionAnswerReport, 'repair'>): string[] =>
  repair.map(({ task, folder }) => repairWords(folder, repair.length === 1 ? undefined : task));
