// An array whose elements are made when they are first looked at, for those who look at a few of many: a command that asks about one
// task must not pay for 10,000. To everybody else it is an array like any other.

/** `make` never gives undefined. */
export function lateList<T extends object>(length: number, make: (i: number) => T): T[] {
  const made: (T | undefined)[] = new Array(length).fill(undefined);
  const at = (key: string | symbol): T | undefined => {
    const i = indexOf(key);
    if (i < 0 || i >= length || !Number.isInteger(i)) return undefined;
    const known = made[i];
    if (known !== undefined) return known;
    const fresh = make(i);
    made[i] = fresh;
    return fresh;
  };
  return new Proxy(made, {
    get: (target, key) => at(key) ?? Reflect.get(target, key),
    set: (target, key, value) => Reflect.set(target, key, value),
    getOwnPropertyDescriptor: (target, key) => {
      at(key);
      return Reflect.getOwnPropertyDescriptor(target, key);
    },
  }) as T[];
}

function indexOf(key: string | symbol): number {
  // Names of methods, which are asked for in between, begin with a letter.
  if (typeof key === 'symbol' || key.charCodeAt(0) > 57) return -1;
  return Number(key);
}
