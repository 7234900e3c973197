// The picture: a heading with the counts, phases as bands, groups as boxes around their tasks, needs as lines and preferences
// as dashed ones, a legend. One file that needs nothing else, for light and dark pages.
import type { Status } from '../../core/state/state.ts';
import type { GraphReport } from '../reports/graph.ts';
import { type FoldedGraph, type FoldedNode, isBarred, isCounted } from './fold-graph.ts';
import {
  bandHeader,
  bandPadding,
  groupPadding,
  layOutPlan,
  lineHeight,
  type PlacedNode,
  type PlanLayout,
} from './lay-out-plan.ts';
import { drawPage, type LegendItem, legendWidth, margin, number } from './picture-page.ts';
import { statusLooks, statusOrder } from './picture-style.ts';
import { wrapText, xmlText } from './picture-text.ts';
import { routeEdges } from './route-edges.ts';

const narrowest = 460;
const headHeight = 84;

export function drawSvg(report: GraphReport, graph: FoldedGraph): string {
  const layout = layOutPlan(graph.nodes, graph.edges);
  const isBand = (name: string, i: number) =>
    (name !== '' || isBarred(report, i)) && layout.bands.some(({ phase }) => phase === i);
  const hasBands = report.phases.some(isBand);
  const side = hasBands ? 20 : 0;
  const above = hasBands ? bandHeader + bandPadding - 8 : 0;
  const below = hasBands ? bandPadding : 0;
  const items = legendItems(report, graph);
  const inner = Math.max(narrowest, layout.width + 2 * side, legendWidth(items));
  const bottom = headHeight + above + layout.height + below;
  const shift = { x: margin + (inner - layout.width) / 2, y: headHeight + above };
  const groups = layout.nodes.filter(({ node }) => node.group);
  const body = [
    hasBands ? bands(report, layout, inner) : '',
    `<g transform="translate(${number(shift.x)} ${number(shift.y)})">`,
    ...groups.map(drawGroup),
    ...routeEdges(layout.edges).map(({ kind, path }) => `<path class="${kind}" marker-end="url(#tip)" d="${path}"/>`),
    // Over the lines that enter the group.
    ...groups.map(drawGroupName),
    ...layout.nodes.filter(({ node }) => !node.group).map(drawTask),
    '</g>',
  ];
  return drawPage({
    title: titleOf(report),
    inner,
    bottom,
    styles: '',
    markers: ['tip'],
    body: [heading(report, inner), ...body.filter((part) => part !== '')],
    legend: items,
  });
}

const titleOf = ({ title, plan }: GraphReport) => title || plan;

function heading(report: GraphReport, inner: number): string {
  const counts = countsOf(report);
  const total = report.nodes.filter(isCounted).length;
  const words = statusOrder
    .filter((status) => (counts.get(status) ?? 0) > 0 && status !== 'completed')
    .map((status) => `${counts.get(status)} ${statusLooks[status].word}`);
  const sub = [`${counts.get('completed') ?? 0} of ${total} completed`, ...words].join(' · ');
  const [title = ''] = wrapText(titleOf(report), inner, 23, 1);
  let x = margin;
  const bar = statusOrder
    .filter((status) => status !== 'pending' && counts.has(status))
    .map((status) => {
      const length = (counts.get(status)! / total) * inner;
      const piece = `<rect class="disc" x="${number(x)}" y="66" width="${number(length)}" height="4"/>`;
      x += length;
      return `<g class="${status}">${piece}</g>`;
    });
  return [
    `<text class="h1" x="${margin}" y="36">${xmlText(title)}</text>`,
    `<text class="sub" x="${margin}" y="56">${xmlText(sub)}</text>`,
    `<rect class="track" x="${margin}" y="66" width="${number(inner)}" height="4"/>`,
    ...bar,
  ].join('\n');
}

function countsOf({ nodes }: GraphReport): Map<Status, number> {
  const counts = new Map<Status, number>();
  for (const { status } of nodes.filter(isCounted)) counts.set(status, (counts.get(status) ?? 0) + 1);
  return counts;
}

function bands({ phases, barriers }: GraphReport, layout: PlanLayout, inner: number): string {
  return layout.bands
    .map(({ phase, top, bottom }) => {
      const y = headHeight + top;
      const height = bottom - top + bandHeader + 2 * bandPadding - 8;
      const barrier = barriers.some(({ to }) => to === phase) ? 'after the phase before' : '';
      const [name = ''] = wrapText(phases[phase] ?? '', inner - 200, 14, 1);
      const label = `<text class="phase" x="${margin + 16}" y="${number(y + 25)}">${xmlText(name)}<tspan class="sub" dx="12" font-weight="400">${barrier}</tspan></text>`;
      return `<rect class="band" x="${margin}" y="${number(y)}" width="${number(inner)}" height="${number(height)}" rx="12"/>${label}`;
    })
    .join('\n');
}

function drawGroup({ node, x, y, width, height }: PlacedNode): string {
  const box = `x="${number(x)}" y="${number(y)}" width="${number(width)}" height="${number(height)}"`;
  return `${open(node, 'group ')}<rect class="box" ${box} rx="12"/></g>`;
}

function drawGroupName({ node, x, y, width, lines }: PlacedNode): string {
  const [id = ''] = wrapText(node.id, width / 2, 12, 1);
  const [name = ''] = lines;
  return [
    open(node, 'group '),
    symbol(node.status, x + groupPadding + 5, y + 19),
    `<text x="${number(x + groupPadding + 18)}" y="${number(y + 23.5)}"><tspan class="id">${xmlText(id)}</tspan><tspan class="name" dx="9">${xmlText(name)}</tspan></text></g>`,
  ].join('');
}

function drawTask({ node, x, y, width, height, lines }: PlacedNode): string {
  const { holds } = node;
  const [id = ''] = wrapText(node.id, width - (holds ? 110 : 48), 11.5, 1);
  const stack = holds
    ? `<rect class="box" x="${number(x + 4)}" y="${number(y + 4)}" width="${number(width)}" height="${number(height)}" rx="8"/>`
    : '';
  const count = holds
    ? `<text class="count" text-anchor="end" x="${number(x + width - 12)}" y="${number(y + 21.5)}">${holds.done} of ${holds.tasks}</text>`
    : '';
  return [
    open(node, ''),
    stack,
    `<rect class="box" x="${number(x)}" y="${number(y)}" width="${number(width)}" height="${number(height)}" rx="8"/>`,
    symbol(node.status, x + 18, y + 17.5),
    `<text class="id" x="${number(x + 31)}" y="${number(y + 21.5)}">${xmlText(id)}</text>`,
    count,
    `<text class="name">${lines.map((line, i) => `<tspan x="${number(x + 13)}" y="${number(y + 42 + i * lineHeight)}">${xmlText(line)}</tspan>`).join('')}</text></g>`,
  ].join('');
}

/** The whole text of a task is its tooltip, also where the picture had to cut it. */
function open(node: FoldedNode, kind: string): string {
  const optional = node.optional ? ', optional' : '';
  const words = `${node.id}: ${node.title.slice(0, 500)} (${statusLooks[node.status].word}${optional})`;
  return `<g class="${kind}${node.optional ? 'optional ' : ''}${node.status}"><title>${xmlText(words)}</title>`;
}

const symbol = (status: Status, x: number, y: number) =>
  `<g transform="translate(${number(x)} ${number(y)})">${statusLooks[status].symbol}</g>`;

/** Only what the picture shows. */
function legendItems(report: GraphReport, graph: FoldedGraph): LegendItem[] {
  const shown = new Set(report.nodes.filter(({ group }) => !group).map(({ status }) => status));
  const items = statusOrder
    .filter((status) => shown.has(status))
    .map((status) => ({
      picture: `<g class="${status}">${symbol(status, 8, -4)}</g>`,
      word: statusLooks[status].word,
    }));
  const kinds = new Set(graph.edges.map(({ kind }) => kind));
  const line = (kind: string) => `<path class="${kind}" marker-end="url(#tip)" d="M0 -4H12"/>`;
  if (kinds.has('need')) items.push({ picture: line('need'), word: 'is needed by' });
  if (kinds.has('order')) items.push({ picture: line('order'), word: 'comes before' });
  if (kinds.has('preference')) items.push({ picture: line('preference'), word: 'is preferred by' });
  if (graph.nodes.some(({ optional }) => optional))
    items.push({
      picture: '<g class="optional pending"><rect class="box" y="-10" width="17" height="12" rx="3"/></g>',
      word: 'optional',
    });
  if (graph.folded > 0)
    items.push({ picture: '', word: `large plan: ${graph.folded} closed boxes stand for the tasks in them` });
  return items;
}
