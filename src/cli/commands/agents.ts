// What is about coding agents: `signalbox prompt ID` shows what the agent of a task would be told now, and `signalbox hook KIND` answers
// its hook. All kinds understand the same words, each some of them.

import { plainText } from '../../api/look/plain-text.ts';
import { denialLead } from '../../core/model/denial.ts';
import { jsonLine } from '../json/json-line.ts';
import type { Request } from '../request.ts';

export async function prompt({ box, io, plan, args, flags }: Request): Promise<number> {
  const report = await (await box.agents()).prompt(plan, args[0]!);
  io.out(flags.json ? jsonLine(report) : plainText(report.text));
  return 0;
}

export async function hook({ box, io, args }: Request): Promise<number> {
  const answer = await (await box.agents())
    .hook(args[0]!, io.input())
    .catch(
      (error: unknown) =>
        ({ kind: 'deny', reason: `Signalbox could not be asked: ${(error as Error).message}` }) as const,
    );
  if (answer.kind === 'deny') {
    const reason = `${denialLead}${answer.reason}`;
    const output = { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason: reason };
    io.out(`${JSON.stringify({ decision: 'block', reason, hookSpecificOutput: output })}\n`);
  } else if (answer.note !== undefined) {
    const output = { hookEventName: 'PostToolUse', additionalContext: answer.note };
    io.out(`${JSON.stringify({ hookSpecificOutput: output })}\n`);
  }
  return 0;
}
