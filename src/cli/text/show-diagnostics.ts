// Diagnostics in the style of a compiler: place, code, message, the line with the mistake underlined, the way out.
import type { CheckReport } from '../../api/reports/plan-files.ts';
import { cutToWidth, displayWidth } from '../terminal/display-width.ts';
import type { Paint } from '../terminal/paint.ts';

export type Diagnostic = CheckReport['diagnostics'][number];

export function showDiagnostics(diagnostics: readonly Diagnostic[], paint: Paint, columns: number): string {
  return diagnostics.map((diagnostic) => `${showDiagnostic(diagnostic, paint, columns)}\n`).join('\n');
}

function showDiagnostic(diagnostic: Diagnostic, paint: Paint, columns: number): string {
  const { severity, code, message, file, line, column, help } = diagnostic;
  const color = severity === 'error' ? paint.red : paint.yellow;
  const bar = paint.blue('|');
  const number = String(line);
  const margin = ' '.repeat(number.length);
  const lines = [`${file}:${line}:${column}: ${color(`${severity}[${code}]`)}: ${paint.bold(message)}`];
  if (diagnostic.excerpt.trim() !== '') {
    const room = Math.max(20, Math.min(columns, 160) - number.length - 6);
    const { text, before, marked } = window(diagnostic, room);
    lines.push(`  ${paint.blue(number)} ${bar} ${text}`);
    lines.push(`  ${margin} ${bar} ${' '.repeat(before)}${color('^'.repeat(marked))}`);
  }
  if (help !== undefined) lines.push(`  ${margin} ${paint.blue('=')} ${paint.bold('help')}: ${help}`);
  return lines.join('\n');
}

/** The part of the line around the mistake that fits, and the place of the mistake in it in columns. */
function window(
  { excerpt, column, length }: Diagnostic,
  room: number,
): { text: string; before: number; marked: number } {
  const at = Math.min(Math.max(0, column - 1), excerpt.length);
  const fits = displayWidth(excerpt.slice(0, room * 4)) <= room && excerpt.length <= room * 4;
  const from = fits || displayWidth(excerpt.slice(0, at)) < room / 2 ? 0 : Math.max(0, at - Math.floor(room / 4));
  const start = from === 0 ? '' : '…';
  const text = cutToWidth(start + excerpt.slice(from), room);
  const before = displayWidth(start + excerpt.slice(from, at));
  const wanted = displayWidth(excerpt.slice(at, at + Math.min(Math.max(1, length), room)));
  return { text, before, marked: Math.max(1, Math.min(wanted, displayWidth(text) - before)) };
}
