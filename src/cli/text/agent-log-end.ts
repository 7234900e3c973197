// The end of a coding agent's log: how it ended, what it touched, what that cost, and the end of its standard error. What is not known is
// called unknown.
import type { AgentLogEnd } from '../../api/signalbox.ts';
import type { ModelUsage, ResultClass } from '../../core/model/agent-result.ts';
import { countWords, listWords, numberWords } from '../../core/model/count-words.ts';
import { describeResult, describeWaiting } from './describe/describe-failure.ts';
import { describeFindings } from './describe/describe-lock-event.ts';
import { describeTime } from './describe/describe-time.ts';

const mostFiles = 20;

/** The texts of it must be plain. */
export function agentLogEnd(end: AgentLogEnd, now: number): string[] {
  const { isRunning, waits, version, calls, writes, audit, denied, usage, costUsd, tooLong, errors } = end;
  const label = (name: string, text: string) => (text === '' ? [] : [`${name}: ${text}`]);
  return [
    '',
    isRunning && end.result === null ? 'Still running.' : `Ended: ${ending(end, now)}`,
    ...label('Warning', waits === null || isRunning ? '' : describeWaiting(waits)),
    ...label('Program', version === null ? '' : `version ${version}`),
    ...label('Tool calls', calls === null ? '' : numberWords(calls)),
    ...label('Files touched', listWords(writes, mostFiles)),
    ...label('Wrote without a lock', describeFindings(audit)),
    ...label('Refused tools', listWords(denied)),
    ...(usage.length === 0 ? ['Tokens: unknown'] : usage.map((one) => `Tokens: ${tokens(one)}`)),
    `Cost: ${costUsd === null ? 'unknown' : money(costUsd)}`,
    ...label('Left out', tooLong === 0 ? '' : `${countWords(tooLong, 'line')} too long to read; --raw has all`),
    ...(errors.every((line) => line.trim() === '') ? [] : ['Standard error:', ...errors.map((line) => `  ${line}`)]),
  ];
}

function ending({ result, denied, asked, resetsAt, said }: AgentLogEnd, now: number): string {
  const says: ResultClass = result?.class ?? 'no-result';
  // As it is judged: it gave up, however it words that.
  const isOpen = says === 'done' || says === 'no-result';
  const is = isOpen && denied.length > 0 ? 'refused-tools' : isOpen && asked !== '' ? 'asks' : says;
  const until = is === 'rate-limit' && resetsAt !== null ? ` until ${describeTime(resetsAt, now)}` : '';
  // Its last message was printed already.
  const why = result && result.class !== 'done' && result.text !== said ? firstLine(result.text) : '';
  return `it ${describeResult(is)}${until}${why === '' ? '.' : `: ${why}`}`;
}

const firstLine = (text: string): string => {
  const line = text.trim().split('\n', 1)[0]!;
  return line.length > 300 ? `${line.slice(0, 299)}…` : line;
};

function tokens({ model, input, output, cached, cacheWrite }: ModelUsage): string {
  const parts = [
    `${numberWords(input)} in`,
    ...(cached > 0 ? [`${numberWords(cached)} from the cache`] : []),
    ...(cacheWrite > 0 ? [`${numberWords(cacheWrite)} into the cache`] : []),
    `${numberWords(output)} out`,
  ];
  return `${parts.join(', ')}${model === '' ? '' : ` (${model})`}`;
}

/** Attempts often cost less than a cent. */
const money = (usd: number): string => `$${usd < 1 && usd > 0 ? usd.toFixed(4) : usd.toFixed(2)}`;
