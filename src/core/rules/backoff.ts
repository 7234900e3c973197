// How long a task waits before it is tried again.

const firstMs = 1_000;
const mostMs = 300_000;

/** Doubles from one second to five minutes, ±20 %. */
export const backoffMs = (attempt: string, nth: number): number =>
  jittered(Math.min(firstMs * 2 ** (nth - 1), mostMs), attempt);

/** ±20 %, by a hash of the attempt: the same wherever it is computed. */
export const jittered = (ms: number, attempt: string): number => Math.round(ms * (0.8 + 0.4 * hashToUnit(attempt)));

/** From 0 up to `mostMs`, by a hash of the text. */
export const spreadMs = (mostMs: number, text: string): number => Math.floor(mostMs * hashToUnit(text));

/** FNV-1a, scaled to 0 … 1. */
function hashToUnit(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return (hash >>> 0) / 0x1_0000_0000;
}
