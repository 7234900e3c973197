// The tools of Claude Code that no attempt gets: what they do happens beside the hooks, in another place, or after the attempt. Their
// names are those of the version that was tried; a name that a version does not know does no harm.
import { type Fields, textOf } from '../../stream/json-lines.ts';

const secondShell = 'its commands are not held against the locks: use Bash';
const ownTree = 'you work in the folder that you have, and in no other';
const noLater = 'nothing calls you back after your end: finish your work now';
const hiddenAgents = 'nobody sees what its agents do: use Agent, or do the work yourself';
const noTalk = 'what you write would reach sessions that have nothing to do with your task';

/** By name: why. */
const withheld: Readonly<Record<string, string>> = {
  Monitor: secondShell,
  PowerShell: secondShell,
  // They make a branch and a locked worktree in the checkout of the person.
  EnterWorktree: ownTree,
  ExitWorktree: ownTree,
  ScheduleWakeup: noLater,
  // They write to the checkout of the person, whose next session would perform it.
  CronCreate: noLater,
  CronDelete: noLater,
  CronList: noLater,
  RemoteTrigger: noLater,
  // Calls of its agents are not in the stream, so a denied edit looks like a tool that the program refused.
  Workflow: hiddenAgents,
  // They know all sessions on the machine: other attempts, and those that the person has open.
  ListAgents: noTalk,
  SendMessage: noTalk,
};

export const withheldTools: readonly string[] = Object.keys(withheld);

/** Null: it may be called. */
export function whyWithheld(tool: string, { isolation }: Fields): string | null {
  if (Object.hasOwn(withheld, tool)) return withheld[tool]!;
  return tool === 'Agent' && textOf(isolation) !== '' ? `${ownTree}: call it without "isolation"` : null;
}
