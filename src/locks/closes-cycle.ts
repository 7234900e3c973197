// Whether one more need would close a cycle. A victim is made to wait for whoever it gave way to; if that one waits, by needs or by
// locks, for the victim, the new need would be a deadlock that no lock shows.

/** Whether `to` leads to `from` already, so that `from → to` would close a cycle. Everything waits for itself. */
export function closesCycle(edges: Iterable<readonly [string, string]>, from: string, to: string): boolean {
  const after = new Map<string, string[]>();
  for (const [one, other] of edges) {
    const others = after.get(one);
    if (others === undefined) after.set(one, [other]);
    else others.push(other);
  }
  const reached = new Set([to]);
  // A set that grows while it is gone through goes on with what was added.
  for (const one of reached) for (const other of after.get(one) ?? []) reached.add(other);
  return reached.has(from);
}
