// The wait-for graph in the format asked for; Mermaid and Graphviz are written here. Locks are rounder than their holders, queue
// order is dashed, a cycle is red.
import { impossible } from '../../core/model/impossible.ts';
import type { GraphFormat } from '../reports/graph.ts';
import type { WaitReport } from '../reports/locks.ts';
import { dotText } from './draw-dot.ts';
import { mermaidText } from './draw-mermaid.ts';
import { drawWaitsSvg } from './draw-waits-svg.ts';
import { statusLooks } from './picture-style.ts';
import { type WaitBox, type WaitLine, waitPicture, waitWords } from './wait-picture.ts';
import { waitLooks } from './wait-style.ts';

const words: Record<WaitLine['kind'], string> = { waits: 'waits for', held: 'held by', behind: 'in line behind' };
const red = statusLooks.failed.light.line;

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

function drawWaitsMermaid(report: WaitReport): string {
  const { boxes, lines } = waitPicture(report);
  const names = new Map(boxes.map(({ id }, i) => [id, `n${i}`]));
  const text = ['flowchart BT'];
  if (boxes.length === 0) text.push(`  none["${mermaidText(waitWords(report))}"]`);
  for (const box of boxes) {
    const label = [`<b>${mermaidText(box.name)}</b>`, ...box.remarks.map(mermaidText)].join('<br/>');
    const shape = box.kind === 'lock' ? `(["${label}"])` : `["${label}"]`;
    text.push(`  ${names.get(box.id)}${shape}:::${lookOf(box)}`);
  }
  for (const { from, to, kind } of lines) {
    const arrow = kind === 'behind' ? '-.->' : '-->';
    text.push(`  ${names.get(from)} ${arrow}|${words[kind]}| ${names.get(to)}`);
  }
  const cycle = lines.flatMap(({ inCycle }, i) => (inCycle ? [i] : []));
  if (cycle.length > 0) text.push(`  linkStyle ${cycle.join(',')} stroke:${red},stroke-width:2px`);
  for (const look of new Set(boxes.map(lookOf))) {
    const { fill, line } = waitLooks[look].light;
    text.push(`  classDef ${look} fill:${fill},stroke:${line},color:#1f2328`);
  }
  return `${text.join('\n')}\n`;
}

function drawWaitsDot(report: WaitReport): string {
  const { boxes, lines } = waitPicture(report);
  const names = new Map(boxes.map(({ id }, i) => [id, `n${i}`]));
  const text = [
    'digraph waits {',
    `  label=${dotText(`Who waits for whom\n${waitWords(report)}`)}; labelloc=t; rankdir=BT; fontname="Helvetica";`,
    '  node [shape=box, style="rounded,filled", fontname="Helvetica", fontsize=11];',
    '  edge [color="#7d8894", fontname="Helvetica", fontsize=9];',
  ];
  for (const box of boxes) {
    const { fill, line } = waitLooks[lookOf(box)].light;
    const shape = box.kind === 'lock' ? ', shape=ellipse, style=filled' : '';
    const label = dotText([box.name, ...box.remarks].join('\n'));
    text.push(`  ${names.get(box.id)} [label=${label}, fillcolor="${fill}", color="${line}"${shape}];`);
  }
  for (const { from, to, kind, inCycle } of lines) {
    const style = `${kind === 'behind' ? ', style=dashed' : ''}${inCycle ? `, color="${red}", penwidth=2` : ''}`;
    text.push(`  ${names.get(from)} -> ${names.get(to)} [label="${words[kind]}"${style}];`);
  }
  return `${text.join('\n')}\n}\n`;
}

const lookOf = ({ kind, inCycle }: WaitBox) => (inCycle ? 'cycle' : kind);
