// Closes a switch over a union: the compiler proves that it is never reached. If a foreign log gets here anyway, the process dies with
// a message instead of going on with half a state.

export function impossible(value: never): never {
  throw new Error(`impossible: ${JSON.stringify(value)}`);
}
