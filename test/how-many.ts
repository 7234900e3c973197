/** Of so many random cases `npm test` draws a quarter. `npm run prove -- properties`, which sets a seed, draws all. */
export const howMany = (all: number): number => (process.env.FC_SEED === undefined ? Math.ceil(all / 4) : all);

/** Of a list of cases that prove one kind of thing `npm test` takes every third; the campaign about them takes all. */
export const someOf = <T>(all: readonly T[]): readonly T[] =>
  process.env.SIGNALBOX_LONG === undefined ? all.filter((_, i) => i % 3 === 0) : all;
