// What a person sees for a broken file: the reader that its name asks for, and the printer of the command line.

import { agentKinds } from '../../src/agents/kind.ts';
import { paintFor } from '../../src/cli/terminal/paint.ts';
import { showDiagnostics } from '../../src/cli/text/show-diagnostics.ts';
import { planPath } from '../../src/core/model/ids.ts';
import type { Diagnostic } from '../../src/plan/diagnostics/diagnostic.ts';
import { importPlan } from '../../src/plan/import-plan.ts';
import { readPlan } from '../../src/plan/read-plan.ts';
import { readSettings } from '../../src/plan/read-settings.ts';

/** `signalbox.yaml` are settings; `tasks.json`, `*.jsonl` and `backlog/*.md` are imported; all others are plans. */
export function diagnosticsOf(file: string, text: string): readonly Diagnostic[] {
  if (file === 'signalbox.yaml') return readSettings({ text, file, kinds: agentKinds }).diagnostics;
  const tool = file.endsWith('.json')
    ? 'taskmaster'
    : file.endsWith('.jsonl')
      ? 'beads'
      : file.startsWith('backlog/')
        ? 'backlog'
        : null;
  if (tool === null) return readPlan({ text, file, path: planPath(file) }).diagnostics;
  const read = importPlan({ tool, files: [{ name: file, text }] });
  return read.ok ? [] : read.diagnostics;
}

const most = 12;

/** Of a great many, the first ones and the last one. */
export function showCase(diagnostics: readonly Diagnostic[]): string {
  const show = (some: readonly Diagnostic[]) => showDiagnostics(some, paintFor(false), 160).trimEnd();
  if (diagnostics.length <= most) return show(diagnostics);
  return `${show(diagnostics.slice(0, 2))}\n\n(${diagnostics.length - 3} more)\n\n${show(diagnostics.slice(-1))}`;
}
