// A decision as programs read it: its times as text.
import type { OpenDecision } from '../../core/model/decision.ts';
import { isoTime } from './iso-time.ts';

export function decisionJson({ id, openedAt, deadline, ...rest }: OpenDecision): object {
  return {
    id,
    openedAt: isoTime(openedAt),
    ...rest,
    ...(deadline === undefined ? {} : { deadline: isoTime(deadline) }),
  };
}
