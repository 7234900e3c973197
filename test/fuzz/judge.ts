// One input, judged: what every reader must hold to, whatever it is given.
import type { Target } from './targets.ts';

export interface Limits {
  readonly ms: number;
}

/** What is wrong, or null. */
export function judge({ complain }: Pick<Target, 'complain'>, text: string, { ms }: Limits): string | null {
  const complaint = tryOut(complain, text);
  if (complaint.wrong !== null || complaint.ms <= ms) return complaint.wrong;
  // A busy machine is not the reader's fault: the fastest of three counts.
  const fastest = Math.min(tryOut(complain, text).ms, tryOut(complain, text).ms);
  return fastest <= ms ? null : `took ${Math.round(fastest)} ms for ${text.length} characters`;
}

function tryOut(complain: Target['complain'], text: string): { wrong: string | null; ms: number } {
  const before = Object.getOwnPropertyNames(Object.prototype).length;
  const start = performance.now();
  const used = process.cpuUsage();
  let wrong: string | null;
  try {
    wrong = complain(text);
  } catch (error) {
    wrong = `threw ${error instanceof Error ? error.stack : String(error)}`;
  }
  const { user, system } = process.cpuUsage(used);
  // While other processes have the cores, the clock runs on without the reader.
  const ms = Math.min(performance.now() - start, (user + system) / 1_000);
  const isPolluted =
    ({} as { polluted?: unknown }).polluted !== undefined ||
    Object.getOwnPropertyNames(Object.prototype).length !== before ||
    Object.keys(Object.prototype).length > 0;
  return { wrong: wrong ?? (isPolluted ? 'the prototype of all objects was changed' : null), ms };
}
