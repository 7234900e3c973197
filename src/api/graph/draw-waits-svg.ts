// The picture of who waits for whom: those in the way above those who wait, the locks between them, a cycle in red.
import type { WaitReport } from '../reports/locks.ts';
import { lineHeight } from './lay-out-plan.ts';
import { drawPage, type LegendItem, legendWidth, margin, number } from './picture-page.ts';
import { textWidth, wrapText, xmlText } from './picture-text.ts';
import { placeBoxes } from './place-boxes.ts';
import { type RoutedBox, type RoutedEdge, routeEdges } from './route-edges.ts';
import { type WaitBox, type WaitLine, type WaitPicture, waitPicture, waitWords } from './wait-picture.ts';
import { waitLooks, waitStyleSheet } from './wait-style.ts';

const boxWidth = 224;
const lockHeight = 30;
const widestLock = 280;
const widestRow = 6 * (boxWidth + 22);
const headHeight = 84;
const narrowest = 460;

interface Placed extends RoutedBox {
  readonly node: WaitBox;
  readonly lines: readonly string[];
}

export function drawWaitsSvg(report: WaitReport): string {
  const picture = waitPicture(report);
  const { placed, edges, width: across, height: down } = layOut(picture);
  const items = legendItems(picture);
  const inner = Math.max(narrowest, across, legendWidth(items));
  const bottom = headHeight + down;
  const paths = routeEdges(edges).map(({ kind, path }, i) => {
    const { inCycle } = picture.lines[i]!;
    return `<path class="${kind}${inCycle ? ' cycle' : ''}" marker-end="url(#${inCycle ? 'cycle-tip' : 'tip'})" d="${path}"/>`;
  });
  const alarm = report.deadlocks.length > 0 ? 'alarm' : '';
  return drawPage({
    title: 'Who waits for whom',
    inner,
    bottom,
    styles: waitStyleSheet(),
    markers: ['tip', 'cycle-tip'],
    body: [
      `<text class="h1" x="${margin}" y="36">Who waits for whom</text>`,
      `<text class="sub ${alarm}" x="${margin}" y="56">${xmlText(waitWords(report))}</text>`,
      `<g transform="translate(${number(margin + (inner - across) / 2)} ${headHeight})">`,
      ...paths,
      ...placed.map(drawBox),
      '</g>',
    ],
    legend: items,
  });
}

function layOut({ boxes, lines }: WaitPicture) {
  const sized = boxes.map((box) => ({ ...sizeOf(box), band: 0 }));
  const at = new Map(boxes.map(({ id }, i) => [id, i]));
  // Whoever is waited for stands above.
  const links = lines.map(({ from, to, kind }) => ({ from: at.get(to)!, to: at.get(from)!, kind }));
  const { corners, floors, lanes, width, height } = placeBoxes(sized, links, { widest: widestRow, bandGap: 0 });
  const placed = boxes.map((node, i): Placed => ({ node, ...sized[i]!, ...corners[i]! }));
  const edges = lines.map((edge, i): RoutedEdge<WaitLine['kind']> => {
    const [from, to] = [at.get(edge.from)!, at.get(edge.to)!];
    const ends = { from: placed[from]!, to: placed[to]! };
    return { edge, ...ends, lanes: lanes[i]!, floors: { from: floors[from]!, to: floors[to]! } };
  });
  return { placed, edges, width, height };
}

function sizeOf({ kind, name, remarks }: WaitBox) {
  if (kind === 'lock') {
    const width = Math.min(widestLock, Math.max(70, textWidth(name, 12.5) + 48));
    return { width, height: lockHeight, lines: [] };
  }
  const lines = remarks.flatMap((remark) => wrapText(remark, boxWidth - 28, 12.5, 2));
  return { width: boxWidth, height: 38 + lines.length * lineHeight, lines };
}

function drawBox({ node, x, y, width, height, lines }: Placed): string {
  const isLock = node.kind === 'lock';
  const look = node.inCycle && !isLock ? 'cycle' : node.kind;
  const middle = isLock ? y + height / 2 : y + 17.5;
  const [name = ''] = wrapText(node.name, width - 48, isLock ? 12.5 : 11.5, 1);
  const words = [node.name, ...node.remarks].join(', ').slice(0, 1000);
  return [
    `<g class="look-${isLock && node.inCycle ? 'cycle' : look}"><title>${xmlText(words)}</title>`,
    `<rect class="box" x="${number(x)}" y="${number(y)}" width="${number(width)}" height="${number(height)}" rx="${isLock ? lockHeight / 2 : 8}"/>`,
    `<g transform="translate(${number(x + 18)} ${number(middle)})">${waitLooks[look].symbol}</g>`,
    `<text class="${isLock ? 'remark' : 'id'}" x="${number(x + 31)}" y="${number(middle + 4)}">${xmlText(name)}</text>`,
    `<text class="remark">${lines.map((line, i) => `<tspan x="${number(x + 13)}" y="${number(y + 42 + i * lineHeight)}">${xmlText(line)}</tspan>`).join('')}</text></g>`,
  ].join('');
}

/** Only what the picture shows. */
function legendItems({ boxes, lines }: WaitPicture): LegendItem[] {
  const items: LegendItem[] = [];
  const party = (look: 'works' | 'waits', word: string) => {
    if (!boxes.some(({ kind, inCycle }) => kind === look && !inCycle)) return;
    items.push({ picture: `<g class="look-${look}" transform="translate(8 -4)">${waitLooks[look].symbol}</g>`, word });
  };
  party('works', 'works');
  party('waits', 'waits');
  const line = (kind: WaitLine['kind'], word: string, red: boolean) => {
    if (!lines.some((one) => one.kind === kind && one.inCycle === red)) return;
    const classes = `${kind}${red ? ' cycle' : ''}`;
    const tip = red ? 'cycle-tip' : 'tip';
    items.push({ picture: `<path class="${classes}" marker-end="url(#${tip})" d="M0 -4H12"/>`, word });
  };
  line('held', 'waits for a lock, held by', false);
  line('behind', 'is behind in line', false);
  line('held', 'deadlock', true);
  if (!lines.some(({ kind, inCycle }) => kind === 'held' && inCycle)) line('behind', 'deadlock', true);
  return items;
}
