// `signalbox status [PLAN]`: the plan as a page, once or after every change.
import type { StatusReport } from '../../api/reports/status.ts';
import { decisionJson } from '../json/decision-json.ts';
import { jsonLine } from '../json/json-line.ts';
import { plainData } from '../json/plain-data.ts';
import type { Request } from '../request.ts';
import { interruptible } from '../terminal/interruptible.ts';
import { LiveScreen } from '../terminal/live-screen.ts';
import { manyTasks, shortPage, statusPage } from '../text/status-page.ts';

export async function status(request: Request): Promise<number> {
  const { box, io, plan, flags } = request;
  if (flags.watch) return watch(request);
  io.out(show(await box.status(plan, manner(flags)), request));
  return 0;
}

/** Programs, and people who ask for it, get every task. */
const manner = ({ json, all }: Request['flags']) => (json || all ? {} : { foldAbove: manyTasks });

function show(report: StatusReport, request: Request): string {
  return request.flags.json ? jsonLine(statusJson(report)) : `${statusPage(plainData(report), request).join('\n')}\n`;
}

const statusJson = (report: StatusReport) => ({ ...report, decisions: report.decisions.map(decisionJson) });

function watch(request: Request): Promise<number> {
  const { io, flags } = request;
  return io.live && !flags.json ? watchLive(request) : watchLines(request);
}

/** For files, pipes and programs: one page under the other, or one object per line. */
function watchLines(request: Request): Promise<number> {
  const { box, io, plan, flags } = request;
  return interruptible(io, true, async (signal) => {
    let isFirst = true;
    for await (const report of box.statusChanges(plan, { ...manner(flags), signal })) {
      io.out(`${isFirst || flags.json ? '' : '\n'}${show(report, request)}`);
      isFirst = false;
      await io.drained();
    }
  });
}

/** On a terminal the page is redrawn in place with ticking clocks, and printed in full at the end. */
async function watchLive(request: Request): Promise<number> {
  const { box, io, plan, flags } = request;
  let last: StatusReport | null = null;
  const screen = new LiveScreen(io, () => (last ? shortPage(last, request) : []));
  try {
    return await interruptible(io, true, async (signal) => {
      for await (const report of box.statusChanges(plan, { ...manner(flags), signal })) {
        last = plainData(report);
        screen.changed();
      }
    });
  } finally {
    screen.close();
    if (last) io.out(show(last, request));
  }
}
