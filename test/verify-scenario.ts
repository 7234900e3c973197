// Scenarios about checks, reviews and decisions: what was scheduled comes out, and the rules go on by themselves.

import type { Answer } from '../src/core/commands/accept-or-refuse.ts';
import { type AnswerInput, answerDecision } from '../src/core/commands/answer-decision.ts';
import { type SkipOptions, skipTask, suspendTask } from '../src/core/commands/steer.ts';
import type { AgentReport } from '../src/core/model/agent-result.ts';
import type { Choice, OpenDecision } from '../src/core/model/decision.ts';
import type { Event } from '../src/core/model/event.ts';
import type { AttemptEnd, Doom, Evidence } from '../src/core/model/failure.ts';
import { type RunId, runId } from '../src/core/model/ids.ts';
import type { Phase, Plan } from '../src/core/model/plan.ts';
import type { Severity } from '../src/core/model/review.ts';
import type { Limits, RunStarted } from '../src/core/model/run-event.ts';
import type { MergeEnded } from '../src/core/model/verify-event.ts';
import { checkEnded, type MergeAnswer, mergeEnded, type ReviewAnswer, reviewEnded } from '../src/core/rules/job-end.ts';
import { askAgain } from '../src/core/rules/plan-decisions.ts';
import { createState } from '../src/core/state/evolve.ts';
import { firstRun, here, type PlanOptions, planOf, Scenario } from './scenario.ts';

export interface Rules extends Partial<Omit<RunStarted, 'limits' | 'run'>> {
  readonly limits?: Partial<Limits>;
  /** By the number of the phase. */
  readonly phases?: Readonly<Record<number, Partial<Phase>>>;
}

/** Loaded, and a run started by these rules. */
export function verifying(
  text: string,
  keys: PlanOptions['keys'] = {},
  rules: Rules & PlanOptions = {},
): VerifyScenario {
  const { phases = {}, finish, order, ...rest } = rules;
  const plain = planOf(text, {
    keys,
    ...(finish === undefined ? {} : { finish }),
    ...(order === undefined ? {} : { order }),
  });
  const plan: Plan = { ...plain, phases: plain.phases.map((phase, i) => ({ ...phase, ...phases[i + 1] })) };
  const scenario = new VerifyScenario(plan, createState());
  return scenario.load().beginRun(rest).goOn();
}

export class VerifyScenario extends Scenario {
  beginRun(rules: Omit<Rules, 'phases'> = {}, run: RunId = firstRun): this {
    const { limits, ...rest } = rules;
    const all = { plan: 1_000_000, pools: {}, ...limits };
    this.record({ type: 'run-started', v: 1, plan: this.plan.path, run, runner: here, limits: all, ...rest });
    for (
      let more = askAgain(this.state, this.plan, this.time);
      more;
      more = askAgain(this.state, this.plan, this.time, more.next)
    )
      this.record(...more.events);
    return this;
  }

  /** The runner is dead; another one begins. */
  runAgain(rules: Omit<Rules, 'phases'> = {}, name = 'run-2'): this {
    const { run, path } = this.plan;
    if (run && !run.ended) {
      const summary = {
        totalTasks: 0,
        completed: 0,
        pending: 0,
        in_progress: 0,
        failed: 0,
        blocked: 0,
        suspended: 0,
        skipped: 0,
      };
      this.record({ type: 'run-ended', v: 1, plan: path, run: run.run, outcome: 'aborted', exitCode: 137, summary });
    }
    Object.assign(this.me, { run: runId(name) });
    return this.beginRun(rules, runId(name)).goOn();
  }

  /** The attempt, check or review that goes on for the task comes out. */
  ends(id: string, end: AttemptEnd | number = 0, evidence?: Evidence): this {
    const live = this.live(id);
    const seen: AttemptEnd = typeof end === 'number' ? { kind: 'exited', code: end } : end;
    const { plan, run, task, attempt, token, job } = live;
    if (job.kind === 'check') this.record(checkEnded(this.plan, live, job.check, seen));
    else if (job.kind === 'review') this.record(reviewEnded(live, 'reviewer', seen, null));
    else if (job.kind === 'merge') this.record(mergeEnded(live, seen, null));
    else
      this.record({
        type: 'attempt-ended',
        v: 1,
        ...{ plan, run, task, attempt, token, end: seen },
        ...(evidence ? { evidence } : {}),
      });
    return this.goOn();
  }

  /** The merge of the task comes out. */
  merges(id: string, answer: MergeAnswer | MergeEnded['result'] = 'merged'): this {
    const said: MergeAnswer = typeof answer === 'string' ? { kind: 'ended', result: answer } : answer;
    return this.record(mergeEnded(this.live(id), { kind: 'exited', code: 0 }, said)).goOn();
  }

  /** The reviewer of the task answers. */
  says(
    id: string,
    answer: ReviewAnswer | 'approved' | Severity,
    message = 'wrong',
    blames?: string,
    agent?: AgentReport,
  ): this {
    const said: ReviewAnswer =
      answer === 'approved'
        ? { verdict: 'approved' }
        : typeof answer === 'string'
          ? { verdict: 'rejected', severity: answer, issues: [{ message, ...(blames ? { task: blames } : {}) }] }
          : answer;
    this.record(reviewEnded(this.live(id), 'reviewer', { kind: 'exited', code: 0 }, said, agent));
    return this.goOn();
  }

  /** The review of the task ends without an answer, and its coding agent says why. */
  reviewed(id: string, agent: AgentReport): this {
    const nothing = { verdict: 'unreadable', problem: 'nothing' } as const;
    this.record(reviewEnded(this.live(id), 'reviewer', { kind: 'exited', code: 1 }, nothing, agent));
    return this.goOn();
  }

  /** One whole attempt that is rejected, with what blames whom. */
  rejected(id: string, severity: Severity, message = 'wrong', blames?: string): this {
    return this.ends(id).says(id, severity, message, blames);
  }

  dooms(id: string, doom: Doom): this {
    const { plan, run, task, attempt, token } = this.live(id);
    return this.record({ type: 'job-doomed', v: 1, plan, run, task, attempt, token, doom });
  }

  /** Time passes, and the rules go on. */
  wait(ms: number): this {
    return this.after(ms).goOn();
  }

  decision(id = [...this.plan.decisions.keys()][0]!): OpenDecision {
    return this.plan.decisions.get(id as never)!;
  }

  tryAnswer(choice: Choice, more: Partial<AnswerInput> = {}, decision = this.decision()): Answer {
    return answerDecision(this.plan, decision, { choice, by: 'ann', ...more });
  }

  answer(choice: Choice, more: Partial<AnswerInput> = {}): this {
    const answer = this.tryAnswer(choice, more);
    if (!answer.ok) throw new Error(answer.because);
    return this.record(...answer.events).goOn();
  }

  skips(id: string, options: Partial<SkipOptions> = {}): this {
    return this.told(skipTask(this.plan, this.index(id), { by: 'ann', ...options }));
  }

  suspends(id: string): this {
    return this.told(suspendTask(this.plan, this.index(id), { by: 'ann' }));
  }

  private told(answer: Answer): this {
    if (!answer.ok) throw new Error(answer.because);
    return this.record(...(answer.events as Event[])).goOn();
  }

  /** What is asked: `d1 failure a`. */
  asked(): string[] {
    return [...this.plan.decisions.values()].map(({ id, kind, task }) => [id, kind, ...(task ? [task] : [])].join(' '));
  }

  /** What goes on: `a#1`, `a#1 check 0`, `a#1 review`, `a#1 merge`. */
  going(): string[] {
    return [...this.state.live.values()].map(({ attempt, job }) => {
      if (job.kind === 'check') return `${attempt} check ${job.check}`;
      return job.kind === 'attempt' ? attempt : `${attempt} ${job.kind}`;
    });
  }

  outcome(): string | null {
    return this.plan.run!.ended?.outcome ?? null;
  }

  types(from = 0): string[] {
    return this.events.slice(from).map(({ type }) => type);
  }
}
