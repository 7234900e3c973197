// A duration that was typed.
import { durationForm, readDuration } from '../plan/duration.ts';
import { Refusal } from './refusal.ts';

export function readLimit(text: string): number {
  const ms = readDuration(text);
  if (ms === null || ms === 0) throw new Refusal(2, `${JSON.stringify(text)} is not ${durationForm}`);
  return ms;
}
