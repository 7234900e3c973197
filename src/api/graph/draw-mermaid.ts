// The plan as a Mermaid flowchart. Nodes have numbers for names, and every text is escaped: nothing that a plan contains can
// become Mermaid, HTML or a link.
import type { Status } from '../../core/state/state.ts';
import type { GraphEdge, GraphReport } from '../reports/graph.ts';
import { type FoldedGraph, type FoldedNode, isBarred } from './fold-graph.ts';
import { statusLooks, statusOrder } from './picture-style.ts';
import { plainLabel } from './picture-text.ts';

/** Mermaid's own limit. For a larger chart, the page that shows it has to raise it. */
const mostEdges = 500;

export function drawMermaid(report: GraphReport, { nodes, edges, folded }: FoldedGraph): string {
  const names = new Map(nodes.map(({ id }, i) => [id, `n${i}`]));
  const lines = ['flowchart TD'];
  if (folded > 0) lines.push(`  %% a large plan: ${folded} boxes stand for the tasks in them`);
  if (edges.length > mostEdges) lines.push(`  %% ${edges.length} edges: set maxEdges of Mermaid at least as high`);
  const children = (parent: string | undefined, phase: number) =>
    byHome.get(JSON.stringify([parent ?? null, phase])) ?? [];
  const byHome = new Map<string, FoldedNode[]>();
  for (const node of nodes) {
    const key = JSON.stringify([node.parent ?? null, node.phase]);
    byHome.set(key, [...(byHome.get(key) ?? []), node]);
  }
  const draw = (node: FoldedNode, indent: string): void => {
    const name = names.get(node.id)!;
    if (!node.group) {
      lines.push(`${indent}${name}["${label(node)}"]:::${node.status}`);
      return;
    }
    lines.push(`${indent}subgraph ${name}["${label(node)}"]`);
    for (const child of children(node.id, node.phase)) draw(child, `${indent}  `);
    lines.push(`${indent}end`);
  };
  report.phases.forEach((phase, i) => {
    const members = children(undefined, i);
    if (members.length === 0) return;
    if (phase === '' && !isBarred(report, i)) for (const node of members) draw(node, '  ');
    else {
      lines.push(`  subgraph p${i}["${mermaidText(phase)}"]`);
      for (const node of members) draw(node, '    ');
      lines.push('  end');
    }
  });
  for (const { from, to, kind } of edges) {
    lines.push(`  ${names.get(from)} ${arrows[kind]} ${names.get(to)}`);
  }
  lines.push(...report.barriers.map(({ from, to }) => `  p${from} ==> p${to}`), ...looks(nodes, names));
  return `${lines.join('\n')}\n`;
}

const arrows: Readonly<Record<GraphEdge['kind'], string>> = { need: '-->', preference: '-.->', order: '==>' };

function looks(nodes: readonly FoldedNode[], names: ReadonlyMap<string, string>): string[] {
  const used = new Set<Status>(nodes.map(({ status }) => status));
  const lines = statusOrder
    .filter((status) => used.has(status))
    .map((status) => {
      const { fill, line } = statusLooks[status].light;
      return `  classDef ${status} fill:${fill},stroke:${line},color:#1f2328`;
    });
  for (const status of statusOrder) {
    const groups = nodes.filter((node) => node.group && node.status === status);
    if (groups.length > 0) lines.push(`  class ${groups.map(({ id }) => names.get(id)).join(',')} ${status}`);
  }
  return lines;
}

function label({ id, title, holds }: FoldedNode): string {
  const count = holds ? ` (${holds.done} of ${holds.tasks})` : '';
  return `<b>${mermaidText(id)}</b>${count}<br/>${mermaidText(title)}`;
}

/** Mermaid's own entities: `#` and a number, and `;`. What would start a list or a heading is one too: labels are markdown. */
export function mermaidText(text: string): string {
  const plain = plainLabel(text).trim().slice(0, 300);
  // Empty quotes make no label, and Mermaid calls that a mistake.
  if (plain === '') return '#160;';
  const opening = /^(?:\d{1,9}[.)]|[-+=~])/.exec(plain)?.[0].length ?? 0;
  const last = opening - 1;
  const escaped = plain.replace(/[^\p{L}\p{N}\p{M} ,:!?/]/gu, (c, at: number) =>
    at === last || !/[.()+=~-]/.test(c) ? `#${c.codePointAt(0)};` : c,
  );
  // Mermaid takes a line with these two words for a statement, even between quotes.
  return escaped.replace(/direction(?=\s+(?:TB|TD|BT|RL|LR))/g, '#100;irection');
}
