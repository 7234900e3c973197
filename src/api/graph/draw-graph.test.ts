// Pictures of plans: everything is there and in its place, nothing lies on anything, and no text becomes markup.
import { describe, expect, it } from 'vitest';
import { ownNow } from '../../../test/own-time.ts';
import type { GraphEdge, GraphNode, GraphReport } from '../reports/graph.ts';
import { drawGraph } from './draw-graph.ts';
import { foldGraph } from './fold-graph.ts';
import { layOutPlan, type PlacedNode } from './lay-out-plan.ts';
import { routeEdges } from './route-edges.ts';

const node = (id: string, more: Partial<GraphNode> = {}): GraphNode => ({
  ...{ id, title: `Title of ${id}`, phase: 0, status: 'pending' },
  ...more,
});
const need = (from: string, to: string): GraphEdge => ({ from, to, kind: 'need' });
const report = (nodes: GraphNode[], edges: GraphEdge[] = [], more: Partial<GraphReport> = {}): GraphReport => ({
  ...{ plan: 'plan.md', title: 'The plan', order: 'explicit', phases: [''], nodes, edges, barriers: [], picture: null },
  ...more,
});

const checkout = report(
  [
    node('1.1', { status: 'completed' }),
    node('1.2'),
    node('api', { phase: 1, group: true, status: 'in_progress' }),
    node('routes', { phase: 1, parent: 'api', status: 'failed' }),
    node('auth', { phase: 1, parent: 'api', status: 'blocked' }),
    node('smoke', { phase: 1 }),
    node('docs', { phase: 1, optional: true }),
  ],
  [
    need('1.1', 'api'),
    { from: '1.2', to: 'api', kind: 'preference' },
    need('routes', 'auth'),
    need('api', 'smoke'),
    need('1.1', 'docs'),
    need('api', 'docs'),
  ],
  { phases: ['Schema', 'Service'] },
);

/** A plan of chance, always the same: phases, groups, and needs on what came before. */
function large(count: number): GraphReport {
  let seed = 7;
  const chance = (below: number) => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return seed % below;
  };
  const nodes: GraphNode[] = [];
  const edges: GraphEdge[] = [];
  const phases = ['One', 'Two', 'Three'];
  for (let i = 0; i < count; i++) {
    const phase = Math.floor((i * phases.length) / count);
    if (i % 9 === 0) nodes.push(node(`g${i}`, { phase, group: true }));
    const inGroup = i % 9 < 4 && nodes.some(({ id, phase: of }) => id === `g${i - (i % 9)}` && of === phase);
    nodes.push(node(`t${i}`, { phase, ...(inGroup ? { parent: `g${i - (i % 9)}` } : {}) }));
    if (i > 0 && chance(3) > 0) edges.push(need(`t${Math.max(0, i - 1 - chance(12))}`, `t${i}`));
  }
  return report(nodes, edges, { phases });
}

const inside = (a: PlacedNode, b: PlacedNode) =>
  a.x >= b.x && a.y >= b.y && a.x + a.width <= b.x + b.width && a.y + a.height <= b.y + b.height;
const apart = (a: PlacedNode, b: PlacedNode) =>
  a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y;

describe.each([
  ['one task', report([node('a')])],
  ['a small plan', checkout],
  ['sixty tasks', large(60)],
  ['groups that wait for each other through their tasks', mutual()],
])('the layout of %s', (_, { nodes, edges }) => {
  const layout = layOutPlan(nodes, edges);
  const placed = new Map(layout.nodes.map((box) => [box.node.id, box]));

  it('has every node once, groups around their own, and nothing on anything else', () => {
    expect([...placed.keys()].sort()).toEqual(nodes.map(({ id }) => id).sort());
    const homes = (id: string): string[] => {
      const parent = placed.get(id)!.node.parent;
      return parent === undefined ? [] : [parent, ...homes(parent)];
    };
    for (const a of layout.nodes) {
      expect(inside(a, { ...a, x: 0, y: 0, width: layout.width + 0.01, height: layout.height })).toBe(true);
      for (const b of layout.nodes) {
        if (a === b || homes(b.node.id).includes(a.node.id)) continue;
        expect(homes(a.node.id).includes(b.node.id) ? inside(a, b) : apart(a, b)).toBe(true);
      }
    }
  });

  it('has every edge, from box to box', () => {
    const lines = routeEdges(layout.edges);
    expect(lines.map(({ from, to }) => [from, to])).toEqual(edges.map(({ from, to }) => [from, to]));
    for (const { path } of lines) expect(path).toMatch(/^M[\d.-]+ [\d.-]+([CV][\d. -]+)+$/);
  });

  it('puts later phases below earlier ones', () => {
    layout.bands.forEach(({ top, phase }, i) => {
      const before = layout.bands[i - 1];
      if (before) expect([before.phase < phase, before.bottom < top]).toEqual([true, true]);
    });
  });
});

function mutual(): GraphReport {
  const nodes = ['a', 'b'].flatMap((g) => [
    node(g, { group: true }),
    node(`${g}1`, { parent: g }),
    node(`${g}2`, { parent: g }),
  ]);
  return report(nodes, [need('a1', 'b1'), need('b2', 'a2')]);
}

it('needs go down', () => {
  const { edges } = layOutPlan(checkout.nodes, checkout.edges);
  for (const { from, to } of edges) expect(from.y + from.height).toBeLessThan(to.y);
});

it('lines go around boxes of the same level, not through them', () => {
  const nodes = ['a', 'b', 'c', 'd'].map((id) => node(id));
  const layout = layOutPlan(nodes, [need('a', 'b'), need('b', 'c'), need('c', 'd'), need('a', 'd')]);
  const { lanes } = layout.edges[3]!;
  expect(lanes).toHaveLength(2);
  for (const { x, top, bottom } of lanes) {
    for (const box of layout.nodes) {
      const beside = x < box.x || x > box.x + box.width;
      expect(beside || bottom < box.y || top > box.y + box.height).toBe(true);
    }
  }
});

const evil = [
  '</text><script>alert(1)</script>',
  '"]:::x\nclick n0 "javascript:x"',
  '\u0000\u001b[31m\ud800\u202e&amp;#',
  '`%%{init}%%`',
];
const hostile = report(
  evil.map((text, i) => node(text, { title: text, phase: i })),
  [need(evil[0]!, evil[1]!)],
  { title: evil[0]!, phases: evil },
);

it('an SVG of hostile texts is well-formed, and says them as text only', () => {
  const { text } = drawGraph(hostile, 'svg');
  const open: string[] = [];
  const rest = text.replace(/<(\/?)([a-z]+)((?: [\w:-]+="[^"<]*")*)(\/?)>/gi, (_, closing, name, __, single) => {
    if (closing) expect(open.pop()).toBe(name);
    else if (!single) open.push(name);
    return '';
  });
  expect(open).toEqual([]);
  expect(rest).not.toMatch(/[<>]|&(?!(amp|lt|gt|quot|#39);)/);
  expect(text).not.toMatch(/<script|[\u0000-\u0009\u000b-\u001f\ud800\u202e]/);
  expect(text).toContain('&lt;/text&gt;&lt;script&gt;');
});

it('neither Mermaid nor DOT takes a text for its own', () => {
  const mermaid = drawGraph(hostile, 'mermaid').text;
  for (const line of mermaid.split('\n').filter((line) => line.includes('"')))
    expect(line).toMatch(/^ *(subgraph )?[np]\d+\["[^"`[\]%{}]*"\](:::pending)?$/);
  expect(mermaid).not.toMatch(/^ *click|%%/m);
  const dot = drawGraph(hostile, 'dot').text;
  for (const line of dot.split('\n')) expect(line.replace(/"(\\.|[^"\\])*"/g, '')).not.toContain('"');
});

it('shows needs, preferences, groups, phases and status in every format', () => {
  const mermaid = drawGraph(checkout, 'mermaid').text;
  expect(mermaid).toContain('subgraph p1["Service"]\n    subgraph n2["<b>api</b><br/>Title of api"]');
  expect(mermaid).toContain('n0 --> n2\n  n1 -.-> n2');
  expect(mermaid).toContain('n3["<b>routes</b><br/>Title of routes"]:::failed');
  const dot = drawGraph(checkout, 'dot').text;
  expect(dot).toContain('subgraph cluster_p1 {');
  expect(dot).toContain('n1 -> n3 [style=dashed, lhead=cluster_n2];');
  const svg = drawGraph(checkout, 'svg').text;
  for (const part of [
    'class="need"',
    'class="preference"',
    'class="group in_progress"',
    '>Service<',
    'class="failed"',
    'prefers-color-scheme:dark',
  ])
    expect(svg).toContain(part);
});

it.each([
  ['1. Write', '1#46; Write'],
  ['2) Write', '2#41; Write'],
  ['- Write', '#45; Write'],
  ['=== Write', '#61;== Write'],
  ['Write 1. and - (2) v1.2', 'Write 1. and - (2) v1.2'],
  ['# *Write* _it_', '#35; #42;Write#42; #95;it#95;'],
])('a title %j is no markdown in Mermaid', (title, shown) => {
  expect(drawGraph(report([node('a', { title })]), 'mermaid').text).toContain(`<b>a</b><br/>${shown}"]`);
});

it('says in Mermaid that phases wait for each other only when they do', () => {
  expect(drawGraph({ ...checkout, barriers: [{ from: 0, to: 1 }] }, 'mermaid').text).toContain('p0 ==> p1');
  expect(drawGraph(checkout, 'mermaid').text).not.toContain('==>');
});

describe('a large plan', () => {
  it('is drawn with its groups closed, and says so', () => {
    const plan = large(1000);
    const graph = foldGraph(plan);
    expect(graph.nodes.every(({ parent, group }) => parent === undefined && !group)).toBe(true);
    const closed = graph.nodes.filter(({ holds }) => holds);
    expect(graph.folded).toBe(closed.length);
    const standFor = graph.nodes.reduce((sum, { holds }) => sum + (holds?.tasks ?? 1), 0);
    expect(standFor).toBe(1000);
    expect(drawGraph(plan, 'svg').text).toContain('closed boxes');
  });

  it('is drawn in reasonable time', () => {
    const plan = large(1000);
    const start = ownNow();
    drawGraph(plan, 'svg');
    expect(ownNow() - start).toBeLessThan(3_000);
  });

  it('of ten thousand tasks has one box per phase; without phases it is refused with a way out', () => {
    const plan = large(10_000);
    expect(foldGraph(plan).nodes.map(({ id, holds }) => [id, holds!.tasks])).toEqual([
      ['One', 3334],
      ['Two', 3333],
      ['Three', 3333],
    ]);
    const flat = report(Array.from({ length: 10_000 }, (_, i) => node(`t${i}`)));
    expect(() => drawGraph(flat, 'svg')).toThrow(/10000 boxes/);
    expect(drawGraph(flat, 'dot').text).toContain('n9999 ');
  });
});

// Both were refused by mermaid.parse of Mermaid 11, where nearly three hundred other labels were taken.
it('writes no Mermaid that Mermaid refuses', () => {
  const title = 'Draw direction LR and direction TD, not directions';
  const mermaid = drawGraph(report([node('a', { title })], [], { phases: [' '] }), 'mermaid').text;
  expect(mermaid).toContain('Draw #100;irection LR and #100;irection TD, not directions');
  expect(mermaid).toContain('subgraph p0["#160;"]');
});
