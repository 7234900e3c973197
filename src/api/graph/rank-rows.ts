// Which row every box stands in: below everything it waits for, as far down as what waits for it allows, bands one under the
// other. A row that would be too wide goes on in the next one.

export interface Box {
  readonly width: number;
  readonly height: number;
  /** Boxes of a lower band stand above those of a higher one. */
  readonly band: number;
}

/** Indices of boxes: `to` waits for `from`. */
export interface Link {
  readonly from: number;
  readonly to: number;
}

export const boxGap = 22;

/** The boxes by row, from the top. */
export function rankRows(boxes: readonly Box[], links: readonly Link[], widest: number): number[][] {
  const inBand = links.filter(({ from, to }) => boxes[from]!.band === boxes[to]!.band);
  const ranks = rank(boxes.length, inBand);
  const layers = new Map<number, Map<number, number[]>>();
  boxes.forEach(({ band }, i) => {
    const layer = entry(entry(layers, band, newMap), ranks[i]!, newList);
    layer.push(i);
  });
  const isLeading = new Set(links.map(({ from }) => from));
  const rows: number[][] = [];
  for (const [, band] of inOrder(layers)) {
    for (const [, layer] of inOrder(band)) rows.push(...wrap(layer, boxes, isLeading, widest));
  }
  return rows;
}

const newMap = () => new Map<number, number[]>();
const newList = (): number[] => [];
const inOrder = <T>(map: ReadonlyMap<number, T>) => [...map].sort(([a], [b]) => a - b);

function entry<T>(map: Map<number, T>, key: number, make: () => T): T {
  const found = map.get(key) ?? make();
  map.set(key, found);
  return found;
}

/** The longest way from a start. Groups may wait for each other through different subtasks: then the first one goes first. */
function rank(count: number, links: readonly Link[]): number[] {
  const after: number[][] = Array.from({ length: count }, () => []);
  const open = new Array<number>(count).fill(0);
  for (const { from, to } of links) {
    after[from]!.push(to);
    open[to]!++;
  }
  const ranks = new Array<number>(count).fill(0);
  const placed = new Array<boolean>(count).fill(false);
  const queue = open.flatMap((waits, i) => (waits === 0 ? [i] : []));
  const isStart = new Set(queue);
  let first = 0;
  for (let next = 0; next < count; next++) {
    while (queue.length === next) {
      if (!placed[first]) queue.push(first);
      first++;
    }
    const box = queue[next]!;
    placed[box] = true;
    for (const to of after[box]!) {
      if (placed[to]) continue;
      ranks[to] = Math.max(ranks[to]!, ranks[box]! + 1);
      if (--open[to]! === 0) queue.push(to);
    }
  }
  // A box that waits for nothing stands right above the first box that waits for it.
  for (const box of isStart) {
    const least = after[box]!.reduce((least, to) => Math.min(least, ranks[to]!), Number.POSITIVE_INFINITY);
    if (least !== Number.POSITIVE_INFINITY) ranks[box] = Math.max(0, least - 1);
  }
  return ranks;
}

/** Boxes that others wait for stand in the last rows, nearest to those others. Rows are about equally long. */
function wrap(layer: number[], boxes: readonly Box[], isLeading: ReadonlySet<number>, widest: number): number[][] {
  const total = layer.reduce((sum, i) => sum + boxes[i]!.width + boxGap, 0);
  if (total <= widest) return [layer];
  const room = total / Math.ceil(total / widest) + boxGap;
  const rows: number[][] = [];
  let used = Number.POSITIVE_INFINITY;
  for (const i of [...layer.filter((i) => !isLeading.has(i)), ...layer.filter((i) => isLeading.has(i))]) {
    const width = boxes[i]!.width + boxGap;
    if (used + width > Math.max(room, width)) {
      rows.push([]);
      used = 0;
    }
    rows.at(-1)!.push(i);
    used += width;
  }
  return rows;
}
