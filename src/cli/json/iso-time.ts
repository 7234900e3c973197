// Milliseconds since 1970 as the ISO string that every time in `--json` is.

export const isoTime = (ms: number): string => new Date(ms).toISOString();
