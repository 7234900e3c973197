// Every reader that takes text from outside, and what must hold for whatever it is given.

import { agentKinds } from '../../src/agents/kind.ts';
import { PlainTextStream, plainText } from '../../src/agents/sanitize-terminal.ts';
import { paintFor } from '../../src/cli/terminal/paint.ts';
import { showDiagnostics } from '../../src/cli/text/show-diagnostics.ts';
import { planPath } from '../../src/core/model/ids.ts';
import type { Diagnostic } from '../../src/plan/diagnostics/diagnostic.ts';
import { explanations } from '../../src/plan/diagnostics/explanations.ts';
import { formatPlan } from '../../src/plan/format-plan.ts';
import { type ImportTool, importPlan } from '../../src/plan/import-plan.ts';
import { readPlan } from '../../src/plan/read-plan.ts';
import { readSettings } from '../../src/plan/read-settings.ts';
import { meaning } from '../plan-meaning.ts';
import type { Random } from '../sim/random.ts';
import { backlogFile, foreignJson, markdownPlan, settingsText, terminalText, yamlPlan } from './grammar.ts';
import type { SeedTexts } from './seed-texts.ts';

export interface Target {
  /** How often it is chosen, beside the others. */
  readonly weight: number;
  readonly seeds: (texts: SeedTexts) => readonly string[];
  readonly generate: (random: Random) => string;
  /** What is wrong with how the text was answered; null when nothing is. May throw. */
  readonly complain: (text: string) => string | null;
}

const plan =
  (file: string): Target['complain'] =>
  (text) => {
    const input = { text, file, path: planPath(file) };
    const reading = readPlan(input);
    const failed = reading.diagnostics.some(({ severity }) => severity === 'error');
    if (failed !== (reading.plan === null)) return 'a plan with an error, or none without';
    if (reading.plan === null) return malformed(reading.diagnostics, text);
    return malformed(reading.diagnostics, text) ?? formatting(input);
  };

function formatting(input: { text: string; file: string; path: ReturnType<typeof planPath> }): string | null {
  for (const ids of [false, true]) {
    const done = formatPlan(input, { ids });
    if (!done.ok) return 'a valid plan that cannot be formatted';
    const again = readPlan({ ...input, text: done.text });
    if (meaning(again) !== meaning(done.reading)) return `formatting changed what the plan means:\n${done.text}`;
    const twice = formatPlan({ ...input, text: done.text }, { ids });
    if (!twice.ok || (!done.untouched && twice.text !== done.text)) return `formatting twice differs:\n${done.text}`;
  }
  return null;
}

const imported =
  (tool: ImportTool, name: string): Target['complain'] =>
  (text) => {
    const done = importPlan({ tool, files: [{ name, text }] });
    if (!done.ok) return done.diagnostics.length === 0 ? 'refused without a word' : malformed(done.diagnostics, null);
    const reading = readPlan({ text: done.text, file: 'imported.md', path: planPath('imported.md') });
    return reading.plan === null ? `the imported plan cannot be read:\n${done.text}` : null;
  };

export function malformed(diagnostics: readonly Diagnostic[], text: string | null): string | null {
  const lines = text?.replace(/^\ufeff/, '').split(/\r\n?|\n/);
  for (const { line, column, length, code, message, help, excerpt } of diagnostics) {
    const at = `${line}:${column} ${code}`;
    if (!explanations.has(code)) return `${at}: nobody can explain this code`;
    if (lines && !(line >= 1 && line <= lines.length)) return `${at}: a line outside of ${lines.length}`;
    if (lines && !(column >= 1 && column <= lines[line - 1]!.length + 1)) return `${at}: a column outside of its line`;
    if (!(length >= 1)) return `${at}: a length of ${length}`;
    if (/[\u0000-\u001f\u007f-\u009f\u202a-\u202e]/.test(message + (help ?? '') + excerpt))
      return `${at}: a control character`;
  }
  const shown = showDiagnostics(diagnostics, paintFor(false), 80);
  if (/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/.test(shown)) return 'a control character is printed';
  return null;
}

function sanitized(text: string): string | null {
  const whole = plainText(text);
  if (/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/.test(whole))
    return 'a control character came through';
  if (plainText(whole) !== whole) return 'harmless text is changed';
  const stream = new PlainTextStream();
  let pieces = '';
  for (let i = 0; i < text.length; i += 3) pieces += stream.push(text.slice(i, i + 3));
  return pieces + stream.end() === whole ? null : 'in pieces it is another text';
}

export const targets: Readonly<Record<string, Target>> = {
  'plan.md': { weight: 10, seeds: ({ markdown }) => markdown, generate: markdownPlan, complain: plan('plan.md') },
  'plan.yaml': { weight: 6, seeds: ({ yaml }) => yaml, generate: yamlPlan, complain: plan('plan.yaml') },
  'signalbox.yaml': {
    weight: 3,
    seeds: ({ yaml }) => yaml,
    generate: settingsText,
    complain: (text) => malformed(readSettings({ text, file: 'signalbox.yaml', kinds: agentKinds }).diagnostics, text),
  },
  taskmaster: {
    weight: 2,
    seeds: ({ json }) => json,
    generate: (random) => foreignJson(random, false),
    complain: imported('taskmaster', 'tasks.json'),
  },
  beads: {
    weight: 2,
    seeds: ({ json }) => json,
    generate: (random) => foreignJson(random, true),
    complain: imported('beads', 'beads.jsonl'),
  },
  backlog: {
    weight: 2,
    seeds: ({ markdown }) => markdown,
    generate: backlogFile,
    complain: imported('backlog', 'task-1.md'),
  },
  speckit: {
    weight: 1,
    seeds: ({ markdown }) => markdown,
    generate: markdownPlan,
    complain: imported('speckit', 'tasks.md'),
  },
  kiro: {
    weight: 1,
    seeds: ({ markdown }) => markdown,
    generate: markdownPlan,
    complain: imported('kiro', 'tasks.md'),
  },
  terminal: { weight: 2, seeds: ({ markdown }) => markdown, generate: terminalText, complain: sanitized },
};
