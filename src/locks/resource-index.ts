// Finds the entries that overlap a resource without comparing all: names in a table, files in a tree of folders. A pattern is filed under
// the folder before its first wildcard, so a search meets only filings on its own path and below it.
import type { Claim } from './claim.ts';
import { claimsOverlap } from './overlap.ts';
import type { Resource } from './resource.ts';

interface Filing<E> {
  readonly claim: Claim;
  readonly entry: E;
}

/** Made on demand, because most nodes are leaves with one filing. */
interface Folder<E> {
  children: Map<string, Folder<E>> | null;
  filings: Filing<E>[];
}

export class ResourceIndex<E> {
  private readonly named = new Map<string, E[]>();
  private readonly root: Folder<E> = { children: null, filings: [] };
  /** How many filings were compared so far, as a measure of cost. */
  tested = 0;

  /** An entry may be filed under many resources. */
  add(resource: Resource, entry: E): void {
    if (resource.kind === 'named') {
      const entries = this.named.get(resource.key);
      if (entries === undefined) this.named.set(resource.key, [entry]);
      else entries.push(entry);
      return;
    }
    for (const claim of resource.claims) {
      let folder = this.root;
      for (const name of claim.literal) {
        folder.children ??= new Map();
        let child = folder.children.get(name);
        if (child === undefined) {
          child = { children: null, filings: [] };
          folder.children.set(name, child);
        }
        folder = child;
      }
      folder.filings.push({ claim, entry });
    }
  }

  /** Undoes `add` with the same arguments. */
  remove(resource: Resource, entry: E): void {
    if (resource.kind === 'named') {
      const rest = (this.named.get(resource.key) ?? []).filter((other) => other !== entry);
      if (rest.length === 0) this.named.delete(resource.key);
      else this.named.set(resource.key, rest);
      return;
    }
    for (const claim of resource.claims) this.removeClaim(claim, entry);
  }

  /** Every entry that overlaps, each once, in no particular order. Lazy: a caller that needs one pays for one. */
  *overlapping(resource: Resource): Generator<E> {
    if (resource.kind === 'named') {
      yield* new Set(this.named.get(resource.key));
      return;
    }
    const seen = new Set<E>();
    for (const claim of resource.claims) {
      for (const entry of this.meeting(claim)) {
        if (!seen.has(entry)) yield entry;
        seen.add(entry);
      }
    }
  }

  private *meeting(claim: Claim): Generator<E> {
    let folder = this.root;
    for (const name of claim.literal) {
      yield* this.matching(folder, claim);
      const child = folder.children?.get(name);
      if (child === undefined) return;
      folder = child;
    }
    const below = [folder];
    for (let next = below.pop(); next !== undefined; next = below.pop()) {
      yield* this.matching(next, claim);
      for (const child of next.children?.values() ?? []) below.push(child);
    }
  }

  private *matching({ filings }: Folder<E>, claim: Claim): Generator<E> {
    this.tested += filings.length;
    for (const filing of filings) if (claimsOverlap(claim, filing.claim)) yield filing.entry;
  }

  private removeClaim(claim: Claim, entry: E): void {
    const way = [this.root];
    for (const name of claim.literal) {
      const child = way.at(-1)!.children?.get(name);
      if (child === undefined) return;
      way.push(child);
    }
    const last = way.at(-1)!;
    last.filings = last.filings.filter((filing) => filing.entry !== entry || filing.claim.key !== claim.key);
    for (let depth = claim.literal.length; depth > 0; depth--) {
      const { children, filings } = way[depth]!;
      if (children || filings.length > 0) return;
      const above = way[depth - 1]!;
      above.children!.delete(claim.literal[depth - 1]!);
      if (above.children!.size === 0) above.children = null;
    }
  }

  /** Whether nothing is filed, and no empty folders are left. */
  get isEmpty(): boolean {
    return this.named.size === 0 && this.root.children === null && this.root.filings.length === 0;
  }
}
