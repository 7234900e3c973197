// Every picture shows what holds: whoever starts each task as soon as the picture lets it has the steps of `--dry-run`.
import { describe, expect, test } from 'vitest';
import { Workspace } from '../rig.ts';

const task = (line: string) => `- [ ] ${line}\n  - run: "true"\n`;
const sub = (line: string) => `  - [ ] ${line}\n    - run: "true"\n`;

const plans: Record<string, string> = {
  sequential: `---\norder: sequential\n---\n${task('a: A')}- [ ] g: G\n${sub('b: B')}${sub('c: C')}${task('d: D')}`,
  'spec-kit': `## Phase 1\n${task('T001 One')}${task('T002 [P] Two')}${task('T003 [P] Three')}${task('T004 Four')}\n## Phase 2\n${task('T005 [P] Five')}${task('T006 [P] Six')}\n## Phase 3\n${task('T007 [P] Seven')}${task('T008 [P] Eight')}`,
  phases: `## One\n${task('a: A')}${task('b: B')}\n## Two\n${task('c: C')}${task('d: D')}\n## Three\n${task('e: E')}`,
  'phases after tasks without one': `${task('z: Z')}${task('y: Y')}\n## One\n${task('a: A')}${task('b: B')}`.replace(
    /^/,
    '---\norder: phases\n---\n',
  ),
  batches:
    '| # | Task | Deps | Batch | run |\n|---|---|---|---|---|\n| 1 | A | | 1 | true |\n| 2 | B | | 1 | true |\n| 3 | C | 1 | 2 | true |\n| 4 | D | | 2 | true |\n',
  'a sequence among others': `## Setup [SEQUENTIAL]\n${task('a: A')}${task('b: B')}${task('c: C')}\n## Rest\n${task('d: D → a')}`,
  'closing tasks of phases': `## One\n- check: "true"\n${task('a: A')}${task('b: B')}\n## Two\n- check: "true"\n${task('c: C')}${task('d: D → c')}`,
  'closing tasks in a sequence': `---\norder: sequential\nfinish: "true"\n---\n## One\n- check: "true"\n${task('a: A')}${task('b: B')}\n## Two\n- check: "true"\n${task('c: C')}`,
  'closing tasks of groups, and the last step': `---\nfinish: "true"\n---\n- [ ] g: G\n  - check: "true"\n${sub('a: A')}${sub('b: B → a')}${task('c: C → g')}${task('d: D')}`,
  'closing tasks in a plan with needs': `---\nfinish: "true"\n---\n## One\n- check: "true"\n${task('a: A')}${task('b: B → a')}\n## Two\n${task('c: C')}`,
  'needs and phases together': `---\norder: phases\n---\n## One\n${task('a: A')}${task('b: B → a')}\n## Two\n- [ ] g: G\n${sub('c: C')}${sub('d: D → c')}${task('e: E → g')}`,
};

interface Shape {
  /** Tasks that are no groups. */
  readonly leaves: string[];
  /** By group or phase: what is directly in it. */
  readonly members: Map<string, string[]>;
  /** [before, after] */
  readonly edges: [string, string][];
}

/** The leaves step by step, each as early as the shape allows. */
function steps({ leaves, members, edges }: Shape): string[][] {
  const inside = (id: string): string[] => (members.has(id) ? members.get(id)!.flatMap(inside) : [id]);
  const waits = new Map<string, Set<string>>(leaves.map((id) => [id, new Set()]));
  for (const [from, to] of edges)
    for (const id of inside(to)) for (const other of inside(from)) waits.get(id)!.add(other);
  const depth = (id: string): number => Math.max(0, ...[...waits.get(id)!].map((other) => depth(other) + 1));
  const found: string[][] = [];
  for (const id of leaves) {
    found[depth(id)] ??= [];
    found[depth(id)]!.push(id);
  }
  return found.map((ids) => ids.sort());
}

// biome-ignore lint/suspicious/noExplicitAny: what the program printed
function fromJson({ nodes, edges, barriers }: any): Shape {
  const members = new Map<string, string[]>();
  const put = (home: string, id: string) => members.set(home, [...(members.get(home) ?? []), id]);
  for (const { id, parent, phase } of nodes) {
    if (parent !== undefined) put(parent, id);
    else put(`phase ${phase}`, id);
  }
  return {
    leaves: nodes.flatMap(({ id, group }: { id: string; group?: true }) => (group ? [] : [id])),
    members,
    edges: [
      ...edges.map(({ from, to }: { from: string; to: string }) => [from, to]),
      ...barriers.map(({ from, to }: { from: number; to: number }) => [`phase ${from}`, `phase ${to}`]),
    ],
  };
}

/** Names of nodes are numbers; the label begins with the id. */
function fromText(
  text: string,
  forms: { open: RegExp; close: RegExp; leaf: RegExp; edge: (line: string) => [string, string] | null },
): Shape {
  const ids = new Map<string, string>();
  const members = new Map<string, string[]>();
  const open: string[] = [];
  const edges: [string, string][] = [];
  for (const line of text.split('\n')) {
    const [, group] = forms.open.exec(line) ?? [];
    const [, leaf, id] = forms.leaf.exec(line) ?? [];
    const edge = forms.edge(line);
    const home = open.at(-1);
    if (group !== undefined || leaf !== undefined) {
      if (home !== undefined) members.set(home, [...(members.get(home) ?? []), (group ?? leaf)!]);
      if (group === undefined) ids.set(leaf!, id!);
      else open.push(group);
    } else if (forms.close.test(line)) open.pop();
    else if (edge) edges.push(edge);
  }
  const named = (name: string) => ids.get(name) ?? name;
  return {
    leaves: [...ids.values()],
    members: new Map([...members].map(([home, inside]) => [home, inside.map(named)])),
    edges: edges.map(([from, to]) => [named(from), named(to)]),
  };
}

const fromDot = (text: string): Shape =>
  fromText(text, {
    open: /^\s+subgraph (cluster_\w+) \{/,
    close: /^\s+\}$/,
    leaf: /^\s+(n\d+) \[label="([^\\"]+)/,
    edge: (line) => {
      const found = /^\s+(n\d+) -> (n\d+)/.exec(line);
      if (!found) return null;
      const [, tail = found[1]!] = /ltail=(\w+)/.exec(line) ?? [];
      const [, head = found[2]!] = /lhead=(\w+)/.exec(line) ?? [];
      return [tail, head];
    },
  });

const fromMermaid = (text: string): Shape =>
  fromText(text, {
    open: /^\s+subgraph (\w+)\[/,
    close: /^\s+end$/,
    leaf: /^\s+(n\d+)\["<b>([^<]+)<\/b>/,
    edge: (line) => {
      const found = /^\s+(\w+) (?:-->|-\.->|==>) (\w+)$/.exec(line);
      return found ? [found[1]!, found[2]!] : null;
    },
  });

describe.each(Object.entries(plans))('%s', (_, text) => {
  const w = new Workspace({ 'plan.md': text });

  test('json, dot and mermaid show the steps of a dry run', async () => {
    const dry = (await w.run('run', 'plan.md', '--dry-run', '--json')).json;
    const expected = dry.waves.map(({ tasks }: { tasks: { id: string }[] }) => tasks.map(({ id }) => id).sort());
    const shapes = [
      fromJson((await w.run('graph', 'plan.md', '--json')).json),
      fromDot((await w.run('graph', 'plan.md', '--format', 'dot')).out),
      fromMermaid((await w.run('graph', 'plan.md')).out),
    ];
    for (const shape of shapes) {
      expect(steps(shape)).toEqual(expected);
      const edges = shape.edges.map(([from, to]) => `${from} → ${to}`);
      expect(edges).toEqual([...new Set(edges)]);
    }
  });

  test('svg has a line for each edge, and a word for each barrier', async () => {
    const { edges, barriers } = (await w.run('graph', 'plan.md', '--json')).json;
    const { out } = await w.run('graph', 'plan.md', '--format', 'svg');
    const [picture] = out.split('<g class="legend"');
    expect(picture!.match(/marker-end="url\(#tip\)" d="M/g)?.length ?? 0).toBeGreaterThanOrEqual(edges.length);
    expect(out.match(/after the phase before/g)?.length ?? 0).toBe(barriers.length);
  });
});

test('phases of a hundred tasks are joined by one edge, not by ten thousand', async () => {
  const many = (name: string) => Array.from({ length: 100 }, (_, i) => task(`${name}${i}: T`)).join('');
  const w = new Workspace({ 'plan.md': `## One\n${many('a')}\n## Two\n${many('b')}` });
  const dot = (await w.run('graph', 'plan.md', '--format', 'dot')).out;
  expect(dot.match(/->/g)).toHaveLength(1);
});

test.each(['x.png', 'x.PNG', 'x.pdf', 'x.jpg', 'x.html', 'x.txt'])(
  '--out %s is refused, and nothing is written',
  async (file) => {
    const w = new Workspace({ 'plan.md': task('a: A') });
    const { code, err } = await w.run('graph', 'plan.md', '--out', file);
    expect(code).toBe(2);
    expect(err).toContain(file);
    expect(err).toContain('.svg');
    expect(w.has(file)).toBe(false);
    for (const format of ['svg', 'dot', 'mermaid']) {
      if (file === 'x.txt') continue;
      expect((await w.run('graph', 'plan.md', '--format', format, '--out', file)).code).toBe(2);
    }
  },
);

test.each([
  ['x.SVG', '<svg'],
  ['x.gv', 'digraph'],
  ['x.mmd', 'flowchart'],
  ['x', 'flowchart'],
])('--out %s is made', async (file, begins) => {
  const w = new Workspace({ 'plan.md': task('a: A') });
  expect((await w.run('graph', 'plan.md', '--out', file)).code).toBe(0);
  expect(w.read(file)).toContain(begins);
});
