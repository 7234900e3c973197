// Who may do what. Attempts use the same commands as people, and share their user and their files. So this guards against mistakes: an
// agent that approves its own work, or stops the run it is part of. It does not guard against a hostile program of the same user.
//
//                                                 person   command of the plan   agent or reviewer   over or unknown
//   look                                          yes      yes                   yes                 yes
//   lock, under its own name                      yes      yes                   yes                 no
//   findings: write those of a task               yes      yes                   its own task        no
//   question: suspend a task with one             yes      its own task          its own task        no
//   lock under another name                       yes      yes                   no                  no
//   steer: retry, skip, pause, mark, reload       yes      its own plan *        no                  no
//   run a plan                                    yes      yes                   no                  no
//   write: format, import, restore files          yes      yes                   no                  no
//   decide: answer, approve, go against a rule,   yes      no                    no                  no
//     land results, start a plan over
//   maintain: repair and trust the state          yes      no                    no                  no
//
// * Not where that closes an open decision or review.
//
// A command of the plan is a `run:` or a `check:`: its author wrote it. What an attempt starts has the attempt's rights. A lock command of
// an attempt that is over is answered by the locks themselves, which know more about its end.
import { commandLine } from '../model/command-line.ts';
import { listWords } from '../model/count-words.ts';
import type { PlanPath, TaskId } from '../model/ids.ts';
import type { State } from '../state/state.ts';
import { refuse } from './accept-or-refuse.ts';

export type Deed = 'look' | 'lock' | 'findings' | 'question' | 'steer' | 'run' | 'write' | 'decide' | 'maintain';

export interface Wish {
  readonly does: Deed;
  /** The plan and the tasks that it is about, where that matters. */
  readonly plan?: PlanPath;
  readonly tasks?: readonly string[];
  /** The name that a lock is asked for under. */
  readonly as?: string;
}

export type Asker =
  | { readonly who: 'person' }
  | { readonly who: 'command' | 'agent'; readonly name: string; readonly plan: PlanPath; readonly task: TaskId }
  /** Its attempt is known, and has ended. */
  | { readonly who: 'over'; readonly name: string }
  | { readonly who: 'unknown'; readonly name: string };

type Attempting = Extract<Asker, { readonly who: 'command' | 'agent' }>;

export const person: Asker = { who: 'person' };

/** By the token that it was started with. What the environment says beside that is not believed. */
export function askerOf({ live }: State, token: number, name: string): Asker {
  const found = live.get(token);
  if (!found) return { who: 'over', name };
  const { job, plan, task, attempt } = found;
  const isCommand = job.kind === 'check' || job.kind === 'merge' || (job.kind === 'attempt' && job.command === true);
  const called = job.kind === 'attempt' ? attempt : `the ${job.kind} of ${attempt}`;
  return { who: isCommand ? 'command' : 'agent', name: called, plan, task };
}

/** Null: it may. */
export function refusalFor(asker: Asker, wish: Wish): ReturnType<typeof refuse> | null {
  const { does } = wish;
  if (asker.who === 'person' || does === 'look') return null;
  if (asker.who === 'over') {
    if (does === 'lock' && isOwnName(asker.name, wish)) return null;
    return refuse(`${asker.name} has ended: what it left running may only look`, 'a person can do it, outside of it');
  }
  if (asker.who === 'unknown') {
    const because = `${asker.name} is not known here: this database has never heard of the attempt that calls`;
    return refuse(because, 'a person can do it, outside of the attempt');
  }
  return allowed(asker, wish) ? null : refusalOf(asker, wish);
}

/** Also what steering would answer by the way: skipping a task closes its review. Null: nothing of the kind. */
export function refusalToAnswer(asker: Asker, closed: readonly string[]): ReturnType<typeof refuse> | null {
  if (asker.who === 'person' || closed.length === 0) return null;
  const because = `${asker.name} may not do this: it would close ${listWords(closed)}, and only a person decides`;
  return refuse(because, askPerson);
}

function allowed(asker: Attempting, wish: Wish): boolean {
  const isCommand = asker.who === 'command';
  switch (wish.does) {
    case 'findings':
      return isCommand || isOwnTask(asker, wish);
    case 'lock':
      return isCommand || isOwnName(asker.name, wish);
    case 'question':
      return isOwnTask(asker, wish);
    case 'steer':
      return isCommand && isOwnPlan(asker, wish);
    case 'run':
    case 'write':
      return isCommand;
    default: // decide, maintain
      return false;
  }
}

const isOwnName = (name: string, { as }: Wish): boolean => as === undefined || as === name;
const isOwnTask = (asker: Attempting, wish: Wish): boolean =>
  isOwnPlan(asker, wish) && (wish.tasks ?? []).every((task) => task === asker.task);
const isOwnPlan = ({ plan }: Attempting, wish: Wish): boolean => wish.plan === undefined || wish.plan === plan;

function refusalOf({ who, name, plan, task }: Attempting, wish: Wish) {
  if (wish.does === 'lock')
    return refuse(`${name} locks under its own name only; an agent ${agentsMay}`, 'leave --agent out');
  if (wish.does === 'findings') {
    const because = `${name} writes findings of its own task ${task} in ${plan} only; an agent ${agentsMay}`;
    return refuse(because, `write them there: ${commandLine('write-findings', task)}`);
  }
  if (who === 'agent') return refuse(`${name} may not do this: an agent ${agentsMay}, and nothing else`, askPerson);
  const where = wish.plan === undefined || wish.plan === plan ? '' : ` (this is about ${wish.plan})`;
  const about = wish.does === 'question' ? `, ask about ${task},` : '';
  return refuse(
    `${name} may not do this: a command may steer its own plan ${plan}${about} and decide nothing${where}`,
    askPerson,
  );
}

const askPerson = 'ask a person: signalbox suspend --question TEXT';
const agentsMay = 'may look, lock, write findings and suspend its own task with a question';
