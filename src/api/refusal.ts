// A clear no: the person's mistake or a state in which the command cannot be done. Carries the documented exit code, the way
// out, and, for plans and settings, every diagnostic at once. Never used for bugs or outages.
import type { Diagnostic } from '../plan/diagnostics/diagnostic.ts';

/** 2 usage · 3 plan or settings invalid · 4 waiting for a person · 7 agent missing or not usable · 8 already being run. */
export type RefusalCode = 2 | 3 | 4 | 7 | 8;

export class Refusal extends Error {
  readonly exitCode: RefusalCode;
  /** What to do instead. */
  readonly instead: string | undefined;
  readonly diagnostics: readonly Diagnostic[];

  constructor(
    exitCode: RefusalCode,
    message: string,
    more: { instead?: string; diagnostics?: readonly Diagnostic[] } = {},
  ) {
    super(message);
    this.name = 'Refusal';
    this.exitCode = exitCode;
    this.instead = more.instead;
    this.diagnostics = more.diagnostics ?? [];
  }
}
