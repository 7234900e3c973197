// The verdict on the end of an attempt, or the next check or review that it needs first. The table is in `judge-end.ts`.
import { type AgentReport, isPermanent } from '../model/agent-result.ts';
import { listWords } from '../model/count-words.ts';
import { interruptedCap } from '../model/defaults.ts';
import { type DeadlockBlocker, type Evidence, type Failure, isBreach, type Lacking } from '../model/failure.ts';
import { impossible } from '../model/impossible.ts';
import type { Task, TaskKeys } from '../model/plan.ts';
import type { MergeFailure } from '../model/verify-event.ts';
import type { EndedAttempt } from '../state/state.ts';

export type Verdict =
  | { readonly kind: 'completed' }
  | { readonly kind: 'returned' }
  /** Stopped to end a deadlock. */
  | { readonly kind: 'victim'; readonly blocker: DeadlockBlocker }
  | { readonly kind: 'lost' }
  /** Its account has to wait; no fault of the task. */
  | { readonly kind: 'limited'; readonly resetsAt: number | null }
  /** It made the same call again and again. */
  | { readonly kind: 'looping'; readonly call: string; readonly times: number }
  /** A person has to answer first: no fault of the task. */
  | { readonly kind: 'asks'; readonly question: string }
  /** It could not go on in the conversation of an earlier attempt. */
  | { readonly kind: 'speechless' }
  /** The setup of its tree failed, as it would for every task. */
  | { readonly kind: 'unprepared'; readonly setup: string; readonly message: string }
  /** Its agent said nothing for too long: that may be its service, and is no fault of the task by itself. */
  | { readonly kind: 'silent'; readonly failure: Silence }
  | { readonly kind: 'failed'; readonly failure: Failure; readonly permanent: boolean }
  /** Not judged yet: this check or review comes first. */
  | { readonly kind: 'check'; readonly check: number }
  | { readonly kind: 'review'; readonly by: 'agent' | 'human' }
  | { readonly kind: 'rejected' }
  /** Not judged yet: its work must be merged first. */
  | { readonly kind: 'merge' }
  /** What others did meanwhile is in the way. */
  | { readonly kind: 'unmerged'; readonly failure: MergeFailure };

type Silence = Extract<Failure, { readonly kind: 'idle' | 'mute' }>;

export function verdictOn(task: Task, ended: EndedAttempt): Verdict {
  const { end, doom, limited } = ended;
  if (limited) return { kind: 'limited', resetsAt: limited.resetsAt };
  // A victim gets no more locks once it is chosen, so not even exit 0 means that it did its work.
  if (doom?.kind === 'deadlock') return { kind: 'victim', blocker: doom.blocker };
  // Nobody held it to its locks, so what it did proves nothing.
  if (doom?.kind === 'ungoverned') return ungoverned;
  switch (end.kind) {
    case 'never-started':
      return { kind: 'returned' };
    case 'unstartable': {
      const { message, permanent, setup } = end;
      if (setup !== undefined) return { kind: 'unprepared', setup, message };
      return { kind: 'failed', failure: { kind: 'unstartable', message }, permanent };
    }
    case 'exited': {
      const said = agentVerdict(ended);
      if (end.code === 0 && said === null) return verified(task, ended);
      if (doom?.kind === 'stop') return { kind: 'returned' };
      if (doom?.kind === 'looping') return doom;
      return said ?? failed({ kind: 'exit', code: end.code, ...checkOf(task) });
    }
    case 'lost':
    case 'killed':
      if (doom?.kind === 'timeout') return failed(doom);
      if (doom?.kind === 'idle' || doom?.kind === 'mute')
        return task.keys.run === undefined ? { kind: 'silent', failure: doom } : failed(doom);
      // Without what it said, nothing is known of its end.
      if (doom?.kind === 'finished' && end.kind === 'killed' && ended.evidence?.agent)
        return agentVerdict(ended) ?? verified(task, ended);
      if (doom?.kind === 'looping') return doom;
      // Killed without a recorded reason, by a runner that died too early to record one: it might have ended well.
      return doom === null ? { kind: 'lost' } : { kind: 'returned' };
    default:
      return impossible(end);
  }
}

/** Nobody has read what the check of a group or a phase is. */
const checkOf = ({ closes, keys: { run } }: Task): { readonly command?: string } =>
  run === undefined || closes === undefined || closes === 'plan' ? {} : { command: run };

const ungoverned: Verdict = {
  kind: 'failed',
  failure: { kind: 'agent', class: 'ungoverned', message: '' },
  permanent: true,
};

const failed = (failure: Failure): Verdict => ({ kind: 'failed', failure, permanent: false });

/** What a coding agent says about its end counts before its exit code, unless it says that it is done: null then. */
function agentVerdict({ evidence }: EndedAttempt): Verdict | null {
  const agent = evidence?.agent;
  if (agent === undefined) return null;
  const { class: result, said = '' } = agent;
  switch (result) {
    case 'done':
      return null;
    case 'rate-limit':
      return { kind: 'limited', resetsAt: agent.resetsAt ?? null };
    case 'no-conversation':
      return { kind: 'speechless' };
    case 'asks':
      return { kind: 'asks', question: said };
    case 'refused-tools':
      return { kind: 'asks', question: aboutRefused(agent) };
    default:
      return {
        kind: 'failed',
        failure: { kind: 'agent', class: result, message: said },
        permanent: isPermanent(result),
      };
  }
}

function aboutRefused({ denied = [], said }: AgentReport): string {
  const tools = denied.length === 0 ? 'tools that it needs' : listWords(denied);
  return `It may not use ${tools}. What should it do?${said === undefined ? '' : ` It said: ${said}`}`;
}

/** An agent's claim is no evidence. */
function verified({ keys }: Task, ended: EndedAttempt): Verdict {
  const { check = [], review = 'none', run } = keys;
  if (ended.failure) return failed(ended.failure);
  const { audit } = ended.evidence ?? {};
  if (audit?.fails) return failed({ kind: 'audit', files: audit.files.filter(isBreach).map(({ path }) => path) });
  if (ended.evidence?.unfit !== undefined) return failed({ kind: 'unfit', message: ended.evidence.unfit });
  if (run === undefined && ended.evidence && hasDoneNothing(keys, ended.evidence))
    return failed({ kind: 'nothing-done', lacks: lackingIn(keys, ended.evidence) });
  const isChecked = ended.checks >= check.length;
  if (ended.interrupted >= interruptedCap) {
    const { problem } = ended;
    const message = problem === null ? 'what should prove it did not end' : `${proofOf(keys, ended)}: ${problem}`;
    // If only the reviewer is missing, another attempt does not help.
    return { kind: 'failed', failure: { kind: 'review', message }, permanent: isChecked };
  }
  if (!isChecked) return { kind: 'check', check: ended.checks };
  if (review === 'none' || ended.verdict?.verdict === 'approved') return merged(ended);
  return ended.verdict === null ? { kind: 'review', by: review } : { kind: 'rejected' };
}

/** Work in the workspace itself is there already. */
function merged({ evidence, merge }: EndedAttempt): Verdict {
  if (evidence?.work === undefined || merge === 'merged' || merge === 'nothing') return { kind: 'completed' };
  return merge === undefined ? { kind: 'merge' } : { kind: 'unmerged', failure: merge };
}

const proofOf = ({ review = 'none' }: TaskKeys, { verdict }: EndedAttempt): string =>
  review === 'agent' && verdict === null ? 'its review was no answer' : 'it could not be merged';

/** What nobody could look at is not there; but checks may still prove it. */
const hasDoneNothing = ({ produces = 'files', check = [] }: TaskKeys, { changed, answered }: Evidence): boolean =>
  produces === 'text' ? answered !== true : changed !== true && check.length === 0;

function lackingIn({ produces }: TaskKeys, { changed, unclear, toolCalls }: Evidence): Lacking {
  if (produces === 'text') return 'text';
  if (unclear) return 'owner';
  if (changed === undefined) return 'proof';
  return toolCalls === 0 ? 'calls' : 'change';
}
