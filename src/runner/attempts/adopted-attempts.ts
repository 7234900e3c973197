// What this loop looks after though another runner started it, and what is known of that: whether it lives, and who may have
// sent it signals. Exit 0 after a kill is not success, and a runner that died can tell nobody that it has killed.
//
// A plan's own runner adopts whatever earlier runs left. A runner of another plan does so only while the plan has none; when one
// comes, the attempt is its to end, and is only watched here.
import type { RunId } from '../../core/model/ids.ts';
import type { LiveAttempt, State } from '../../core/state/state.ts';

interface Adopted {
  readonly plan: LiveAttempt['plan'];
  /** The plan's run when it was adopted: ours, or a dead one. With another, somebody else has taken it over. */
  under: RunId | undefined;
  takenOver: boolean;
  /** Our host has seen it. */
  seenAlive: boolean;
  /** We doomed it ourselves, so that every signal it got is known. */
  doomedHere: boolean;
}

export class AdoptedAttempts {
  private readonly byToken = new Map<number, Adopted>();
  private doomedBefore: ReadonlySet<number> = new Set();

  /** Also to take back one whose new runner has died as well. */
  take({ token, plan }: LiveAttempt, state: State): void {
    const seenAlive = this.byToken.get(token)?.seenAlive ?? false;
    this.byToken.set(token, { plan, under: runOf(state, plan), takenOver: false, seenAlive, doomedHere: false });
  }

  isTakenOver(token: number): boolean {
    return this.byToken.get(token)?.takenOver === true;
  }

  /** Our host says that it has started, so it lives. */
  seen(token: number): void {
    const adopted = this.byToken.get(token);
    if (adopted) adopted.seenAlive = true;
  }

  ended(token: number): void {
    this.byToken.delete(token);
  }

  /** At the start of a transaction: what others have doomed and taken over until now. */
  begin(state: State): void {
    const doomed = new Set<number>();
    for (const live of state.live.values()) if (live.doom) doomed.add(live.token);
    this.doomedBefore = doomed;
    for (const adopted of this.byToken.values()) {
      if (runOf(state, adopted.plan) !== adopted.under) adopted.takenOver = true;
    }
  }

  /** At its end: what was doomed in it was doomed by us. */
  noteDoomed(state: State): void {
    for (const [token, adopted] of this.byToken) {
      if (state.live.get(token)?.doom && !this.doomedBefore.has(token)) adopted.doomedHere = true;
    }
  }

  /** False for what may be dead already, or is for another runner to judge. */
  attends(token: number): boolean {
    const adopted = this.byToken.get(token);
    return adopted === undefined || (adopted.seenAlive && !adopted.takenOver);
  }

  /** Somebody else wanted it dead and may have killed it: its exit code proves nothing. */
  isSuspect(token: number): boolean {
    const adopted = this.byToken.get(token);
    if (adopted === undefined || !this.doomedBefore.has(token)) return false;
    return adopted.takenOver || !adopted.doomedHere;
  }
}

const runOf = (state: State, plan: LiveAttempt['plan']) => state.plans.get(plan)!.run?.run;
