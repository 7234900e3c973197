// The plan for Graphviz. An edge of a group is tied to a task in it and cut at the group's border.
import type { GraphReport } from '../reports/graph.ts';
import { type FoldedGraph, type FoldedNode, isBarred } from './fold-graph.ts';
import { statusLooks } from './picture-style.ts';
import { plainLabel, wrapText } from './picture-text.ts';

export function drawDot(report: GraphReport, { nodes, edges }: FoldedGraph): string {
  const children = new Map<string, FoldedNode[]>();
  for (const node of nodes) {
    const key = node.parent === undefined ? `phase ${node.phase}` : `group ${node.parent}`;
    children.set(key, [...(children.get(key) ?? []), node]);
  }
  const index = new Map(nodes.map((node, i) => [node.id, i]));
  const lines = [
    'digraph plan {',
    `  label=${dotText(report.title || report.plan)}; labelloc=t; compound=true; rankdir=TB; fontname="Helvetica";`,
    '  node [shape=box, style="rounded,filled", fontname="Helvetica", fontsize=11];',
    '  edge [color="#7d8894"];',
  ];
  const draw = (node: FoldedNode, indent: string): void => {
    const { fill, line } = statusLooks[node.status].light;
    const colours = `fillcolor="${fill}", color="${line}"`;
    if (!node.group) {
      const style = node.optional ? ', style="rounded,filled,dashed"' : '';
      lines.push(`${indent}n${index.get(node.id)} [label=${label(node)}, ${colours}${style}];`);
      return;
    }
    lines.push(`${indent}subgraph cluster_n${index.get(node.id)} {`);
    lines.push(`${indent}  label=${dotText(`${node.id}  ${node.title}`)}; color="${line}"; style=rounded;`);
    for (const child of children.get(`group ${node.id}`) ?? []) draw(child, `${indent}  `);
    lines.push(`${indent}}`);
  };
  report.phases.forEach((phase, i) => {
    const members = children.get(`phase ${i}`) ?? [];
    if (members.length === 0) return;
    const isBox = phase !== '' || isBarred(report, i);
    if (isBox) {
      lines.push(`  subgraph cluster_p${i} {`);
      lines.push(`    label=${dotText(phase)}; style=filled; color="#d9dee3"; fillcolor="#f6f8fa";`);
    }
    for (const node of members) draw(node, isBox ? '    ' : '  ');
    if (isBox) lines.push('  }');
  });
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const leafIn = (id: string): string => (byId.get(id)!.group ? leafIn(children.get(`group ${id}`)![0]!.id) : id);
  for (const { from, to, kind } of edges) {
    const attributes = [
      ...(kind === 'preference' ? ['style=dashed'] : kind === 'order' ? ['style=dotted'] : []),
      ...(byId.get(from)!.group ? [`ltail=cluster_n${index.get(from)}`] : []),
      ...(byId.get(to)!.group ? [`lhead=cluster_n${index.get(to)}`] : []),
    ];
    const ends = `n${index.get(leafIn(from))} -> n${index.get(leafIn(to))}`;
    lines.push(`  ${ends}${attributes.length === 0 ? '' : ` [${attributes.join(', ')}]`};`);
  }
  for (const { from, to } of report.barriers) {
    const [last, first] = [
      leafIn(children.get(`phase ${from}`)!.at(-1)!.id),
      leafIn(children.get(`phase ${to}`)![0]!.id),
    ];
    const attributes = `ltail=cluster_p${from}, lhead=cluster_p${to}, style=bold`;
    lines.push(`  n${index.get(last)} -> n${index.get(first)} [${attributes}];`);
  }
  return `${lines.join('\n')}\n}\n`;
}

const label = ({ id, title, holds }: FoldedNode) =>
  dotText([holds ? `${id} (${holds.done} of ${holds.tasks})` : id, ...wrapText(title, 180, 11, 4)].join('\n'));

/** Lines become DOT's own line breaks; everything else of the text stays text. */
export const dotText = (text: string): string =>
  `"${text
    .split('\n')
    .map((line) => plainLabel(line).replace(/[\\"]/g, '\\$&'))
    .join('\\n')}"`;
