// Who waits for whom, in numbers: one node for each owner, one edge for each holder that stands in the way of a request. Kept up to
// date by every fact, in flat arrays, so that looking for a cycle touches no object: a chain of 100,000 owners is followed in a
// fraction of a millisecond. Who stands before whom in a queue is only counted here. Ten thousand waiters for one key are fifty
// million such pairs, and most are found through others; whoever searches is asked for them (`QueueOrder`) where there are any.

/** Visits, while the graph is searched, what a node waits for by the order of a queue. */
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
  /** The only node that this one waits for, whoever asks: most have one, and a chain is followed by it alone. */
  private sole = new Int32Array(16).fill(none);
  /** The number of the last search that came here; a double counts further than anybody will search. */
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

  /** That has no edges any more. */
  removeNode(node: number): void {
    this.freeNodes.push(node);
  }

  /** From one who waits to one who holds. */
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

  /** One more, or one less, request of the one node that conflicts with an earlier request of the other. */
  countPair(later: number, earlier: number, change: 1 | -1): void {
    this.pairsAhead[later]! += change;
    this.pairsBehind[earlier]! += change;
    this.findSole(later);
  }

  /** False: nobody waits for this node, so no cycle goes through it. */
  isWaitedFor(node: number): boolean {
    return this.edgesIn[node]! + this.pairsBehind[node]! > 0;
  }

  /** Whether somebody waits for what this node holds, not only behind it in a queue. */
  isHeldFrom(node: number): boolean {
    return this.edgesIn[node]! > 0;
  }

  /** Whether some way from what `order` visits first leads to this node. */
  reaches(start: number, order: QueueOrder, without: readonly number[]): boolean {
    this.begin(start, without);
    order.visitFirst();
    const { seen, sole, search } = this;
    while (!this.isFound && this.top > 0) {
      let node = this.stack[--this.top]!;
      for (let only = sole[node]!; only !== none; only = sole[node]!) {
        if (only === start) return true;
        // What it leads to was, or will be, looked at.
        if (seen[only] === search) break;
        seen[only] = search;
        node = only;
      }
      if (sole[node] === none) this.visitNext(node, order);
    }
    return this.isFound;
  }

  /** The nodes by how far they are from the start, up to the first that wait for it. Only where `reaches` says that some do. */
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

  /** @param without as if they had been looked at, and led nowhere. */
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
