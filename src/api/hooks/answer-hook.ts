// What the hook of a coding agent is answered. Before an edit it takes the locks on the files, all at once, and waits for them; if they
// cannot be had, the edit is denied with the reason and what to do meanwhile. Before a shell command it notes the time, and after it what
// was written is held against the locks. An attempt that is over, or whose state is gone, is denied every call. An attempt with a tree of
// its own takes no locks and is not searched for; its edits are held in its tree.
//
// A hook that takes too long, or fails in a way of its own, lets the call pass in most programs. So whoever calls this turns every error
// into a denial, and no wait is longer than a fifth of the time that hooks have.
import { isAbsolute, join } from 'node:path';
import { beginEdit, beginShell, endShell, markSeen, marksFolder } from '../../agents/hooks/call-marks.ts';
import { hookCall } from '../../agents/hooks/hook-call.ts';
import { kindOf } from '../../agents/kind.ts';
import { attemptsFolderOf } from '../../agents/process/attempt-files.ts';
import { listWords } from '../../core/model/count-words.ts';
import type { Isolation } from '../../core/model/run-event.ts';
import type { Store } from '../../store/store.ts';
import type { LockDoor } from '../locks/lock-door.ts';
import { Refusal } from '../refusal.ts';
import type { LockReport } from '../reports/locks.ts';
import type { Workspace } from '../workspace.ts';
import { isolationOf } from './attempt-isolation.ts';
import type { ShellAudit } from './audit-shell.ts';
import { editedFiles } from './edited-files.ts';
import { leavesTree, type TreeBounds } from './stay-in-tree.ts';

export type HookAnswer =
  /** `note`: what the agent should know. */
  { readonly kind: 'pass'; readonly note?: string } | { readonly kind: 'deny'; readonly reason: string };

export interface HookParts {
  readonly workspace: Workspace;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly store: () => Promise<Store | null>;
  readonly locks: () => Promise<LockDoor>;
  readonly audit: ShellAudit;
}

export const hookWaitMs = 120_000;

const pass: HookAnswer = { kind: 'pass' };
const deny = (reason: string): HookAnswer => ({ kind: 'deny', reason });

export async function answerHook(kind: string, text: string, parts: HookParts): Promise<HookAnswer> {
  const { workspace, env } = parts;
  const forms = kindOf({ kind })?.hooks;
  if (!forms)
    throw new Refusal(2, `${kind} is not a kind of agent with hooks`, { instead: 'signalbox hook --help names them' });
  const [, store, token] = /^(.+):(\d+)$/.exec(env.SIGNALBOX_TOKEN ?? '') ?? [];
  if (store === undefined) return deny('This hook was not called from an attempt that Signalbox has started.');
  const call = hookCall(text, forms);
  const { refusal, isolation } = await standingOf(parts, store, Number(token));
  // What has happened cannot be denied.
  if (refusal !== null) return call.kind === 'shell-ended' ? pass : deny(refusal);
  const marks = marksFolder(attemptsFolderOf(workspace, { workspace: store }), Number(token));
  markSeen(marks);
  if (call.kind === 'withheld') return deny(`${call.because}.`);
  if (call.kind === 'unclear') return deny(`Signalbox cannot tell what this call does: ${call.because}.`);
  switch (call.kind) {
    case 'other':
      return pass;
    case 'shell-begins':
      if (isolation === null) beginShell(marks, call.id);
      return pass;
    case 'shell-ended': {
      const began = endShell(marks, call.id);
      const note = began === null ? null : await parts.audit(Number(token), began);
      return note === null ? pass : { kind: 'pass', note };
    }
    case 'edit':
      // What it may look at, it may not change: its word would be about its own work.
      if (env.SIGNALBOX_ATTEMPT === undefined)
        return deny('A reviewer changes no files. Say in your answer what is wrong.');
      if (isolation !== null) return editInTree(call.paths, call.cwd, boundsOf(kind, isolation, parts));
      return madeByShell(await edit(call.paths, call.cwd, parts), marks, call.shell);
  }
}

/** What else the command writes is looked at when it ends. */
function madeByShell(answer: HookAnswer, marks: string, id: string | undefined): HookAnswer {
  if (answer.kind === 'pass' && id !== undefined) beginEdit(marks, id);
  return answer;
}

interface Standing {
  /** Why the attempt may do nothing more, whatever the call is; null: it goes on. */
  readonly refusal: string | null;
  /** Null: it works in the workspace. */
  readonly isolation: Isolation | null;
}

const refused = (refusal: string): Standing => ({ refusal, isolation: null });

/** Looking creates no state. */
async function standingOf({ store: open }: HookParts, id: string, token: number): Promise<Standing> {
  const store = await open();
  if (store === null)
    return refused('The state of Signalbox that this attempt belongs to is gone. Change nothing more, and end.');
  if (store.workspace !== id) return refused('This attempt belongs to other state than there is here.');
  return store.read((state) => {
    const live = state.live.get(token);
    if (live && !live.doom) return { refusal: null, isolation: isolationOf(state, token) };
    return refused(stoppedInWords(live?.doom?.kind === 'deadlock' ? live.doom.words : null));
  });
}

function boundsOf(kind: string, { trees, prefix }: Isolation, { workspace, env }: HookParts): TreeBounds | null {
  const { SIGNALBOX_TREE: tree, HOME: home, TMPDIR: temporary } = env;
  if (tree === undefined || !isAbsolute(tree)) return null;
  const login = kindOf({ kind })?.known?.loginFolder;
  const homes = [login && env[login], home && join(home, `.${kind}`)].flatMap((folder) => folder || []);
  return { tree, prefix, trees, workspace, homes, temporary };
}

function editInTree(paths: readonly string[], cwd: string, bounds: TreeBounds | null): HookAnswer {
  const reason = bounds === null ? 'Signalbox cannot tell which tree is yours.' : leavesTree(paths, cwd, bounds);
  return reason === null ? pass : deny(reason);
}

async function edit(paths: readonly string[], cwd: string, { workspace, locks }: HookParts): Promise<HookAnswer> {
  const shared = editedFiles(paths, cwd, workspace);
  if (typeof shared === 'string') return deny(shared);
  if (shared.length === 0) return pass;
  const report = await (await locks()).wait(shared, { timeoutMs: hookWaitMs });
  return report.answer === 'granted' ? pass : deny(refusalInWords(report));
}

const stoppedInWords = (reason: string | null): string =>
  `This attempt is being stopped${reason === null ? '' : `: ${reason}`}. Change nothing more, and end.`;

function refusalInWords({ answer, resources, holders, reason, release, waitedMs }: LockReport): string {
  const files = listWords(resources);
  switch (answer) {
    case 'victim':
    case 'over':
      return stoppedInWords(reason);
    case 'deadlock': {
      const way =
        release.length === 0 ? '' : ` Release what others wait for: signalbox lock release ${release.join(' ')}.`;
      return `Waiting for ${files} would never end: ${reason}.${way} Otherwise leave ${files} alone, do what you can without it, and say at your end what is left.`;
    }
    default: {
      const who = listWords([
        ...new Set(holders.map(({ owner, task }) => (task === null ? owner : `${owner} (task ${task})`))),
      ]);
      const waited = Math.round(waitedMs / 1000);
      return `${files} is locked by ${who || 'another'}, and was not released within ${waited} s. Do something else meanwhile and make this edit again later. If nothing else is left to do, wait: signalbox lock wait ${resources.join(' ')}.`;
    }
  }
}
