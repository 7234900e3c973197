// A whole number from the command line, not below the least allowed; anything else is refused.
import { Refusal } from '../../api/refusal.ts';

export function wholeNumber(text: string, what: string, least: number): number {
  const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= least) return number;
  throw new Refusal(2, `${what} must be a whole number, ${least} or more, not "${text}"`);
}
