// A number that a person typed: whole and not below the least allowed, or a clear no.
import { Refusal } from '../api/refusal.ts';

export function wholeNumber(text: string, what: string, least: number): number {
  const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= least) return number;
  throw new Refusal(2, `${what} must be a whole number, ${least} or more, and not "${text}"`);
}
