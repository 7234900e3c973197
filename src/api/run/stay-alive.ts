// Keeps the process alive while somebody waits: the store's watchers do not, because most commands must not wait for them.

const longMs = 2 ** 30;

export function stayAlive(): () => void {
  const timer = setInterval(() => undefined, longMs);
  return () => clearInterval(timer);
}
