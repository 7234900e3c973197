// Numbers from the command line: a whole one, not below the least allowed, or an amount of money; anything else is refused.
import { Refusal } from '../../api/refusal.ts';

export function wholeNumber(text: string, what: string, least: number): number {
  const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= least) return number;
  throw new Refusal(2, `${what} must be a whole number, ${least} or more, not "${text}"`);
}

export function amountOf(text: string, what: string): number {
  if (/^\d{1,9}(?:\.\d{1,6})?$/.test(text)) return Number(text);
  throw new Refusal(2, `${what} must be an amount such as 5 or 2.50, not "${text}"`);
}
