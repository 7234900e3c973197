// Sessions in documents: `$ signalbox …`, what it printed, and `exit N`; then the next.
export interface TypedCommand {
  readonly typed: string;
  readonly printed: string;
  readonly exit: number;
}

export function commandsOf(session: string): TypedCommand[] {
  return [...session.matchAll(/^\$ signalbox (.*)\n([\s\S]*?)^exit (\d+)$(?=\n\$|\n*$(?![\s\S]))/gm)].map(
    ([, typed, printed, exit]) => ({ typed: typed!, printed: printed!, exit: Number(exit) }),
  );
}
