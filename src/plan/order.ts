// What holds beside the named needs: what the plan says, else the first reading that fits it.
import type { Plan } from '../core/plan.ts';
import type { RawPlan } from './raw-plan.ts';
import type { Report } from './report.ts';

export type Order = Plan['order'];

export interface OrderReading {
  readonly order: Order;
  /** Present when the plan did not say it. */
  readonly assumed?: Order;
}

export function readOrder(raw: RawPlan, report: Report): OrderReading {
  const said = raw.top.order;
  if (said) return { order: said.value as Order };
  const assumed = inferOrder(raw);
  if (assumed === 'explicit' && raw.saysPhase) {
    report.warning({
      code: 'assumed-order',
      message:
        'a heading says "Phase", but phases do not wait for each other: tasks name needs, so `order: explicit` is assumed',
      ...raw.saysPhase,
      help: 'write `order: explicit` or `order: phases` in the front matter',
    });
  }
  if (assumed === 'phases' && raw.headed && hasNeighbours(raw)) {
    report.warning({
      code: 'assumed-order',
      message: 'these tasks name no needs, so those of one phase may run side by side: `order: phases` is assumed',
      ...raw.headed,
      help: 'write `order: sequential` in the front matter if each builds on the one before, or `order: phases`',
    });
  }
  return { order: assumed, assumed };
}

/** A phase with more than one task. */
const hasNeighbours = ({ tasks }: RawPlan): boolean => new Set(tasks.map(({ phase }) => phase)).size < tasks.length;

function inferOrder(raw: RawPlan): Order {
  if (raw.specKit) return 'spec-kit';
  if (raw.kiro) return 'sequential';
  if (raw.batched) return 'phases';
  const named = raw.tasks.some((task) => task.references !== null && task.references.length > 0);
  return named ? 'explicit' : 'phases';
}
