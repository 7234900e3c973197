// The last line of the stream of a run: not stored, with the number of the last event.
import type { RunReport } from '../../api/reports/run.ts';
import { decisionJson } from '../json/decision-json.ts';
import { isoTime } from '../json/iso-time.ts';

export function outcomeJson(report: RunReport): object {
  const { seq, at, outcome, exitCode, summary, blocked, decisions, ...rest } = report;
  const open = decisions.map(decisionJson);
  return { type: 'outcome', seq, at: isoTime(at), outcome, exitCode, summary, blocked, decisions: open, ...rest };
}
