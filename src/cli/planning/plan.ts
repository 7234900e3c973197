// `signalbox plan WORDS`: an agent writes a plan file, and the person sees what is in it. Nothing of it runs.
import { Refusal } from '../../api/refusal.ts';
import type { PlanReport } from '../../api/reports/plan-files.ts';
import { countWords } from '../../core/model/count-words.ts';
import { describeElapsed } from '../../core/model/duration-words.ts';
import { isoTime } from '../json/iso-time.ts';
import { jsonLine } from '../json/json-line.ts';
import { plainData, safeLine } from '../json/plain-data.ts';
import type { Request } from '../request.ts';
import { showDryRun } from '../run/dry-run.ts';
import { cutToWidth } from '../terminal/display-width.ts';
import { interruptible } from '../terminal/interruptible.ts';
import { LiveScreen } from '../terminal/live-screen.ts';
import { describeUsd } from '../text/describe/describe-cost.ts';
import { describeFailure } from '../text/describe/describe-failure.ts';
import { describeTime } from '../text/describe/describe-time.ts';
import { planHint } from '../text/hint.ts';
import { showDiagnostics } from '../text/show-diagnostics.ts';
import { signs } from '../text/signs.ts';
import { commandLines } from './command-lines.ts';

const exitCodes: Readonly<Record<PlanReport['outcome'], number>> = { written: 0, draft: 3, failed: 1, quota: 6 };

export async function plan(request: Request): Promise<number> {
  const { io, args, flags } = request;
  if (args.length === 0 && io.interactive)
    throw new Refusal(2, 'you did not say what you want', {
      instead: 'say it: signalbox plan "add a search page"; or name a file that says it',
    });
  let report: PlanReport | null = null;
  const interrupted = await interruptible(io, true, async (signal) => {
    report = await watched(request, signal);
  });
  if (report === null) {
    io.err('interrupted: no plan was written\n');
    return interrupted === 0 ? 130 : interrupted;
  }
  const found: PlanReport = report;
  if (flags.json) io.out(jsonLine({ ...found, until: found.until === null ? null : isoTime(found.until) }));
  else await show(request, found);
  return exitCodes[found.outcome];
}

/** On a terminal, one line says what the agent does. */
async function watched({ box, io, paint, args, flags }: Request, signal: AbortSignal): Promise<PlanReport | null> {
  const begun = io.now();
  let now = 'a copy of the workspace is made';
  const line = () => `${now} · ${describeElapsed(io.now() - begun)}`;
  const screen = flags.json
    ? null
    : new LiveScreen(io, () => [`${paint.cyan(signs.started)} ${cutToWidth(line(), io.columns() - 3)}`]);
  screen?.changed();
  try {
    const { out, force, agent, model } = flags;
    return await (await box.planning()).write(args, {
      ...{ out, force, agent, model, signal },
      onAction: ({ agent: name, round, mostRounds, action }) => {
        const again = round === 1 ? '' : `, round ${round} of ${mostRounds}`;
        now = `${safeLine(name)} writes the plan${again}${action === '' ? '' : ` · ${safeLine(action)}`}`;
        screen?.changed();
      },
    });
  } finally {
    screen?.close();
  }
}

async function show(request: Request, report: PlanReport): Promise<void> {
  const { io, paint } = request;
  const { agent, notes } = plainData({ agent: report.agent, notes: report.notes });
  for (const note of notes) io.err(`${paint.yellow(signs.warning)} ${note}\n`);
  if (report.outcome === 'written') return showPlan(request, report);
  if (report.outcome === 'draft') return showDraft(request, report);
  const until = report.until === null ? '' : `; it may go on at ${describeTime(report.until, io.now())}`;
  const because = report.failure
    ? describeFailure(plainData(report.failure))
    : 'reached the usage limit of its account';
  io.err(`${paint.red(signs.failed)} there is no plan: ${agent} ${because}${until}\n`);
  for (const line of report.said) io.err(`  ${paint.dim(safeLine(line))}\n`);
  if (report.plan !== null) io.err(`What it wrote before is in ${safeLine(report.plan)}; it has mistakes.\n`);
}

async function showPlan(request: Request, report: PlanReport): Promise<void> {
  const { box, io, paint } = request;
  const { plan: path, agent } = plainData({ plan: report.plan!, agent: report.agent });
  const name = box.typed(report.plan!);
  io.out(
    `${paint.green(signs.completed)} ${agent} wrote ${path}: ${countWords(report.tasks, 'task')}${spent(report)}\n\n`,
  );
  const warnings = report.diagnostics.filter(({ severity }) => severity === 'warning');
  if (warnings.length > 0) io.out(`${showDiagnostics(plainData(warnings), paint, io.columns())}\n`);
  try {
    const { approval: _, ...imagined } = await box.dryRun(name, {});
    io.out(`${showDryRun(plainData(imagined), paint, io.columns())}\n`);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    io.out(`${paint.yellow(signs.warning)} ${safeLine(error.message)}\n\n`);
  }
  io.out(`${commandLines(report.commands, paint).join('\n')}\n\n`);
  io.out(`Nothing was run. The file is yours: read it, and change what you like.\n`);
  io.out(paint.dim(`  ${planHint('approve', name)}\n  ${planHint('run', name)}\n`));
}

function showDraft(request: Request, report: PlanReport): void {
  const { box, io, paint } = request;
  const { plan: path, agent, diagnostics } = plainData({ ...report, commands: [] });
  io.err(`${showDiagnostics(diagnostics, paint, io.columns())}\n`);
  const rounds = countWords(report.rounds, 'round');
  io.err(`${paint.red(signs.failed)} the plan of ${agent} still has mistakes after ${rounds}${spent(report)}\n`);
  io.err(`  It is kept in ${path}: mend it, or say more about what you want.\n`);
  io.err(paint.dim(`  ${planHint('check', box.typed(report.plan!))}\n`));
}

const spent = ({ rounds, costUsd }: PlanReport): string => {
  const parts = [...(rounds > 1 ? [`${rounds} rounds`] : []), ...(costUsd === null ? [] : [describeUsd(costUsd)])];
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
};
