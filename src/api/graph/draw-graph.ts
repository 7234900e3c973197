// A picture of a plan in the format asked for.
import { resolve } from 'node:path';
import { impossible } from '../../core/model/impossible.ts';
import { Refusal } from '../refusal.ts';
import type { GraphFormat, GraphReport } from '../reports/graph.ts';
import { drawDot } from './draw-dot.ts';
import { drawMermaid } from './draw-mermaid.ts';
import { drawSvg } from './draw-svg.ts';
import { foldGraph } from './fold-graph.ts';
import { writePicture } from './write-picture.ts';

/** More boxes than anybody could read, or a browser show. */
const mostBoxes = 5_000;

export function drawGraph(report: GraphReport, format: GraphFormat): { text: string; folded: number } {
  if (format === 'dot') return { text: drawDot(report, { ...report, folded: 0 }), folded: 0 };
  const graph = foldGraph(report);
  if (graph.nodes.length > mostBoxes) {
    throw new Refusal(2, `a picture of ${report.plan} would have ${graph.nodes.length} boxes, too many to read`, {
      instead: 'give the tasks phases or groups (each is drawn as one box), or use --format dot or --json',
    });
  }
  const { folded } = graph;
  switch (format) {
    case 'mermaid':
      return { text: drawMermaid(report, graph), folded };
    case 'svg':
      return { text: drawSvg(report, graph), folded };
    default:
      return impossible(format);
  }
}

/** The report with the picture, which is also written where that was asked for. */
export function pictured(
  report: GraphReport,
  { format, out, cwd }: { readonly format: GraphFormat; readonly out?: string | undefined; readonly cwd: string },
): GraphReport {
  const { text, folded } = drawGraph(report, format);
  if (out !== undefined) writePicture(resolve(cwd, out), text);
  return { ...report, picture: { format, text, file: out ?? null, folded } };
}
