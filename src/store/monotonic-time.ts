// Milliseconds that never go backwards, from an unknown start. `performance` would say the same, but is not loaded yet when a
// small command starts, and takes 2 ms.
export function monotonicMs(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1000 + nanoseconds / 1e6;
}
