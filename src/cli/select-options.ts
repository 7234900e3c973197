import type { SelectOptions } from '../api/signalbox.ts';
import type { Flags } from './request.ts';

/** What `run` was told about how much of the plan, and how much at once. */
export function selectOptions({ maxParallel, only, from }: Flags): SelectOptions {
  return {
    ...(maxParallel === undefined ? {} : { maxParallel }),
    ...(only === undefined ? {} : { only }),
    ...(from === undefined ? {} : { from }),
  };
}
