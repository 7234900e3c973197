// What changed outside of an attempt's tree, in events and in `why`.
import { described, list, maybe, object, one, text, yes } from './schema-words.ts';

export const incidents = described(
  list(
    object({
      kind: one('shared', 'wrote', 'checkout'),
      what: text,
      saved: maybe(described(text, 'The folder with what it was before and after.')),
      named: maybe(described(yes, 'What the attempt printed names the checkout, so it may well have done it.')),
      processes: maybe(described(list(text), 'Commands of its processes that worked in the checkout.')),
    }),
  ),
  "What changed outside of its tree while it worked; shared: configuration, hooks or stash; wrote: files of the person's checkout that it says it wrote; checkout: the person's own files, branch or index, which may be the person's own work.",
);
