// What holds beside the named needs: what the plan says, else the first reading that fits it.
import type { Plan } from '../../core/model/plan.ts';
import type { Report } from '../diagnostics/report.ts';
import type { RawPlan } from '../read/raw-plan.ts';

export type Order = Plan['order'];

interface OrderReading {
  readonly order: Order;
  /** Present when the plan did not say it. */
  readonly assumed?: Order;
}

/** What it is told by. */
interface OrderSigns extends Pick<RawPlan, 'top' | 'specKit' | 'kiro' | 'batched' | 'saysPhase' | 'headed'> {
  readonly tasks: readonly { readonly phase: number }[];
  /** Some task names another. */
  readonly named: boolean;
}

export function readOrder(raw: OrderSigns, report: Report): OrderReading {
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
const hasNeighbours = ({ tasks }: OrderSigns): boolean => new Set(tasks.map(({ phase }) => phase)).size < tasks.length;

function inferOrder(raw: OrderSigns): Order {
  if (raw.specKit) return 'spec-kit';
  if (raw.kiro) return 'sequential';
  if (raw.batched) return 'phases';
  return raw.named ? 'explicit' : 'phases';
}
