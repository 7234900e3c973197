// Whether one task waits for another, however far: asked a few times, about plans of any size, with a bound on all the looking.
import type { Graph } from '../../core/ready/graph.ts';

/** Of nodes and edges, over all questions. */
const mostSteps = 4_000_000;

export class WaitingOrder {
  private readonly graph: Graph;
  /** By node: its place in an order in which everything comes after what it waits for. */
  private readonly places: Int32Array;
  private readonly seen: Int32Array;
  private question = 0;
  private steps = 0;

  constructor(graph: Graph) {
    this.graph = graph;
    this.places = placesOf(graph);
    this.seen = new Int32Array(graph.nodes);
  }

  place(task: number): number {
    return this.places[task]!;
  }

  /** Whether `later` starts only when `earlier` has ended. Yes, when finding out would take too long. */
  waitsFor(later: number, earlier: number): boolean {
    const { offset, target } = this.graph.dependsOn;
    const floor = this.places[earlier]!;
    const question = ++this.question;
    const left = [later];
    for (let node = left.pop(); node !== undefined; node = left.pop()) {
      if (node === earlier || this.steps > mostSteps) return true;
      for (let e = offset[node]!; e < offset[node + 1]!; e++) {
        const to = target[e]!;
        this.steps++;
        // What comes before it in the order cannot wait for it.
        if (this.seen[to] === question || this.places[to]! < floor) continue;
        this.seen[to] = question;
        left.push(to);
      }
    }
    return false;
  }
}

function placesOf({ nodes, dependsOn, dependents }: Graph): Int32Array {
  const places = new Int32Array(nodes);
  const open = new Int32Array(nodes);
  const queue = new Int32Array(nodes);
  let length = 0;
  for (let n = 0; n < nodes; n++) {
    open[n] = dependsOn.offset[n + 1]! - dependsOn.offset[n]!;
    if (open[n] === 0) queue[length++] = n;
  }
  for (let next = 0; next < length; next++) {
    const node = queue[next]!;
    places[node] = next;
    for (let e = dependents.offset[node]!; e < dependents.offset[node + 1]!; e++) {
      const to = dependents.target[e]!;
      if (--open[to]! === 0) queue[length++] = to;
    }
  }
  return places;
}
