// An array whose elements are made when they are first looked at, for those who look at a few of many: a command that asks about one
// task must not pay for 10,000, not even with a place for each. To everybody else it is an array like any other.

const made = Symbol('made');

/** What was looked at or put in so far, by place; null for an array that is not late. */
export function madeIn<T extends object>(list: readonly T[]): ReadonlyMap<number, T> | null {
  return (list as { readonly [made]?: ReadonlyMap<number, T> })[made] ?? null;
}

/** `make` never gives undefined. What is made, or put in its place, stays; nothing can be added or taken away. */
export function lateList<T extends object>(length: number, make: (i: number) => T): T[] {
  const known = new Map<number, T>();
  const isIn = (i: number) => i >= 0 && i < length && Number.isInteger(i);
  const at = (i: number): T => {
    const old = known.get(i);
    if (old !== undefined) return old;
    const fresh = make(i);
    known.set(i, fresh);
    return fresh;
  };
  return new Proxy([] as T[], {
    get: (target, key) => {
      if (key === 'length') return length;
      if (key === made) return known;
      const i = indexOf(key);
      return isIn(i) ? at(i) : Reflect.get(target, key);
    },
    set: (_, key, value) => {
      const i = indexOf(key);
      if (isIn(i)) known.set(i, value);
      return isIn(i);
    },
    has: (target, key) => isIn(indexOf(key)) || Reflect.has(target, key),
    ownKeys: () => [...Array.from({ length }, (_, i) => String(i)), 'length'],
    getOwnPropertyDescriptor: (target, key) => {
      const i = indexOf(key);
      if (!isIn(i)) return Reflect.getOwnPropertyDescriptor(target, key);
      return { value: at(i), writable: true, enumerable: true, configurable: true };
    },
  });
}

function indexOf(key: string | symbol): number {
  // Names of methods, which are asked for in between, begin with a letter.
  if (typeof key === 'symbol' || key.charCodeAt(0) > 57) return -1;
  return Number(key);
}
