// The lines of the picture: each from the lower side of one box to the upper side of another, through its lanes, in soft
// curves. Lines that leave or reach a box at the same side are spread over it, in the order in which they go on.
import type { Lane, Point } from './place-boxes.ts';

export interface RoutedBox {
  readonly node: { readonly id: string };
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface RoutedEdge<Kind extends string> {
  readonly edge: { readonly from: string; readonly to: string; readonly kind: Kind };
  readonly from: RoutedBox;
  readonly to: RoutedBox;
  /** From the upper end to the lower one. */
  readonly lanes: readonly Lane[];
  /** The lower ends of the rows that `from` and `to` stand in. */
  readonly floors: { readonly from: number; readonly to: number };
}

export interface Line<Kind extends string> {
  readonly kind: Kind;
  readonly from: string;
  readonly to: string;
  /** For the `d` of an SVG path. */
  readonly path: string;
}

const portGap = 14;
const arrow = 7;

export function routeEdges<Kind extends string>(edges: readonly RoutedEdge<Kind>[]): Line<Kind>[] {
  const ports = new Ports();
  const routes = edges.map((edge) => {
    const downward = edge.from.y + edge.from.height <= edge.to.y;
    const [upper, lower] = downward ? [edge.from, edge.to] : [edge.to, edge.from];
    const towards = edge.lanes[0]?.x ?? middle(lower);
    const back = edge.lanes.at(-1)?.x ?? middle(upper);
    // Links that share lanes leave through one port.
    const start = ports.ask(
      upper,
      'bottom',
      `${edge.edge.kind} ${downward} ${edge.lanes.length > 0 ? 'lane' : lower.node.id}`,
      towards,
    );
    const end = ports.ask(lower, 'top', `${edge.edge.kind} ${downward} ${upper.node.id}`, back);
    return { edge, upper, lower, downward, start, end };
  });
  return routes.map(({ edge, upper, lower, downward, start, end }) => {
    const first = { x: ports.xOf(upper, start), y: upper.y + upper.height };
    const last = { x: ports.xOf(lower, end), y: lower.y };
    const floor = downward ? edge.floors.from : edge.floors.to;
    const points: Point[] = floor > first.y && floor < last.y ? [first, { x: first.x, y: floor }] : [first];
    for (const { x, top, bottom } of edge.lanes) points.push({ x, y: top }, { x, y: bottom });
    points.push(last);
    return {
      kind: edge.edge.kind,
      from: edge.edge.from,
      to: edge.edge.to,
      path: pathOf(downward ? points : points.reverse(), downward),
    };
  });
}

const middle = ({ x, width }: RoutedBox) => x + width / 2;

interface Port {
  readonly side: string;
  readonly key: string;
  wish: number;
}

/** Where each line leaves a side of a box. */
class Ports {
  private readonly sides = new Map<string, Map<string, Port>>();

  ask(node: RoutedBox, side: 'top' | 'bottom', key: string, wish: number): Port {
    const name = `${side} ${node.node.id}`;
    const ports = this.sides.get(name) ?? new Map<string, Port>();
    this.sides.set(name, ports);
    const port = ports.get(key) ?? { side: name, key, wish };
    ports.set(key, port);
    return port;
  }

  xOf(node: RoutedBox, port: Port): number {
    const ports = [...this.sides.get(port.side)!.values()].sort((a, b) => a.wish - b.wish);
    const gap = Math.min(portGap, (node.width * 0.7) / ports.length);
    return middle(node) + (ports.indexOf(port) - (ports.length - 1) / 2) * gap;
  }
}

function pathOf(points: readonly Point[], downward: boolean): string {
  const [first, ...rest] = points;
  // The tip of the arrow is drawn by the marker, behind the end of the line.
  const end = points.at(-1)!;
  const tip = { x: end.x, y: end.y + (downward ? -arrow : arrow) };
  let path = `M${round(first!.x)} ${round(first!.y)}`;
  let at = first!;
  rest.forEach((point, i) => {
    const to = i === rest.length - 1 ? tip : point;
    const bend = Math.max(Math.abs(to.y - at.y) / 2, 12) * (downward ? 1 : -1);
    path +=
      at.x === to.x
        ? `V${round(to.y)}`
        : `C${round(at.x)} ${round(at.y + bend)} ${round(to.x)} ${round(to.y - bend)} ${round(to.x)} ${round(to.y)}`;
    at = to;
  });
  return path;
}

const round = (n: number) => Math.round(n * 10) / 10;
