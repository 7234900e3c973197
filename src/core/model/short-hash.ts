// A short name for a text, the same wherever it is computed.

/** FNV-1a in two lanes: enough to tell a few thousand texts apart; no protection against an attacker. */
export function shortHash(text: string): string {
  let low = 0x811c9dc5;
  let high = 0x1b873593;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    low = Math.imul(low ^ code, 0x01000193);
    high = Math.imul(high ^ code, 0x85ebca6b);
  }
  return (low >>> 0).toString(16).padStart(8, '0') + (high >>> 0).toString(16).padStart(8, '0');
}
