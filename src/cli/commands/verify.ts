// `signalbox verify`: all checks of completed tasks again, one line each. A failed check comes with the end of its log.
import type { VerifiedCheck, VerifyReport } from '../../api/reports/verify.ts';
import { countWords, numberWords } from '../../core/model/count-words.ts';
import { describeDuration } from '../../core/model/duration-words.ts';
import { jsonLine } from '../json/json-line.ts';
import { plainData, safeLine } from '../json/plain-data.ts';
import type { Request } from '../request.ts';
import { interruptible } from '../terminal/interruptible.ts';
import type { Paint } from '../terminal/paint.ts';
import { signs } from '../text/signs.ts';

export async function verify({ box, io, paint, plan, flags }: Request): Promise<number> {
  let report: VerifyReport | null = null;
  const interrupted = await interruptible(io, true, async (signal) => {
    report = await box.verify(plan, {
      signal,
      ...(flags.parallel === undefined ? {} : { parallel: flags.parallel }),
      ...(flags.json ? {} : { onCheck: (check) => io.out(show(plainData(check), paint)) }),
    });
  });
  if (report === null) return interrupted;
  io.out(flags.json ? jsonLine(report) : summary(report, paint));
  if (interrupted !== 0) return interrupted;
  return (report as VerifyReport).ok ? 0 : 1;
}

const mostTasks = 8;

function show({ command, tasks, result, code, durationMs, log, tail }: VerifiedCheck, paint: Paint): string {
  const sign = result === 'passed' ? paint.green(signs.completed) : paint.red(signs.failed);
  const more = tasks.length > mostTasks ? ` and ${tasks.length - mostTasks} more` : '';
  const whose = `${tasks.slice(0, mostTasks).join(', ')}${more}`;
  const head = `${sign} ${command}  ${paint.dim(`${whose}, ${describeDuration(durationMs)}`)}\n`;
  if (result === 'passed') return head;
  const how = code === null ? (result === 'timed-out' ? 'took too long' : 'was stopped') : `exited with code ${code}`;
  const lines = tail.map((line) => `    ${paint.dim(safeLine(line))}\n`).join('');
  return `${head}    it ${how}; its full output is in ${log}\n${lines}`;
}

function summary({ plan, ok, total, passed, checks }: VerifyReport, paint: Paint): string {
  const { plan: name } = plainData({ plan });
  if (total === 0) return `No completed task in ${name} has a check.\n`;
  if (ok) return paint.green(`${name}: ${countWords(total, 'check')}, all green\n`);
  const left = total - checks.length;
  const notRun = left > 0 ? `, ${numberWords(left)} not run` : '';
  return paint.red(`${name}: ${numberWords(passed)} of ${countWords(total, 'check')} green${notRun}\n`);
}
