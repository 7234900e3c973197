// Closes a switch over a union: the compiler proves that it is never reached, and if a log from outside brings us here all
// the same, the process dies with a word instead of going on with half a state.

export function impossible(value: never): never {
  throw new Error(`impossible: ${JSON.stringify(value)}`);
}
