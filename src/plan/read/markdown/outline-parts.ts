// What the outline of a markdown plan is made of.
import type { Place } from '../../diagnostics/report.ts';
import type { Attribute } from './attribute.ts';
import type { Criteria } from './headings.ts';

/** A line without its line end. `indent` counts columns, `from` is where its text starts. */
export interface Line {
  readonly number: number;
  readonly raw: string;
  readonly indent: number;
  readonly from: number;
}

export interface Item {
  readonly indent: number;
  /** The task it is, or is inside of; -1 for none. */
  readonly task: number;
  /** What lines inside it add to. */
  readonly attribute: Attribute | null;
  /** Boxes inside it are no tasks. */
  criteria: Criteria | null;
}

export interface Block {
  readonly info: string;
  readonly content: string;
  /** With its fences, as it is shown to an agent. */
  readonly shown: readonly string[];
  readonly indent: number;
  readonly at: Place;
}
