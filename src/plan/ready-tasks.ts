// Tasks that a fast reader makes as they will stay, one after the other, with nothing in between: no places and no references
// are kept. So nothing can be said about a mistake: at the first sign of one it is given up, and the text is read again by the
// general way, which has the words for it. A plan that is right pays for nothing else.
import { type TaskId, taskId } from '../core/ids.ts';
import type { Task, TaskKeys } from '../core/plan.ts';
import type { Codes } from './codes.ts';
import { IdIndex } from './id-index.ts';
import type { Key } from './keys.ts';
import { mostTasks } from './limits.ts';
import type { Draft } from './raw-plan.ts';
import { SeparatePaths } from './separate-files.ts';

/** A need of a task that stands further down. */
interface Ahead {
  readonly task: number;
  /** Among its needs. */
  readonly place: number;
  readonly edge: number;
  readonly word: string;
}

/** Arrows of any kind: `nearly-needs.ts` has the words for them. */
const mayMeanNeeds = /[<>\u2190-\u21ff\u2794-\u27ff\u2b00-\u2bff]/;

/** Shared by all that say nothing. */
const nothing: TaskKeys = Object.freeze({});

export class ReadyTasks {
  readonly tasks: Draft<Task>[] = [];
  readonly index: IdIndex;
  /** Every need is on a task further up. */
  get onlyBackwards(): boolean {
    return this.ahead.length === 0;
  }
  /** Some task names a need. */
  get hasNeeds(): boolean {
    return this.edges > 0;
  }
  /** Some task names a pool. */
  usesPools = false;

  /** Every file that a task claims was shown here, and no two of them have anything to do with each other. */
  areSeparate = true;
  private paths: SeparatePaths | null = null;

  // The task in hand.
  title = '';
  /** Whether there may be arrows in its title. */
  mayMeanNeeds: boolean;
  prompt: string | null = null;
  keys: Draft<TaskKeys> | null = null;
  ticked: NonNullable<Task['ticked']> | null = null;
  private id: TaskId = taskId('');
  /** Its needs: the first `count`. A list that is emptied would be made anew for every task. */
  private readonly words: TaskId[] = [];
  private count = 0;

  /** By key: the text that was its value last. */
  private readonly last = new Map<Key, string>();

  /** By task, where its needs start in `targets`; the tasks that they name. */
  private starts = new Int32Array(1024);
  private targets = new Int32Array(2048);
  private edges = 0;
  private readonly ahead: Ahead[] = [];

  private readonly text: Codes;

  /** How many there will be is guessed from the length of the text; should there be more, it costs a little more. */
  constructor(codes: Codes) {
    const { text } = codes;
    this.text = codes;
    this.index = new IdIndex(Math.min(text.length >> 6, 1 << 17));
    // A text of Latin letters alone is known to be one by the engine, and is not looked through for the first of these.
    this.mayMeanNeeds = /[^\0-\xff]/.test(text) || text.includes('<') || text.includes('>');
  }

  // Places are those of the part of the text that is shown.

  /** Its id stands there; false when there is one already, or too many. */
  begin(from: number, to: number): boolean {
    const id = this.index.addIn(this.text, from, to, this.tasks.length);
    if (id === undefined || this.tasks.length >= mostTasks) return false;
    this.id = taskId(id);
    this.title = '';
    this.prompt = null;
    this.keys = null;
    this.ticked = null;
    this.count = 0;
    if (this.tasks.length + 1 >= this.starts.length) this.starts = larger(this.starts);
    this.starts[this.tasks.length] = this.edges;
    return true;
  }

  /** The task in hand needs the one whose id stands there; false when it names itself. */
  need(from: number, to: number): boolean {
    const known = this.index.findIn(this.text.codes, from, to);
    return known === undefined ? this.needWord(this.text.cut(from, to)) : this.add(known);
  }

  needWord(word: string): boolean {
    const known = this.index.get(word);
    if (known !== undefined) return this.add(known);
    this.ahead.push({ task: this.tasks.length, place: this.count, edge: this.edges, word });
    this.words[this.count++] = taskId(word);
    this.addEdge(-1);
    return true;
  }

  private add(known: number): boolean {
    if (known === this.tasks.length) return false;
    this.words[this.count++] = this.tasks[known]!.id;
    this.addEdge(known);
    return true;
  }

  private addEdge(target: number): void {
    if (this.edges === this.targets.length) this.targets = larger(this.targets);
    this.targets[this.edges++] = target;
  }

  /** What stands there as the value of a key. Many tasks say the same, so that short ones are kept only once in a row. */
  cut(key: Key, from: number, to: number): string {
    const { text } = this;
    if (to - from > 12) return text.cut(from, to);
    const last = this.last.get(key);
    if (last !== undefined && last.length === to - from) {
      let i = from;
      while (i < to && text.codes[i] === last.charCodeAt(i - from)) i++;
      if (i === to) return last;
    }
    const found = text.cut(from, to);
    this.last.set(key, found);
    return found;
  }

  /** Sets a key of the task in hand; false when it has a value already. */
  put(field: string, value: unknown): boolean {
    this.keys ??= {};
    const keys = this.keys as Record<string, unknown>;
    // What nearly every task has, by name: any key by its field takes several times as long.
    switch (field) {
      case 'run':
        if (keys.run !== undefined) return false;
        keys.run = value;
        return true;
      case 'model':
        if (keys.model !== undefined) return false;
        keys.model = value;
        return true;
      case 'files':
        if (keys.files !== undefined) return false;
        keys.files = value;
        return true;
      case 'check':
        if (keys.check !== undefined) return false;
        keys.check = value;
        return true;
      default:
        if (keys[field] !== undefined) return false;
        keys[field] = value;
        return true;
    }
  }

  /** The task in hand claims the path that stands there. */
  claim(from: number, to: number): void {
    if (!this.areSeparate) return;
    this.paths ??= new SeparatePaths(Math.min(this.text.text.length >> 8, 1 << 18));
    this.areSeparate = this.paths.add(this.text.codes, from, to);
  }

  /** The task in hand is complete; false when it names a need twice, or may name one in its title. */
  end(line: number, phase: number): boolean {
    const { id, prompt, words, count } = this;
    const title = this.title === '' ? id : this.title;
    const keys = this.keys ?? nothing;
    if (keys.uses !== undefined) this.usesPools = true;
    if (this.mayMeanNeeds && mayMeanNeeds.test(title)) return false;
    // As a list of its own: one that grows keeps room for sixteen more.
    let needs: TaskId[] | undefined;
    if (count === 1) needs = [words[0]!];
    else if (count === 2) {
      if (words[0] === words[1]) return false;
      needs = [words[0]!, words[1]!];
    } else if (count > 2) {
      needs = words.slice(0, count);
      if (new Set(needs).size < count) return false;
    }
    let task: Draft<Task>;
    // A literal for each of the common sets of keys: one that is added later costs every one of 100,000 tasks a store of its own.
    if (needs === undefined)
      task = prompt === null ? { id, title, line, phase, keys } : { id, title, line, phase, keys, prompt };
    else
      task =
        prompt === null ? { id, title, line, phase, keys, needs } : { id, title, line, phase, keys, needs, prompt };
    if (this.ticked !== null) task.ticked = this.ticked;
    this.tasks.push(task);
    return true;
  }

  /** Nothing comes any more; false when a need names no task by its id. */
  settle(): boolean {
    for (const { task, place, edge, word } of this.ahead) {
      const found = this.index.get(word);
      if (found === undefined) return false;
      (this.tasks[task]!.needs as TaskId[])[place] = this.tasks[found]!.id;
      this.targets[edge] = found;
    }
    this.starts[this.tasks.length] = this.edges;
    return true;
  }

  /** Whether the needs alone are free of cycles: takes away, again and again, tasks that nobody is left to wait for. */
  get isAcyclic(): boolean {
    const { starts, targets } = this;
    const tasks = this.tasks.length;
    const waiting = new Int32Array(tasks);
    for (let edge = 0; edge < this.edges; edge++) waiting[targets[edge]!]!++;
    const free = new Int32Array(tasks);
    let found = 0;
    for (let task = tasks - 1; task >= 0; task--) if (waiting[task] === 0) free[found++] = task;
    for (let next = 0; next < found; next++) {
      const task = free[next]!;
      for (let edge = starts[task]!; edge < starts[task + 1]!; edge++) {
        const needed = targets[edge]!;
        if (--waiting[needed]! === 0) free[found++] = needed;
      }
    }
    return found === tasks;
  }
}

function larger(numbers: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const copy = new Int32Array(numbers.length * 2);
  copy.set(numbers);
  return copy;
}
