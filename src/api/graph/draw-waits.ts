// The wait-for graph in the format asked for.
import { impossible } from '../../core/impossible.ts';
import type { WaitReport } from '../locks/lock-reports.ts';
import type { GraphFormat } from '../signalbox.ts';
import { drawWaitsSvg } from './draw-waits-svg.ts';
import { drawWaitsDot, drawWaitsMermaid } from './draw-waits-text.ts';

export function drawWaits(report: WaitReport, format: GraphFormat): string {
  switch (format) {
    case 'mermaid':
      return drawWaitsMermaid(report);
    case 'dot':
      return drawWaitsDot(report);
    case 'svg':
      return drawWaitsSvg(report);
    default:
      return impossible(format);
  }
}
