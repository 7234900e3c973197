// The resource of a lock. A key is a path inside the workspace (`src/a.ts`), a glob (`src/**`, `*.{ts,js}`), or the name of something
// else (`db:test`, `port:5432`). Parsing is purely textual: links are resolved elsewhere, before this.
//
//   a/../b.ts   → b.ts             src/   → src/**: a folder with everything in it
//   \*          a literal star; a backslash before anything but a sign is refused: it is not a separator
//
// A resource is parsed once and compared often: data for comparing is made on first use and kept.
import { type Claim, claimOf, isPlain, plainClaim } from './claim.ts';
import { expandBraces, signsOf } from './signs.ts';

export type Resource = NamedResource | FileResource;

export interface NamedResource {
  readonly kind: 'named';
  readonly key: string;
}

export interface FileResource {
  readonly kind: 'path' | 'glob';
  /** The canonical spelling: parses to the same resource. */
  readonly key: string;
  /** One for each alternative of its braces, and at least one. */
  readonly claims: readonly Claim[];
}

export type ResourceReading =
  | { readonly ok: true; readonly resource: Resource }
  | { readonly ok: false; readonly problem: string };

/** The longest path of the supported systems. */
const longestKey = 4096;

/** The problem continues a sentence that begins with the key. */
export function parseResource(text: string): ResourceReading {
  if (text.trim() === '') return refused('is empty');
  if (text.length > longestKey) return refused(`is longer than ${longestKey} characters`);
  if (control.test(text)) return refused('has a control character in it');
  if (absolute.test(text)) return refused('is absolute: paths start at the root of the workspace');
  if (/^~(?:\/|$)/.test(text)) return refused('starts in a home folder: paths start at the root of the workspace');
  if (named.test(text)) return { ok: true, resource: { kind: 'named', key: text } };
  if (isPlain(text)) return fileResource([plainClaim(text)]);
  const read = signsOf(text);
  if (typeof read === 'string') return refused(read);
  const spellings = expandBraces(read);
  if (typeof spellings === 'string') return refused(spellings);
  return fileResource(spellings.map(claimOf));
}

const refused = (problem: string): ResourceReading => ({ ok: false, problem });

const control = /[\u0000-\u001f\u007f]/;
const absolute = /^(?:\/|[A-Za-z]:[\\/])/;
const named = /^[a-z][a-z0-9_-]*:./;

/** Each a claim, or what is wrong with it. */
function fileResource(read: readonly (Claim | string)[]): ResourceReading {
  const claims = new Map<string, Claim>();
  for (const claim of read) {
    if (typeof claim === 'string') return refused(claim);
    claims.set(claim.key, claim);
  }
  const all = [...claims.values()];
  const kind = all.length === 1 && all[0]!.wild.length === 0 ? 'path' : 'glob';
  const key = all.length === 1 ? all[0]!.key : `{${[...claims.keys()].map(inBraces).join(',')}}`;
  // `./` tells a file from a named resource.
  return { ok: true, resource: { kind, key: /^[A-Za-z][\w-]*:/.test(key) ? `./${key}` : key, claims: all } };
}

/** A comma separates alternatives in braces, so a comma in a name is escaped. */
const inBraces = (key: string) => key.replaceAll(',', '\\,');
