// The difference of two texts by lines, in the unified form. The shortest one (Myers), as long as that takes bounded work; texts that
// have less in common are shown as one replaced by the other.

const context = 3;
/** Edits that are searched for; memory and time grow with their square. */
const mostEdits = 2000;

/** Empty when the texts are the same. */
export function lineDiff(before: string, after: string): string {
  if (before === after) return '';
  const a = linesOf(before);
  const b = linesOf(after);
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  const middle = editsOf(a.slice(start, a.length - end), b.slice(start, b.length - end));
  const edits: Edit[] = [...a.slice(0, start).map(keep), ...middle, ...a.slice(a.length - end).map(keep)];
  return hunksOf(edits);
}

type Edit = readonly [' ' | '-' | '+', string];
const keep = (line: string): Edit => [' ', line];

/** Each with its line end, so that a missing one at the end is a difference too. */
const linesOf = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

function editsOf(a: readonly string[], b: readonly string[]): Edit[] {
  const trace = searchPath(a, b);
  if (trace === null) return [...a.map((line): Edit => ['-', line]), ...b.map((line): Edit => ['+', line])];
  const edits: Edit[] = [];
  let [x, y] = [a.length, b.length];
  for (let d = trace.length - 1; d >= 0; d--) {
    const reached = trace[d]!;
    const k = x - y;
    const down = isDown(reached, d, k);
    const fromK = down ? k + 1 : k - 1;
    const fromX = d === 0 ? 0 : at(reached, fromK);
    const fromY = d === 0 ? 0 : fromX - fromK;
    while (x > fromX && y > fromY) {
      edits.push(keep(a[--x]!));
      y--;
    }
    if (d === 0) break;
    if (down) edits.push(['+', b[--y]!]);
    else edits.push(['-', a[--x]!]);
  }
  return edits.reverse();
}

/** How far each diagonal was reached before each number of edits; null when there would be too many of them. */
function searchPath(a: readonly string[], b: readonly string[]): Int32Array[] | null {
  const most = Math.min(a.length + b.length, mostEdits);
  const trace: Int32Array[] = [];
  let reached = new Int32Array(3);
  for (let d = 0; d <= most; d++) {
    trace.push(reached);
    const next = new Int32Array(2 * (d + 1) + 3);
    next.set(reached, 1);
    for (let k = -d; k <= d; k += 2) {
      let x = d === 0 ? 0 : isDown(reached, d, k) ? at(reached, k + 1) : at(reached, k - 1) + 1;
      let y = x - k;
      while (x < a.length && y < b.length && a[x] === b[y]) {
        x++;
        y++;
      }
      next[k + (next.length - 1) / 2] = x;
      if (x >= a.length && y >= b.length) return trace;
    }
    reached = next;
  }
  return null;
}

const at = (reached: Int32Array, k: number) => reached[k + (reached.length - 1) / 2]!;
const isDown = (reached: Int32Array, d: number, k: number) =>
  k === -d || (k !== d && at(reached, k - 1) < at(reached, k + 1));

function hunksOf(edits: readonly Edit[]): string {
  let text = '';
  let [oldLine, newLine, i] = [1, 1, 0];
  while (i < edits.length) {
    const first = edits.findIndex(([sign], j) => j >= i && sign !== ' ');
    if (first < 0) break;
    const begin = Math.max(i, first - context);
    oldLine += begin - i;
    newLine += begin - i;
    let end = first + 1;
    for (let j = end, quiet = 0; j < edits.length && quiet <= 2 * context; j++) {
      quiet = edits[j]![0] === ' ' ? quiet + 1 : 0;
      if (quiet === 0) end = j + 1;
    }
    end = Math.min(edits.length, end + context);
    const hunk = edits.slice(begin, end);
    const olds = hunk.filter(([sign]) => sign !== '+').length;
    const news = hunk.filter(([sign]) => sign !== '-').length;
    text += `@@ -${olds === 0 ? oldLine - 1 : oldLine},${olds} +${news === 0 ? newLine - 1 : newLine},${news} @@\n`;
    for (const [sign, line] of hunk)
      text += sign + (line.endsWith('\n') ? line : `${line}\n\\ No newline at end of file\n`);
    oldLine += olds;
    newLine += news;
    i = end;
  }
  return text;
}
