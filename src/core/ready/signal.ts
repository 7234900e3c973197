// The signal of a node to its dependents, and the meaning of each kind of edge.
//
//   leaf                         signal                    edge      waits while     is bad when
//   pending, in progress         0                         NEED      nothing yet     BAD
//   completed, treated as done   ENDED GOOD                START     nothing yet     BAD
//   skipped                      ENDED BAD SKIPPED         PREFER    not ENDED       never
//   failed, suspended, blocked   ENDED BAD                 BARRIER   not ENDED       BAD, neither SKIPPED nor optional
//                                                          MEMBER    not ENDED       BAD
//                                                          EXTRA     not ENDED       never
//
// A node that depends on something bad is itself bad until that is repaired; a pending leaf is then *blocked*.
import { BARRIER, EXTRA, NEED, PREFER, START } from './graph.ts';

export const ENDED = 1;
export const GOOD = 2;
export const BAD = 4;
export const SKIPPED = 8;

/** 1 if an edge of this kind still waits for a node with this signal. */
export function waits(kind: number, signal: number): number {
  const arrived = kind === NEED || kind === START ? GOOD | BAD : ENDED;
  return (signal & arrived) === 0 ? 1 : 0;
}

/** 1 if an edge of this kind to a node with this signal can never be satisfied as things stand. */
export function spoils(kind: number, signal: number, optional: number): number {
  if ((signal & BAD) === 0 || kind === PREFER || kind === EXTRA) return 0;
  if (kind === BARRIER) return optional || signal & SKIPPED ? 0 : 1;
  return 1;
}
