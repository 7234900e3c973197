// How the bench prints: what was measured on the left, ratios on the right. Absolute times mean little on a shared machine.

export const median = (numbers) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];

export function row(what, text) {
  console.log(`${what.padEnd(48)} ${text}`);
}
