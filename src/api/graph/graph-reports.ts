// What is drawn, and the drawing.
import type { Status } from '../../core/state.ts';
import type { WaitReport } from '../locks/lock-reports.ts';

export type GraphFormat = 'mermaid' | 'dot' | 'svg';

export interface GraphOptions {
  readonly format?: GraphFormat;
  /** A file to write the picture to, relative to the current folder. */
  readonly out?: string;
}

export interface GraphReport {
  readonly plan: string;
  readonly title: string;
  /** `phases`: every phase waits for the one before, beside the edges. */
  readonly order: string;
  readonly phases: readonly string[];
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
  /** Null when no format was asked for. */
  readonly picture: GraphPicture | null;
}

export interface GraphNode {
  readonly id: string;
  readonly title: string;
  /** Index into `phases`. */
  readonly phase: number;
  /** The group around it. */
  readonly parent?: string;
  readonly group?: true;
  readonly optional?: true;
  readonly status: Status;
}

/** `to` waits for `from`. */
export interface GraphEdge {
  readonly from: string;
  readonly to: string;
  readonly kind: 'need' | 'preference';
}

export interface GraphPicture {
  readonly format: GraphFormat;
  readonly text: string;
  /** Where it was written; null when it was not. */
  readonly file: string | null;
  /** Groups and phases drawn as one box each, because the plan is too large to be read otherwise. */
  readonly folded: number;
}

export interface WaitGraphReport extends WaitReport {
  /** Null when no format was asked for. */
  readonly picture: Omit<GraphPicture, 'folded'> | null;
}
