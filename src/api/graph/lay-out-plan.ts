// A plan as rectangles and lines: every group is laid out by itself and is one box in what is around it; phases are bands.
// An edge is routed in the innermost home of both its ends, and runs behind everything between that home and the ends.
import type { GraphEdge } from '../reports/graph.ts';
import type { FoldedNode } from './fold-graph.ts';
import { textWidth, wrapText } from './picture-text.ts';
import { type Placement, placeBoxes } from './place-boxes.ts';
import type { RoutedEdge } from './route-edges.ts';

export interface PlacedNode {
  readonly node: FoldedNode;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly lines: readonly string[];
  readonly depth: number;
}

export interface PlacedEdge extends RoutedEdge<GraphEdge['kind']> {
  readonly from: PlacedNode;
  readonly to: PlacedNode;
}

export interface PlanLayout {
  readonly width: number;
  readonly height: number;
  /** Groups before what is in them. */
  readonly nodes: readonly PlacedNode[];
  readonly edges: readonly PlacedEdge[];
  readonly bands: readonly { readonly phase: number; readonly top: number; readonly bottom: number }[];
}

const nodeWidth = 188;
const titleSize = 13;
export const lineHeight = 17;
const groupHeader = 34;
export const groupPadding = 16;
export const bandHeader = 34;
export const bandPadding = 16;

interface Frame {
  readonly members: readonly string[];
  readonly at: ReadonlyMap<string, number>;
  readonly placement: Placement;
  readonly links: ReadonlyMap<string, number>;
}

export function layOutPlan(nodes: readonly FoldedNode[], edges: readonly GraphEdge[]): PlanLayout {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const children = new Map<string, string[]>();
  for (const { id, parent } of nodes) {
    const list = children.get(parent ?? top) ?? [];
    list.push(id);
    children.set(parent ?? top, list);
  }
  const linksIn = liftEdges(byId, edges);
  const sizes = new Map<string, Size>();
  const frames = new Map<string, Frame>();
  const widest = widestRow(nodes.length);
  const measure = (home: string): void => {
    const members = children.get(home) ?? [];
    for (const id of members) {
      const node = byId.get(id)!;
      if (node.group) measure(id);
      else sizes.set(id, leafSize(node, nodes.length));
    }
    const at = new Map(members.map((id, i) => [id, i]));
    const lifted = linksIn.get(home) ?? [];
    const boxes = members.map((id) => ({ ...sizes.get(id)!, band: home === top ? byId.get(id)!.phase : 0 }));
    const links = lifted.map(({ from, to, kind }) => ({ from: at.get(from)!, to: at.get(to)!, kind }));
    const manner = { widest: home === top ? widest : widest * 0.6, bandGap: bandHeader + 2 * bandPadding - 18 };
    const placement = placeBoxes(boxes, links, manner);
    frames.set(home, { members, at, placement, links: new Map(lifted.map(({ key }, i) => [key, i])) });
    if (home !== top) sizes.set(home, groupSize(byId.get(home)!, placement));
  };
  measure(top);
  return assemble({ byId, sizes, frames, edges });
}

/** No id is empty, so this is nobody's. */
const top = '';

interface Size {
  readonly width: number;
  readonly height: number;
  readonly lines: readonly string[];
}

/** Pictures of many tasks get wider, but less than they get higher. */
const widestRow = (count: number) => Math.max(5, Math.ceil(Math.sqrt(count) * 1.1)) * (nodeWidth + 22);

function leafSize({ title, id }: FoldedNode, count: number): Size {
  const lines = wrapText(title || id, nodeWidth - 28, titleSize, count > 150 ? 2 : 3);
  return { width: nodeWidth, height: 38 + Math.max(1, lines.length) * lineHeight, lines };
}

function groupSize({ title, id }: FoldedNode, { width, height }: Placement): Size {
  const inner = Math.max(width, nodeWidth);
  const room = inner - 30 - Math.min(inner / 2, textWidth(id, 12));
  const lines = wrapText(title, room, titleSize + 0.5, 1);
  return { width: inner + 2 * groupPadding, height: height + groupHeader + groupPadding, lines };
}

interface Lifted {
  readonly from: string;
  readonly to: string;
  readonly kind: GraphEdge['kind'];
  readonly key: string;
}

const keyOf = (from: string, to: string, kind: string) => JSON.stringify([from, to, kind]);

/** Every edge once, between the two boxes of the home that both its ends share. */
function liftEdges(byId: ReadonlyMap<string, FoldedNode>, edges: readonly GraphEdge[]): Map<string, Lifted[]> {
  const inHome = new Map<string, Map<string, Lifted>>();
  for (const edge of edges) {
    const lifted = lift(byId, edge);
    if (!lifted) continue;
    const { home, from, to } = lifted;
    const key = keyOf(from, to, edge.kind);
    const links = inHome.get(home) ?? new Map<string, Lifted>();
    links.set(key, { from, to, kind: edge.kind, key });
    inHome.set(home, links);
  }
  return new Map([...inHome].map(([home, links]) => [home, [...links.values()]]));
}

function lift(byId: ReadonlyMap<string, FoldedNode>, { from, to }: GraphEdge) {
  const a = homesOf(byId, from);
  const b = homesOf(byId, to);
  let i = 0;
  while (i < a.length && i < b.length && a[i] === b[i]) i++;
  const lower = a[i];
  const upper = b[i];
  return lower === undefined || upper === undefined ? null : { home: a[i - 1]!, from: lower, to: upper };
}

/** From the outermost home down to the node itself. */
function homesOf(byId: ReadonlyMap<string, FoldedNode>, id: string): string[] {
  const way: string[] = [];
  for (let at: string | undefined = id; at !== undefined; at = byId.get(at)?.parent) way.push(at);
  return [top, ...way.reverse()];
}

function assemble(parts: {
  readonly byId: ReadonlyMap<string, FoldedNode>;
  readonly sizes: ReadonlyMap<string, Size>;
  readonly frames: ReadonlyMap<string, Frame>;
  readonly edges: readonly GraphEdge[];
}): PlanLayout {
  const { byId, sizes, frames } = parts;
  const placed = new Map<string, PlacedNode>();
  const origins = new Map<string, { x: number; y: number }>();
  const place = (home: string, x: number, y: number, depth: number): void => {
    const { members, placement } = frames.get(home)!;
    origins.set(home, { x, y });
    members.forEach((id, i) => {
      const { width, height, lines } = sizes.get(id)!;
      const corner = placement.corners[i]!;
      const at = { x: x + corner.x, y: y + corner.y };
      placed.set(id, { node: byId.get(id)!, ...at, width, height, lines, depth });
      const inner = frames.get(id)?.placement;
      if (inner) place(id, at.x + (width - inner.width) / 2, at.y + groupHeader, depth + 1);
    });
  };
  place(top, 0, 0, 0);
  const { placement } = frames.get(top)!;
  return {
    width: placement.width,
    height: placement.height,
    nodes: [...placed.values()],
    edges: parts.edges.flatMap((edge) => {
      const lifted = lift(byId, edge);
      if (!lifted) return [];
      const frame = frames.get(lifted.home)!;
      const { x, y } = origins.get(lifted.home)!;
      const link = frame.links.get(keyOf(lifted.from, lifted.to, edge.kind))!;
      const lanes = frame.placement.lanes[link]!.map((lane) => ({
        x: lane.x + x,
        top: lane.top + y,
        bottom: lane.bottom + y,
      }));
      const floorOf = (id: string) => frame.placement.floors[frame.at.get(id)!]! + y;
      const floors = { from: floorOf(lifted.from), to: floorOf(lifted.to) };
      return [{ edge, from: placed.get(edge.from)!, to: placed.get(edge.to)!, lanes, floors }];
    }),
    bands: placement.bands.map(({ band, top: from, bottom }) => ({ phase: band, top: from, bottom })),
  };
}
