// Whether the hooks of an attempt reach us: proven by the first call that came as far as its tool. Programs that run no hooks do not say
// so. A call that was refused before that proves nothing: programs look at the form of a call, and at their own permissions, before any
// hook.
import type { HookForms } from '../../agents/hooks/hook-call.ts';
import type { AgentEvent } from '../../agents/stream/agent-event.ts';

const mostCalls = 1_000;

export class HookProof {
  readonly #forms: HookForms;
  readonly #wasSeen: () => boolean;
  /** That should reach the hook, and have not returned. */
  readonly #calls = new Set<string>();
  /** Commands of which nobody knows that they did not run, by call: the tool. */
  readonly #commands = new Map<string, string>();
  readonly #denied = new Set<string>();
  #isProven: boolean | null = null;

  /** @param wasSeen whether a hook of the attempt has reached us */
  constructor(forms: HookForms, wasSeen: () => boolean) {
    this.#forms = forms;
    this.#wasSeen = wasSeen;
  }

  /** True: it has just turned out that they do not. */
  isMissing(event: AgentEvent): boolean {
    if (this.#isProven !== null) return false;
    if (event.type === 'denied' && this.#denied.size < mostCalls) this.#denied.add(event.tool);
    if (event.type === 'called') this.#called(event);
    if (event.type !== 'returned' || !this.#calls.delete(event.id)) return false;
    if (event.ran === false) this.#commands.delete(event.id);
    if (!event.ok && event.ran !== true) return false;
    this.#isProven = this.#wasSeen();
    return !this.#isProven;
  }

  /** A hook of the attempt has reached us. */
  get wasSeen(): boolean {
    return this.#wasSeen();
  }

  /** At the end. A command may have written, also one that never returned. @param isDone it says that it did its work */
  hasFailed(isDone: boolean): boolean {
    if (this.#isProven !== null) return !this.#isProven;
    const mayHaveRun = [...this.#commands.values()].some((tool) => !this.#denied.has(tool));
    return isDone && mayHaveRun && !this.#wasSeen();
  }

  #called({ id, tool, isShell }: AgentEvent & { type: 'called' }): void {
    if (this.#calls.size >= mostCalls || !(this.#forms.reaching?.includes(tool) ?? true)) return;
    this.#calls.add(id);
    if (isShell && this.#commands.size < mostCalls) this.#commands.set(id, tool);
  }
}
