// The frame of every picture: one self-contained file, a page for light and dark, arrow tips, a legend below.
import { styleSheet } from './picture-style.ts';
import { textWidth, xmlText } from './picture-text.ts';

export const margin = 28;
const legendHeight = 44;

export const number = (n: number) => Math.round(n * 10) / 10;

export interface Page {
  readonly title: string;
  /** The width between the margins. */
  readonly inner: number;
  /** Where the picture ends and the legend begins. */
  readonly bottom: number;
  /** Beside the common ones. */
  readonly styles: string;
  /** Tips of arrows: ids, which are also the classes that colour them. */
  readonly markers: readonly string[];
  readonly body: readonly string[];
  readonly legend: readonly LegendItem[];
}

export interface LegendItem {
  readonly picture: string;
  readonly word: string;
}

export function drawPage({ title, inner, bottom, styles, markers, body, legend }: Page): string {
  const width = Math.ceil(inner + 2 * margin);
  const height = Math.ceil(bottom + legendHeight + 8);
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${xmlText(title)}">`,
    `<title>${xmlText(title)}</title>`,
    `<style>${styleSheet()}${styles}</style>`,
    `<defs>${markers.map(marker).join('')}</defs>`,
    `<rect class="page" width="${width}" height="${height}"/>`,
    ...body,
    drawLegend(legend, bottom + 30),
    '</svg>',
  ].join('\n')}\n`;
}

const marker = (id: string) =>
  `<marker id="${id}" viewBox="0 0 8 8" refX="0.5" refY="4" markerWidth="8" markerHeight="8" markerUnits="userSpaceOnUse" orient="auto"><path class="${id}" d="M0 .4 7.6 4 0 7.6z"/></marker>`;

const itemWidth = ({ word }: LegendItem) => 44 + textWidth(word, 12);
export const legendWidth = (items: readonly LegendItem[]) => items.reduce((sum, item) => sum + itemWidth(item), 0);

function drawLegend(items: readonly LegendItem[], y: number): string {
  let x = margin;
  return items
    .map((item) => {
      const at = `<g transform="translate(${number(x)} ${number(y)})">${item.picture}<text class="legend" x="24">${xmlText(item.word)}</text></g>`;
      x += itemWidth(item);
      return at;
    })
    .join('\n');
}
