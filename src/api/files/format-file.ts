// `fmt`: a plan file in the native form. The file is replaced only when it says something else, and only if nobody has
// changed it since it was read.
import { join } from 'node:path';
import { type PlanPath, planPath } from '../../core/model/ids.ts';
import { formatPlan } from '../../plan/format-plan.ts';
import { PlanRecord } from '../approval/plan-record.ts';
import { Refusal } from '../refusal.ts';
import type { FormatReport } from '../reports/plan-files.ts';
import type { Workspace } from '../workspace.ts';
import type { FormatOptions } from './files-door.ts';
import { readPlanFile } from './plan-file.ts';
import { readInput, readText } from './read-text.ts';
import { replaceFile } from './replace-file.ts';
import { writeMistake } from './write-mistake.ts';

export function formatFile(workspace: Workspace, path: PlanPath, options: FormatOptions): FormatReport {
  const { text } = readPlanFile(workspace, path);
  const report = formatText(workspace, { text, path }, options);
  if (!report.changed || options.write !== true) return report;
  const file = join(workspace.root, path);
  if (readText(file, path) !== text)
    throw new Refusal(2, `${path} was changed in the meantime`, { instead: 'try again' });
  new PlanRecord(workspace).rewritten({ path, text }, report.text);
  write(file, path, report.text);
  return { ...report, written: true };
}

/** Formats the standard input. It has no file name, so its text tells the form. */
export function formatInput(workspace: Workspace, options: FormatOptions): FormatReport {
  if (options.write === true)
    throw new Refusal(2, 'the standard input cannot be replaced', { instead: 'leave --write out' });
  const text = readInput(true);
  const isYaml = /^(?:tasks|sections|meta):/m.test(text) && !/^\s*(?:[-*+]|\d+[.)])\s+\[.\]/m.test(text);
  return formatText(workspace, { text, path: planPath(isYaml ? 'stdin.yaml' : 'stdin.md') }, options);
}

function formatText(
  workspace: Workspace,
  { text, path }: { readonly text: string; readonly path: PlanPath },
  options: FormatOptions,
): FormatReport {
  const done = formatPlan({ text, file: path, path, settings: workspace.settings }, { ids: options.ids === true });
  if (!done.ok) {
    throw new Refusal(3, `${path} has mistakes and stays as it is`, {
      instead: 'fix them first: fmt rewrites a plan only when it understands all of it',
      diagnostics: done.diagnostics,
    });
  }
  const { untouched: hindrance, ids } = done;
  const changed = done.text !== text;
  return { plan: path, changed, written: false, untouched: hindrance !== null, hindrance, ids, text: done.text };
}

function write(file: string, path: PlanPath, text: string): void {
  try {
    replaceFile(file, text);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS')
      throw new Refusal(2, `${path} is not writable`, {
        instead: 'make it writable, or print the result without --write',
      });
    if (code === 'EEXIST') throw new Refusal(2, `${path} is being written by another process`);
    const because = writeMistake(error);
    throw because === undefined ? error : new Refusal(2, `cannot write ${path}: ${because}`);
  }
}
