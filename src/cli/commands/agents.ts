// What is about coding agents: `signalbox prompt ID` shows what the agent of a task would be told now, and `signalbox hook KIND` answers
// its hook, or that of a person's own session. All kinds understand the same words, each some of them.

import { type GuestAnswer, readGuestCall } from '../../api/hooks/answer-guest.ts';
import { plainText } from '../../api/look/plain-text.ts';
import type { Refusal } from '../../api/refusal.ts';
import type { Signalbox } from '../../api/signalbox.ts';
import { listWords } from '../../core/model/count-words.ts';
import { denialLead } from '../../core/model/denial.ts';
import type { Io } from '../io.ts';
import { jsonLine } from '../json/json-line.ts';
import { safeLine } from '../json/plain-data.ts';
import type { PerformAlone, Request } from '../request.ts';

export async function prompt({ box, io, plan, args, flags }: Request): Promise<number> {
  const report = await (await box.agents()).prompt(plan, args[0]!);
  io.out(flags.json ? jsonLine(report) : plainText(report.text));
  return 0;
}

export const hook: PerformAlone = ({ open, io, args, flags }) =>
  flags.guest ? guestHook(args[0]!, io, open) : attemptHook(args[0]!, io, open);

async function attemptHook(kind: string, io: Io, open: () => Promise<Signalbox>): Promise<number> {
  const box = await open();
  const answer = await (await box.agents())
    .hook(kind, io.input())
    .catch(
      (error: unknown) =>
        ({ kind: 'deny', reason: `Signalbox could not be asked: ${(error as Error).message}` }) as const,
    );
  if (answer.kind === 'deny') printDenial(answer.reason, io);
  else if (answer.note !== undefined) {
    const output = { hookEventName: 'PostToolUse', additionalContext: answer.note };
    io.out(`${JSON.stringify({ hookSpecificOutput: output })}\n`);
  }
  return 0;
}

/** A person is not locked out of their own editor by what goes wrong here: 2 would block the call, and any other code hide the message. */
async function guestHook(kind: string, io: Io, open: () => Promise<Signalbox>): Promise<number> {
  const answer = await answerGuest(kind, io, open).catch(
    (error: unknown): GuestAnswer => ({ kind: 'pass', trouble: troubleInWords(error) }),
  );
  if (answer.kind === 'deny') printDenial(answer.reason, io);
  else {
    const { context, trouble } = answer;
    const output = {
      ...(trouble === undefined ? {} : { systemMessage: `${denialLead}${safeLine(trouble)}` }),
      ...(context === undefined
        ? {}
        : { hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: context } }),
    };
    if (Object.keys(output).length > 0) io.out(`${JSON.stringify(output)}\n`);
  }
  return 0;
}

async function answerGuest(kind: string, io: Io, open: () => Promise<Signalbox>): Promise<GuestAnswer> {
  const call = readGuestCall(kind, io.input());
  // Most calls of a session: nothing is opened for them.
  if (call.kind === 'other') return { kind: 'pass' };
  return (await (await open()).agents()).guest(kind, call);
}

const mostMistakes = 3;

function troubleInWords(error: unknown): string {
  const { message, instead, diagnostics = [] } = error as Partial<Refusal> & Error;
  const mistakes = listWords(
    diagnostics.map(({ file, line, message }) => `${file}:${line}: ${message}`),
    mostMistakes,
  );
  const what = mistakes === '' ? message : `${message} (${mistakes})`;
  const way = instead === undefined ? '' : ` Way out: ${instead}.`;
  return `${what}. Nothing was locked or released, and nothing is blocked.${way}`;
}

function printDenial(because: string, io: Io): void {
  const reason = `${denialLead}${because}`;
  const output = { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason: reason };
  io.out(`${JSON.stringify({ decision: 'block', reason, hookSpecificOutput: output })}\n`);
}
