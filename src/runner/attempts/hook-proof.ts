// Whether the hooks of an attempt reach us: proven by the first call that succeeded. Programs that run no hooks do not say so, and a call
// that failed may have failed before any hook.
import type { HookForms } from '../../agents/hooks/hook-call.ts';
import type { AgentEvent } from '../../agents/stream/agent-event.ts';

const mostCalls = 1_000;

export class HookProof {
  readonly #forms: HookForms;
  readonly #wasSeen: () => boolean;
  readonly #calls = new Set<string>();
  #isProven: boolean | null = null;

  /** @param wasSeen whether a hook of the attempt has reached us */
  constructor(forms: HookForms, wasSeen: () => boolean) {
    this.#forms = forms;
    this.#wasSeen = wasSeen;
  }

  /** True: it has just turned out that they do not. */
  isMissing(event: AgentEvent): boolean {
    if (this.#isProven !== null) return false;
    if (event.type === 'called' && (this.#forms.reaching?.includes(event.tool) ?? true)) {
      if (this.#calls.size < mostCalls) this.#calls.add(event.id);
    }
    if (event.type !== 'returned' || !event.ok || !this.#calls.has(event.id)) return false;
    this.#isProven = this.#wasSeen();
    return !this.#isProven;
  }

  get hasFailed(): boolean {
    return this.#isProven === false;
  }
}
