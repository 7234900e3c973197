// Compiled by `npm run check`, never run: what the library is has to be what its written types say, name by name.
import type * as built from '../../src/main/library.ts';
import type * as written from '../../types/library.d.ts';

type Built = typeof built;
type Written = typeof written;

/** Fails to compile unless every written function can be called as it is written. */
type Agrees<B extends W, W> = [B, W];
type Functions<T> = { [K in keyof T as T[K] extends abstract new (...args: never) => unknown ? never : K]: T[K] };

export type Checked = [
  Agrees<Functions<Built>, Functions<Written>>,
  Agrees<InstanceType<Built['WaitForGraph']>, InstanceType<Written['WaitForGraph']>>,
  Agrees<InstanceType<Built['Refusal']>, InstanceType<Written['Refusal']>>,
  Agrees<InstanceType<Built['Outage']>, InstanceType<Written['Outage']>>,
  // And nothing is exported that is not written down.
  Agrees<Record<keyof Written, 1>, Record<keyof Built, 1>>,
];
