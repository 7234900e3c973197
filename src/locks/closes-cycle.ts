export function closesCycle(edges: Iterable<readonly [string, string]>, from: string, to: string): boolean {
  const next = new Map<string, string[]>();
  for (const [a, b] of edges) {
    const l = next.get(a);
    if (l) l.push(b);
    else next.set(a, [b]);
  }
  const seen = new Set([to]);
  const stack = [to];
  for (let n = stack.pop(); n !== undefined; n = stack.pop()) {
    if (n === from) return true;
    for (const m of next.get(n) ?? [])
      if (!seen.has(m)) {
        seen.add(m);
        stack.push(m);
      }
  }
  return false;
}
