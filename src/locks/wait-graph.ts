// Who waits for whom: one node for each owner, one edge for each holder in the way of a request. Every fact updates it, in flat arrays, so
// a search touches no objects: a chain of 100,000 owners takes a fraction of a millisecond. The order in queues is only counted here,
// because ten thousand waiters for one key make fifty million pairs. A search asks its caller for them (`QueueOrder`).

/** Visits the nodes that a node waits for by the order of a queue. */
export interface QueueOrder {
  visitFirst(): void;
  visitBefore(node: number): void;
}

const none = -1;

export class WaitGraph {
  // By node.
  private firstEdge = new Int32Array(16).fill(none);
  private edgesOut = new Int32Array(16);
  private edgesIn = new Int32Array(16);
  private pairsAhead = new Int32Array(16);
  private pairsBehind = new Int32Array(16);
  /** The only node that this one waits for: most have just one, and a chain is followed by this alone. */
  private sole = new Int32Array(16).fill(none);
  /** The number of the last search that came here, as a double: it never overflows. */
  private seen = new Float64Array(16);
  private stack = new Int32Array(16);
  private readonly freeNodes: number[] = [];
  private nodes = 0;
  // By edge.
  private from = new Int32Array(16);
  private to = new Int32Array(16);
  private next = new Int32Array(16);
  private previous = new Int32Array(16);
  private readonly freeEdges: number[] = [];
  private edges = 0;
  // Of the search.
  private search = 0;
  private start = none;
  private top = 0;
  private isFound = false;

  addNode(): number {
    const free = this.freeNodes.pop();
    if (free !== undefined) return free;
    if (this.nodes === this.sole.length) this.growNodes();
    return this.nodes++;
  }

  /** For a node without edges. */
  removeNode(node: number): void {
    this.freeNodes.push(node);
  }

  /** An edge from a waiter to a holder. */
  connect(from: number, to: number): number {
    if (this.freeEdges.length === 0 && this.edges === this.to.length) this.growEdges();
    const edge = this.freeEdges.pop() ?? this.edges++;
    const first = this.firstEdge[from]!;
    this.from[edge] = from;
    this.to[edge] = to;
    this.next[edge] = first;
    this.previous[edge] = none;
    if (first !== none) this.previous[first] = edge;
    this.firstEdge[from] = edge;
    this.edgesOut[from]! += 1;
    this.edgesIn[to]! += 1;
    this.findSole(from);
    return edge;
  }

  disconnect(edge: number): void {
    const from = this.from[edge]!;
    const [next, previous] = [this.next[edge]!, this.previous[edge]!];
    if (next !== none) this.previous[next] = previous;
    if (previous === none) this.firstEdge[from] = next;
    else this.next[previous] = next;
    this.edgesOut[from]! -= 1;
    this.edgesIn[this.to[edge]!]! -= 1;
    this.freeEdges.push(edge);
    this.findSole(from);
  }

  /** One request more, or less, of the first node that conflicts with an earlier request of the second. */
  countPair(later: number, earlier: number, change: 1 | -1): void {
    this.pairsAhead[later]! += change;
    this.pairsBehind[earlier]! += change;
    this.findSole(later);
  }

  /** False: no node waits for this one, so no cycle goes through it. */
  isWaitedFor(node: number): boolean {
    return this.edgesIn[node]! + this.pairsBehind[node]! > 0;
  }

  /** Whether a node waits for a hold of this one, not only behind it in a queue. */
  isHeldFrom(node: number): boolean {
    return this.edgesIn[node]! > 0;
  }

  /** Whether a path from the first nodes that `order` visits leads to this node. */
  reaches(start: number, order: QueueOrder, without: readonly number[]): boolean {
    this.begin(start, without);
    order.visitFirst();
    const { seen, sole, search } = this;
    while (!this.isFound && this.top > 0) {
      let node = this.stack[--this.top]!;
      for (let only = sole[node]!; only !== none; only = sole[node]!) {
        if (only === start) return true;
        // Its targets were, or will be, searched.
        if (seen[only] === search) break;
        seen[only] = search;
        node = only;
      }
      if (sole[node] === none) this.visitNext(node, order);
    }
    return this.isFound;
  }

  /** The nodes by distance from the start, up to the first that wait for it. Only after `reaches` was true. */
  levels(start: number, order: QueueOrder, without: readonly number[]): number[][] {
    this.begin(start, without);
    order.visitFirst();
    const levels: number[][] = [];
    while (!this.isFound && this.top > 0) {
      const level = Array.from(this.stack.subarray(0, this.top));
      this.top = 0;
      for (const node of level) this.visitNext(node, order);
      levels.push(level);
    }
    return levels;
  }

  visit(node: number): void {
    if (node === this.start) this.isFound = true;
    else if (this.seen[node] !== this.search) {
      this.seen[node] = this.search;
      this.stack[this.top++] = node;
    }
  }

  /** In this search; the start itself never is. */
  isVisited(node: number): boolean {
    return this.seen[node] === this.search;
  }

  /** @param without nodes that count as searched, without a path. */
  private begin(start: number, without: readonly number[]): void {
    this.search++;
    for (const node of without) this.seen[node] = this.search;
    this.start = start;
    this.top = 0;
    this.isFound = false;
  }

  private visitNext(node: number, order: QueueOrder): void {
    for (let edge = this.firstEdge[node]!; edge !== none; edge = this.next[edge]!) this.visit(this.to[edge]!);
    if (this.pairsAhead[node]! > 0) order.visitBefore(node);
  }

  private findSole(node: number): void {
    const isSole = this.edgesOut[node] === 1 && this.pairsAhead[node] === 0;
    this.sole[node] = isSole ? this.to[this.firstEdge[node]!]! : none;
  }

  private growNodes(): void {
    this.firstEdge = twice(this.firstEdge);
    this.edgesOut = twice(this.edgesOut);
    this.edgesIn = twice(this.edgesIn);
    this.pairsAhead = twice(this.pairsAhead);
    this.pairsBehind = twice(this.pairsBehind);
    this.sole = twice(this.sole);
    this.firstEdge.fill(none, this.nodes);
    this.sole.fill(none, this.nodes);
    this.stack = twice(this.stack);
    const seen = new Float64Array(this.nodes * 2);
    seen.set(this.seen);
    this.seen = seen;
  }

  private growEdges(): void {
    this.from = twice(this.from);
    this.to = twice(this.to);
    this.next = twice(this.next);
    this.previous = twice(this.previous);
  }
}

function twice(numbers: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const more = new Int32Array(numbers.length * 2);
  more.set(numbers);
  return more;
}
