/** Made at its first use: most processes need a few of a store's statements, and each takes its time. */
export function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
