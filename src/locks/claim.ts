// One pattern without braces, cut into segments. A plain path claims itself and everything below it: a folder must not be moved or
// rewritten while a file in it is in use. A pattern claims only what it matches.
import { ANY, type Sign, STAR, spell } from './signs.ts';

/** A name, or a pattern for names. */
export interface NameSegment {
  /** The name itself; null for a pattern. */
  readonly name: string | null;
  readonly signs: Int32Array;
}

/** `**`: any number of segments, also none. */
export const anyDepth: unique symbol = Symbol('**');

export type Segment = NameSegment | typeof anyDepth;

export class Claim {
  /** The canonical spelling. */
  readonly key: string;
  /** The names before the first wildcard: all of a plain path. */
  readonly literal: readonly string[];
  /** From the first segment with a wildcard on; empty for a plain path. */
  readonly wild: readonly Segment[];
  private compiled: readonly Segment[] | null = null;

  constructor(key: string, literal: readonly string[], wild: readonly Segment[]) {
    this.key = key;
    this.literal = literal;
    this.wild = wild;
  }

  /** All that it claims, as one pattern. */
  get segments(): readonly Segment[] {
    this.compiled ??= [
      ...this.literal.map((name) => ({ name, signs: pointsOf(name) })),
      ...(this.wild.length === 0 && !looksLikeFile(this.literal.at(-1)!) ? [anyDepth] : this.wild),
    ] as readonly Segment[];
    return this.compiled;
  }
}

/**
 * A guess, because this layer sees no files. Without it, `**` + `/*.css` would conflict with `src/a.ts`, which could be a folder with
 * styles in it. A key that lies below such a path proves a folder, and overrides the guess.
 */
const looksLikeFile = (name: string): boolean => name.lastIndexOf('.') > 0;

/** Nearly every key: canonical as it is, without a sign or a detour. */
export const isPlain = (text: string): boolean =>
  /^[^\\*?{}~]*$/.test(text) && !/(?:^|\/)(?:\.{0,2})(?:\/|$)/.test(text);

export const plainClaim = (text: string): Claim => new Claim(text, text.split('/'), []);

/** Or the problem. */
export function claimOf(signs: readonly Sign[]): Claim | string {
  if (signs.length === 0) return 'has an alternative that is empty';
  const literal: string[] = [];
  const wild: Segment[] = [];
  for (const part of partsOf(signs)) {
    const segment = segmentOf(part);
    if (segment !== anyDepth && (segment.name === '' || segment.name === '.')) continue;
    if (segment !== anyDepth && segment.name === '..') {
      if (wild.length > 0) return 'has a `..` behind a wildcard';
      if (literal.pop() === undefined) return 'is outside the workspace';
    } else if (segment !== anyDepth && segment.name !== null && wild.length === 0) {
      literal.push(segment.name);
    } else if (segment !== anyDepth || wild.at(-1) !== anyDepth) {
      wild.push(segment);
    }
  }
  const isFolder = signs.at(-1) === slash || literal.length + wild.length === 0;
  if (isFolder && wild.at(-1) !== anyDepth) wild.push(anyDepth);
  const key = [...literal.map((name) => spell(pointsOf(name))), ...wild.map(spellSegment)].join('/');
  return new Claim(key.replace(/^~/, '\\~'), literal, wild);
}

const slash: Sign = 47;

function partsOf(signs: readonly Sign[]): Sign[][] {
  const parts: Sign[][] = [[]];
  for (const sign of signs) {
    if (sign === slash) parts.push([]);
    else parts.at(-1)!.push(sign);
  }
  return parts;
}

function segmentOf(signs: readonly Sign[]): Segment {
  if (signs.length > 1 && signs.every((sign) => sign === STAR)) return anyDepth;
  const isPattern = signs.some((sign) => sign === STAR || sign === ANY);
  if (!isPattern) return { name: String.fromCodePoint(...signs), signs: Int32Array.from(signs) };
  // Two stars beside something else are one.
  return { name: null, signs: Int32Array.from(signs.filter((sign, i) => sign !== STAR || signs[i - 1] !== STAR)) };
}

const pointsOf = (name: string) => Int32Array.from(name, (c) => c.codePointAt(0)!);

const spellSegment = (segment: Segment) => (segment === anyDepth ? '**' : spell(segment.signs));
