// `signalbox init`: shows what it would write, asks once, writes. `init --undo` takes it back in the same way.
import { Refusal } from '../../api/refusal.ts';
import type { InitReport, UndoReport } from '../../api/reports/init.ts';
import { jsonLine } from '../json/json-line.ts';
import type { Request } from '../request.ts';
import { agrees } from '../terminal/ask-person.ts';
import { initDone, initOffer, pathsOf, undoDone, undoOffer } from './init-words.ts';

export async function init(request: Request): Promise<number> {
  const { box, flags } = request;
  const setup = await box.setup();
  if (!flags.undo) {
    const agentsFile = flags.agentsMd !== false;
    const perform: Deed<InitReport>['perform'] = (options) => setup.init({ ...options, agentsFile });
    const command = agentsFile ? 'signalbox init' : 'signalbox init --no-agents-md';
    return change(request, { perform, command, verb: 'Write', offer: initOffer, done: initDone });
  }
  if (flags.agentsMd === false)
    throw new Refusal(2, '--no-agents-md does not go with --undo', { instead: 'leave it out: --undo takes back all' });
  const perform: Deed<UndoReport>['perform'] = (options) => setup.undo(options);
  const command = 'signalbox init --undo';
  return change(request, { perform, command, verb: 'Take back', offer: undoOffer, done: undoDone });
}

interface Deed<Report extends InitReport | UndoReport> {
  /** Does what was shown, or nothing. */
  readonly perform: (options: { readonly write: boolean; readonly shown?: Report['changes'] }) => Promise<Report>;
  readonly command: string;
  /** Begins the question. */
  readonly verb: string;
  readonly offer: (report: Report, request: Request) => string;
  /** Also where there was nothing to do. */
  readonly done: (report: Report, request: Request) => string;
}

type Answer = 'yes' | 'no' | 'looks' | 'nobody' | 'interrupted' | 'nothing-to-do';

async function change<Report extends InitReport | UndoReport>(
  request: Request,
  { perform, command, verb, offer, done }: Deed<Report>,
): Promise<number> {
  const { io, paint, flags } = request;
  const found = await perform({ write: false });
  const isNothing = found.changes.length === 0;
  if (!flags.json && !isNothing) io.out(offer(found, request));
  // The changes may be more than the screen shows.
  const answer = await ask(request, isNothing, `${verb} ${pathsOf(found.changes)}?`);
  const report = answer === 'yes' ? await perform({ write: true, shown: found.changes }) : found;
  if (flags.json) io.out(jsonLine(report));
  else if (answer === 'yes' || isNothing) io.out(done(report, request));
  else io.out(answer === 'nobody' ? paint.dim(`${command} --yes does this.\n`) : 'Nothing was changed.\n');
  return exitCode(answer, 'stays' in report && report.stays.length > 0);
}

async function ask({ io, paint, flags }: Request, isNothing: boolean, question: string): Promise<Answer> {
  if (flags.dryRun) return 'looks';
  if (flags.yes) return 'yes';
  if (isNothing) return 'nothing-to-do';
  if (flags.json || !io.interactive) return 'nobody';
  const answer = await agrees(io, paint, question);
  return answer === null ? 'interrupted' : answer ? 'yes' : 'no';
}

function exitCode(answer: Answer, isLeft: boolean): number {
  if (answer === 'nobody') return 4;
  if (answer === 'interrupted') return 130;
  return isLeft && (answer === 'yes' || answer === 'nothing-to-do') ? 1 : 0;
}
