// Whether a plan needs the approval of a person before anything of it runs: one that an agent wrote does. It is known by its content,
// wherever it lies. Where it was written, it is also known after an edit, while one of its orders is still in it.
//
//   the same text was approved                                  approved
//   the same text was written by an agent                       unapproved
//   another text, with an order that nobody has approved here   unapproved
//   anything else                                               own
//
// So an approved plan stays a person's, whoever formats, ticks or edits it; and a new title makes no unapproved command run.

/** A text that an agent wrote, or that a person has approved. */
export interface AgentWork {
  /** See `planOrders`. */
  readonly orders: readonly string[];
  readonly isApproved: boolean;
}

export type PlanStanding = 'own' | 'approved' | 'unapproved';

export interface KnownWork {
  /** The same text, wherever it was written. */
  readonly same: AgentWork | null;
  /** Every text that was recorded under the name of the plan. */
  readonly here: readonly AgentWork[];
}

/** @param orders of the plan as it is now */
export function planStanding(orders: readonly string[], { same, here }: KnownWork): PlanStanding {
  if (same) return same.isApproved ? 'approved' : 'unapproved';
  const approved = new Set(here.filter((work) => work.isApproved).flatMap((work) => work.orders));
  const open = new Set(here.filter((work) => !work.isApproved).flatMap((work) => work.orders));
  return orders.some((order) => open.has(order) && !approved.has(order)) ? 'unapproved' : 'own';
}
