// What is drawn, and the drawing.
import { defined } from './defined.ts';
import { waits } from './locks.ts';
import { count, described, list, maybe, object, one, orNull, type Shown, text, texts, yes } from './schema-words.ts';
import { closes } from './status.ts';

export type GraphNode = Shown<typeof graphNode>;
const graphNode = object({
  id: text,
  title: text,
  phase: described(count, 'Index into `phases`.'),
  parent: maybe(described(text, 'The group around it.')),
  group: maybe(yes),
  optional: maybe(yes),
  closes,
  status: defined('status'),
});

export type GraphEdge = Shown<typeof graphEdge>;
const graphEdge = described(
  object({ from: text, to: text, kind: one('need', 'preference', 'order') }),
  '`to` waits for `from`: because the plan names it, or because of the order of the plan, of a sequence or of a closing task.',
);

export type GraphBarrier = Shown<typeof graphBarrier>;
const graphBarrier = described(
  object({ from: count, to: count }),
  'All of the phase `to` waits for all of the phase `from`; indices into `phases`.',
);

export type GraphFormat = Shown<typeof format>;
const format = one('mermaid', 'dot', 'svg');
const picture = { format, text, file: described(orNull(text), 'Where it was written; null when it was not.') };
const ifAsked = 'Null when no format was asked for.';

const graphPicture = object({
  ...picture,
  folded: described(
    count,
    'Groups and phases drawn as one box each, because the plan is too large to be read otherwise.',
  ),
});

export type GraphReport = Shown<typeof graphReport>;
export const graphReport = object({
  plan: text,
  title: text,
  order: text,
  phases: texts,
  nodes: list(graphNode),
  edges: list(graphEdge),
  barriers: list(graphBarrier),
  picture: described(orNull(graphPicture), ifAsked),
});

export type WaitGraphReport = Shown<typeof waitGraphReport>;
export const waitGraphReport = object({ ...waits, picture: described(orNull(object(picture)), ifAsked) });
