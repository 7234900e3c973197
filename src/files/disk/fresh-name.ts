// A name that nobody else gives, for files of ours in folders of ours. Random bytes of `node:crypto` would be as good, and loading it takes
// 10 ms of every hook.
export const freshName = (): string => `${process.pid}-${Math.random().toString(36).slice(2)}`;
