// `signalbox init`: shows what it would write, asks once, writes. `init --undo` takes it back in the same way. `init --mcp` does both with
// the settings of the person's own agents.
import { Refusal } from '../../api/refusal.ts';
import type { InitReport, UndoReport } from '../../api/reports/init.ts';
import type { RegisterReport, UnregisterReport } from '../../api/reports/register.ts';
import { jsonLine } from '../json/json-line.ts';
import type { Request } from '../request.ts';
import { agrees } from '../terminal/ask-person.ts';
import { initDone, initOffer, pathsOf, undoDone, undoOffer } from './init-words.ts';
import {
  registerDone,
  registerOffer,
  registerQuestion,
  unregisterDone,
  unregisterOffer,
  unregisterQuestion,
} from './register-words.ts';

export async function init(request: Request): Promise<number> {
  const { box, flags } = request;
  if (flags.mcp) return registerServer(request, flags.mcp);
  if (flags.decide)
    throw new Refusal(2, '--decide is about the MCP server', {
      instead: 'name the agent: signalbox init --mcp claude --decide',
    });
  const setup = await box.setup();
  if (!flags.undo) {
    const agentsFile = flags.agentsMd !== false;
    const perform: Deed<InitReport>['perform'] = (options) => setup.init({ ...options, agentsFile });
    const command = agentsFile ? 'signalbox init' : 'signalbox init --no-agents-md';
    return change(request, { perform, command, question: written, offer: initOffer, done: initDone });
  }
  if (flags.agentsMd === false)
    throw new Refusal(2, '--no-agents-md does not go with --undo', { instead: 'leave it out: --undo takes back all' });
  const perform: Deed<UndoReport>['perform'] = (options) => setup.undo(options);
  const command = 'signalbox init --undo';
  return change(request, { perform, command, question: takenBack, offer: undoOffer, done: undoDone });
}

const written = ({ changes }: InitReport): string => `Write ${pathsOf(changes)}?`;
const takenBack = ({ changes }: UndoReport): string => `Take back ${pathsOf(changes)}?`;

async function registerServer(request: Request, agents: readonly string[]): Promise<number> {
  const { box, flags } = request;
  if (flags.agentsMd === false || (flags.undo && flags.decide)) {
    const other =
      flags.agentsMd === false ? '--no-agents-md does not go with --mcp' : '--decide does not go with --undo';
    throw new Refusal(2, other, { instead: 'leave it out' });
  }
  const setup = await box.setup();
  const named = `signalbox init --mcp ${agents.join(',')}`;
  if (flags.undo) {
    const perform: Deed<UnregisterReport>['perform'] = (options) => setup.unregister({ ...options, agents });
    const words = { question: unregisterQuestion, offer: unregisterOffer, done: unregisterDone };
    return change(request, { perform, command: `${named} --undo`, ...words });
  }
  const decide = flags.decide === true;
  const perform: Deed<RegisterReport>['perform'] = (options) => setup.register({ ...options, agents, decide });
  const words = { question: registerQuestion, offer: registerOffer, done: registerDone };
  return change(request, { perform, command: decide ? `${named} --decide` : named, ...words });
}

type AnyReport = InitReport | UndoReport | RegisterReport | UnregisterReport;

interface Deed<Report extends AnyReport> {
  /** Does what was shown, or nothing. */
  readonly perform: (options: { readonly write: boolean; readonly shown?: Report['changes'] }) => Promise<Report>;
  readonly command: string;
  readonly question: (report: Report) => string;
  readonly offer: (report: Report, request: Request) => string;
  /** Also where there was nothing to do. */
  readonly done: (report: Report, request: Request) => string;
}

type Answer = 'yes' | 'no' | 'looks' | 'nobody' | 'interrupted' | 'nothing-to-do';

async function change<Report extends AnyReport>(
  request: Request,
  { perform, command, question, offer, done }: Deed<Report>,
): Promise<number> {
  const { io, paint, flags } = request;
  const found = await perform({ write: false });
  const isNothing = found.changes.length === 0;
  if (!flags.json && !isNothing) io.out(offer(found, request));
  // The changes may be more than the screen shows.
  const answer = await ask(request, isNothing, () => question(found));
  const report = answer === 'yes' ? await perform({ write: true, shown: found.changes }) : found;
  if (flags.json) io.out(jsonLine(report));
  else if (answer === 'yes' || isNothing) io.out(done(report, request));
  else io.out(answer === 'nobody' ? paint.dim(`${command} --yes does this.\n`) : 'Nothing was changed.\n');
  return exitCode(answer, 'stays' in report && report.stays.length > 0);
}

async function ask({ io, paint, flags }: Request, isNothing: boolean, question: () => string): Promise<Answer> {
  if (flags.dryRun) return 'looks';
  if (flags.yes) return 'yes';
  if (isNothing) return 'nothing-to-do';
  if (flags.json || !io.interactive) return 'nobody';
  const answer = await agrees(io, paint, question());
  return answer === null ? 'interrupted' : answer ? 'yes' : 'no';
}

function exitCode(answer: Answer, isLeft: boolean): number {
  if (answer === 'nobody') return 4;
  if (answer === 'interrupted') return 130;
  return isLeft && (answer === 'yes' || answer === 'nothing-to-do') ? 1 : 0;
}
