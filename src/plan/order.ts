// What holds beside the named needs: what the plan says, else the first reading that fits it.
import type { Plan } from '../core/plan.ts';
import { quoted } from './diagnostic.ts';
import type { RawPlan } from './raw-plan.ts';
import type { Place, Report } from './report.ts';

/** Every order that the contract knows; this version runs two of them. */
export type Order = Plan['order'] | 'spec-kit' | 'sequential';

export interface OrderReading {
  /** Null when it is one that this version does not run. */
  readonly order: Plan['order'] | null;
  /** Present when the plan did not say it. */
  readonly assumed?: Order;
}

export function readOrder(raw: RawPlan, report: Report): OrderReading {
  const said = raw.top.order;
  const { order, at } = said ? { order: said.value as Order, at: said.at } : inferOrder(raw);
  const assumed = said ? {} : { assumed: order };
  if (order === 'spec-kit' || order === 'sequential') {
    report.error({
      code: 'order-not-supported',
      message: `${said ? '' : 'this plan looks like one of '}${said ? quoted(order) : makers[order]}${said ? ' is an order that this version does not run' : `, whose order ${quoted(order)} this version does not run`}`,
      ...at,
      help: 'this version reads `order: explicit` (only named needs hold) and `order: phases` (a phase waits for the one before)',
    });
    return { order: null, ...assumed };
  }
  if (!said && order === 'explicit' && raw.saysPhase) {
    report.warning({
      code: 'assumed-order',
      message:
        'a heading says "Phase", but phases do not wait for each other: tasks name needs, so `order: explicit` is assumed',
      ...raw.saysPhase,
      help: 'write `order: explicit` or `order: phases` in the front matter',
    });
  }
  return { order, ...assumed };
}

const makers = { 'spec-kit': 'spec-kit', sequential: 'Kiro' } as const;

function inferOrder(raw: RawPlan): { order: Order; at: Place } {
  const start = { line: 1, column: 1 };
  if (raw.specKit) return { order: 'spec-kit', at: raw.specKit };
  if (raw.kiro) return { order: 'sequential', at: raw.kiro };
  const named = raw.tasks.some((task) => task.references !== null && task.references.length > 0);
  return { order: named ? 'explicit' : 'phases', at: start };
}
