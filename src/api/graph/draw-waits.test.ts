// Pictures of who waits for whom: everybody is there, a cycle is red, and no text becomes markup.
import { describe, expect, it } from 'vitest';
import { locked } from '../../../test/rigs/lock-rig.ts';
import { waitReport } from '../locks/wait-report.ts';
import { drawWaits } from './draw-waits.ts';
import { statusLooks } from './picture-style.ts';
import { waitPicture } from './wait-picture.ts';

const queue = waitReport(
  locked(
    ['ann', 'holds', 'src/a.ts'],
    ['bob', 'waits', 'src/**'],
    ['cid', 'waits', 'src/a.ts'],
    ['dora', 'waits', 'src'],
  ),
);
const cycle = waitReport(
  locked(
    ['ann', 'holds', 'src/a.ts'],
    ['bob', 'holds', 'src/b.ts'],
    ['ann', 'waits', 'src/b.ts'],
    ['bob', 'waits', 'src/a.ts'],
    ['cid', 'holds', 'docs/x.md'],
    ['dora', 'waits', 'docs/x.md'],
  ),
);
const nobody = waitReport(locked(['ann', 'holds', 'src/a.ts']));
const red = statusLooks.failed.light.line;
const formats = ['mermaid', 'dot', 'svg'] as const;

describe.each(formats)('%s', (format) => {
  it('names everybody and the locks between them', () => {
    const text = drawWaits(queue, format);
    for (const word of ['ann', 'bob', 'cid', 'dora', 'src/a.ts', 'number 2 in line']) expect(text).toContain(word);
  });

  it('says so when nobody waits', () => {
    expect(drawWaits(nobody, format)).toContain('Nobody waits for a lock.');
  });

  it('shows nothing of a name as markup', () => {
    const evil = '</title><script>"];click x\n%%';
    const text = drawWaits(waitReport(locked([evil, 'holds', 'x'], [`${evil}2`, 'waits', 'x'])), format);
    expect(text).not.toMatch(/^%%|[^\\]"\];click/m);
    // Inside the quotes of DOT it is only text.
    if (format !== 'dot') expect(text).not.toContain('<script>');
  });
});

it('draws only the nearest in line: the others follow', () => {
  const { lines } = waitPicture(queue);
  expect(lines.filter(({ kind }) => kind === 'behind').map(({ from, to }) => [from, to])).toEqual([
    ['cid', 'bob'],
    ['dora', 'cid'],
  ]);
});

describe('a cycle', () => {
  it('is red in Mermaid, and nothing else is', () => {
    const text = drawWaits(cycle, 'mermaid');
    const links = text.split('\n').filter((line) => /-\.?->/.test(line));
    const [, numbers = ''] = /linkStyle (\S+) stroke/.exec(text) ?? [];
    const inRed = numbers.split(',').map((n) => links[Number(n)]);
    expect(inRed).toHaveLength(4);
    const names = new Map([...text.matchAll(/^ {2}(n\d+)[[(]+"<b>([^<]+)/gm)].map(([, n, name]) => [n, name]));
    const ends = new Set(inRed.flatMap((link) => [...link!.matchAll(/n\d+/g)].map(([n]) => names.get(n))));
    expect([...ends].sort()).toEqual(['ann', 'bob', 'src/a.ts', 'src/b.ts']);
    expect(text.match(/:::cycle/g)).toHaveLength(4);
  });

  it('is red in DOT and in the picture', () => {
    expect(drawWaits(cycle, 'dot').match(new RegExp(`color="${red}", penwidth`, 'g'))).toHaveLength(4);
    const svg = drawWaits(cycle, 'svg');
    expect(svg.match(/class="(?:waits|held) cycle" marker-end="url\(#cycle-tip\)" d="M\d/g)).toHaveLength(4 + 1);
    expect(svg).toContain('deadlock: 2 wait for each other');
  });
});

it('no box of the picture lies on another', () => {
  for (const report of [queue, cycle]) {
    const svg = drawWaits(report, 'svg');
    const boxes = [
      ...svg.matchAll(/<rect class="box" x="([\d.-]+)" y="([\d.-]+)" width="([\d.]+)" height="([\d.]+)"/g),
    ].map(([, ...numbers]) => numbers.map(Number) as [number, number, number, number]);
    expect(boxes.length).toBeGreaterThan(4);
    boxes.forEach(([x, y, width, height], i) => {
      for (const [x2, y2, width2, height2] of boxes.slice(i + 1)) {
        expect(x + width <= x2 || x2 + width2 <= x || y + height <= y2 || y2 + height2 <= y).toBe(true);
      }
    });
  }
});
