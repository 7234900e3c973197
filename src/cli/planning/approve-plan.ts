// `signalbox approve PLAN`, and the question that `run` asks about a plan that an agent wrote.
import { Refusal } from '../../api/refusal.ts';
import type { ApprovalReport } from '../../api/reports/plan-files.ts';
import { isoTime } from '../json/iso-time.ts';
import { jsonLine } from '../json/json-line.ts';
import { plainData, safeLine } from '../json/plain-data.ts';
import type { Request } from '../request.ts';
import { agrees } from '../terminal/ask-person.ts';
import { wrapped } from '../terminal/whole-words.ts';
import { describeTime } from '../text/describe/describe-time.ts';
import { planHint } from '../text/hint.ts';
import { signs } from '../text/signs.ts';
import { commandLines } from './command-lines.ts';

/** By its name; whether it is there is found out by reading it. */
const looksLikePlan = (word: string): boolean => word.includes('/') || /\.(?:md|markdown|ya?ml)$/i.test(word);

export async function approvePlan({ box, io, paint, args, flags }: Request): Promise<number> {
  const [name] = args;
  const door = await box.planning();
  const before = await door.approval(name);
  const report = await door.approve(name, { digest: before.digest });
  if (flags.json) {
    io.out(jsonLine(approvalJson(report)));
    return 0;
  }
  const { plan, agent } = plainData({ plan: report.plan, agent: report.agent });
  if (report.standing === 'own') io.out(`${plan} is not the work of an agent: it needs no approval\n`);
  else if (before.standing === 'approved') {
    const { by, at } = before.approved!;
    io.out(`${plan} was approved before, by ${safeLine(by)} at ${describeTime(at, io.now())}\n`);
  } else {
    io.out(`${commandLines(report.commands, paint).join('\n')}\n`);
    io.out(`${paint.green(signs.completed)} ${plan}, written by ${agent}, is approved as it is now\n`);
  }
  io.out(`${paint.dim(`  ${planHint('run', name)}`)}\n`);
  return 0;
}

const approvalJson = ({ approved, ...report }: ApprovalReport): object => ({
  ...report,
  approved: approved && { ...approved, at: isoTime(approved.at) },
});

/** `run --approve`. */
export async function approveNow({ box, io, paint, plan, flags }: Request): Promise<void> {
  const door = await box.planning();
  const { standing, commands, agent, digest, ...report } = await door.approval(plan);
  if (standing !== 'unapproved') return;
  await door.approve(plan, { digest });
  if (flags.json) return;
  io.out(`${commandLines(commands, paint).join('\n')}\n`);
  const by = `written by ${safeLine(agent!)}`;
  io.out(`${paint.green(signs.completed)} ${safeLine(report.plan)}, ${by}, is approved as it is now\n\n`);
}

/** After a run was refused because nobody has approved the plan: its commands are shown, and a person at a terminal is asked once. */
export async function askToApprove({ box, io, paint, plan, flags }: Request, refusal: Refusal): Promise<boolean> {
  if (flags.json) throw refusal;
  const door = await box.planning();
  const { standing, commands, digest, plan: path } = await door.approval(plan);
  if (standing !== 'unapproved') throw refusal;
  const lines = `${commandLines(commands, paint).join('\n')}\n`;
  // `--yes` answers no question of trust.
  if (!io.interactive || flags.yes) {
    io.err(lines);
    throw refusal;
  }
  io.out(`${wrapped(`${paint.yellow(signs.warning)} ${safeLine(refusal.message)}`, io)}\n${lines}`);
  if (!(await agrees(io, paint, 'Approve it as it is now, and run it?'))) {
    io.out(`Nothing was run.\n${paint.dim(`  ${planHint('approve', plan ?? box.typed(path))}`)}\n`);
    return false;
  }
  await door.approve(plan, { digest });
  return true;
}

/** A review that waits under this name comes first. @returns whether the plan is meant */
export async function meansPlan({ box, io, plan, args }: Request): Promise<boolean> {
  const [word = ''] = args;
  if (!looksLikePlan(word)) return false;
  const isReview = await waitsForReview(box, plan, word);
  if (isReview) io.err(`the task ${safeLine(word)} waits for a review, so that is approved, and no plan\n`);
  return !isReview;
}

async function waitsForReview(box: Request['box'], plan: string | undefined, task: string): Promise<boolean> {
  try {
    const { decisions } = await (await box.decisions()).list(plan);
    return decisions.some((decision) => decision.kind === 'review' && decision.task === task);
  } catch (error) {
    // Which plan is meant is not known, so no task of it is.
    if (error instanceof Refusal) return false;
    throw error;
  }
}
