// Which phase a task belongs to. A heading becomes a phase when it has tasks, or keys above tasks of a deeper heading;
// the others are chapters of prose. Boxes under "Acceptance criteria" and the like are no tasks.
import { quoted } from '../../diagnostics/diagnostic.ts';
import type { Place, Report } from '../../diagnostics/report.ts';
import type { Draft, RawPhase } from '../raw-plan.ts';
import { type Attribute, readAttribute, readItem } from './attribute.ts';
import { hasSequentialMark, withoutSequentialMark } from './sequential-mark.ts';

interface Heading extends Place {
  readonly level: number;
  readonly name: string;
  readonly criteria: Criteria | null;
  /** Items before the first task: keys of the phase, or prose. */
  readonly items: Attribute[];
  /** Items that are wrong if it becomes a phase, and prose otherwise. */
  readonly doubtful: Doubtful[];
  /** `[SEQUENTIAL]` */
  sequential: boolean;
  /** Index of the phase; -1 as long as it is none. */
  phase: number;
}

/** What a phase has from the headings around it. */
interface Around {
  /** The innermost heading that says "Phase", if any. */
  readonly phase: Heading | null;
  /** The outermost heading, or this one, that says `[SEQUENTIAL]`. */
  readonly sequence: Heading | null;
}

interface Doubtful {
  readonly word: string;
  /** The key that is nearly there; null for one that is known, but not here. */
  readonly meant: string | null;
  readonly at: Place;
}

/** Boxes there are criteria for a person or an agent, or commands that check. */
export type Criteria = 'accept' | 'check';

export class Headings {
  title: string | null = null;
  saysPhase: Place | null = null;
  readonly phases: Draft<RawPhase>[] = [];
  /** By phase. */
  readonly around: Around[] = [];
  /** The first one stands for what comes before every heading. */
  private open: Heading[] = [root()];
  private readonly report: Report;

  constructor(report: Report) {
    this.report = report;
  }

  get criteria(): Criteria | null {
    return this.open.find((heading) => heading.criteria !== null)?.criteria ?? null;
  }

  /** Those that are open here, the outermost first. Marks may still be added to them. */
  get path(): readonly { readonly sequential: boolean }[] {
    return this.open;
  }

  /** Of the innermost heading. */
  get name(): string {
    return this.open[this.open.length - 1]!.name;
  }

  enter(level: number, name: string, at: Place): void {
    if (level === 1 && this.title === null && this.phases.length === 0) {
      this.title = name;
      this.open = this.open.slice(0, 1);
      return;
    }
    if (/\bphase\b/i.test(name)) this.saysPhase ??= at;
    this.leave(level);
    const sequential = hasSequentialMark(name);
    const plain = sequential ? withoutSequentialMark(name) : name;
    const criteria = criteriaLabel(plain);
    this.open.push({ level, name: plain, criteria, items: [], doubtful: [], sequential, phase: -1, ...at });
  }

  /** Closes every heading of this level or a deeper one. */
  leave(level: number): void {
    this.open = this.open.filter((heading) => heading.level < level);
  }

  /** The innermost heading's tasks follow each other. */
  markSequential(): void {
    const last = this.open[this.open.length - 1]!;
    last.sequential = true;
    if (last.phase >= 0) this.around[last.phase] = this.readAround();
  }

  private readAround(): Around {
    const phase = this.open.findLast((heading) => /\bphase\b/i.test(heading.name)) ?? null;
    return { phase, sequence: this.open.find((heading) => heading.sequential) ?? null };
  }

  /** The phase of a task that stands here. */
  phaseOfTask(): number {
    const last = this.open[this.open.length - 1]!;
    if (last.phase >= 0) return last.phase;
    for (const heading of this.open) if (heading.phase < 0) this.enterPhase(heading);
    return last.phase;
  }

  /** A list item outside every task. Returns its attribute while it may still grow. */
  addItem(text: string, at: Place): Attribute | null {
    const heading = this.open[this.open.length - 1]!;
    const reading = readItem(text, at, 'phase');
    if (reading.kind === 'prose') return null;
    if (heading.phase >= 0) {
      if (reading.kind === 'attribute') this.misplaced(reading.attribute.key.name, at);
      if (reading.kind === 'misplaced') this.misplaced(reading.word, at);
      return null;
    }
    if (reading.kind === 'misplaced') heading.doubtful.push({ word: reading.word, meant: null, at });
    else if (reading.kind === 'near') heading.doubtful.push({ word: reading.word, meant: reading.meant, at });
    else heading.items.push(reading.attribute);
    return reading.kind === 'attribute' ? reading.attribute : null;
  }

  /** A box under a heading such as "Verify": a command checks the phase around it; anything else only people can read. */
  addCriterion(command: string | null, at: Place): void {
    const around = this.open.findLast((heading) => heading.criteria === null && heading.phase >= 0);
    const phase = around && this.phases[around.phase];
    if (phase && command !== null) addChecks(phase, [command]);
    else {
      this.report.warning({
        code: 'loose-criterion',
        message: 'this box is not a task, and belongs to none: nothing will look at it',
        ...at,
        help: 'criteria of a task stand under it: `- accept: …` or `- check: …`',
      });
    }
  }

  private enterPhase(heading: Heading): void {
    const isInnermost = heading === this.open[this.open.length - 1];
    if (!isInnermost && heading.level === 0) return this.settleIntroduction(heading);
    if (!isInnermost && heading.items.length === 0) return;
    heading.phase = this.phases.length;
    const phase: Draft<RawPhase> = { name: heading.name };
    this.phases.push(phase);
    this.around.push(this.readAround());
    for (const { word, meant, at } of heading.doubtful) {
      if (meant === null) this.misplaced(word, at);
      else this.near(word, meant, at);
    }
    for (const item of heading.items) {
      const value = readAttribute(item, this.report);
      if (value === undefined) continue;
      if (item.key.name === 'check') addChecks(phase, value as string[]);
      else phase.batch = value as boolean;
    }
  }

  /** Before the first heading there is prose; what looks like a key there is told, once. */
  private settleIntroduction({ items, doubtful }: Heading): void {
    const known = doubtful.filter(({ meant }) => meant === null).map(({ word, at }) => ({ name: word, at }));
    for (const { name, at } of [...items.map((item) => ({ name: item.key.name, at: item })), ...known]) {
      this.report.warning({
        code: 'key-in-prose',
        message: `${quoted(`${name}:`)} is prose here, before the first phase`,
        line: at.line,
        column: at.column,
        length: name.length,
        help: 'keys for every task stand in the front matter, between two `---` lines at the top',
      });
    }
    items.length = 0;
    doubtful.length = 0;
  }

  private misplaced(name: string, at: Place): void {
    this.report.error({
      code: 'misplaced-key',
      message: `${quoted(name)} stands outside every task`,
      ...at,
      length: name.length,
      help: 'indent it under its task; for every task it goes in the front matter; phases know `check` and `batch`, before their first task',
    });
  }

  private near(word: string, meant: string, at: Place): void {
    this.report.error({
      code: 'unknown-key',
      message: `there is no key ${quoted(word)}`,
      ...at,
      length: word.length,
      help: `did you mean \`${meant}\`? Prose must not look like a key`,
    });
  }
}

/** In place: twenty thousand boxes under one heading would be copied as often. */
function addChecks(phase: Draft<RawPhase>, commands: readonly string[]): void {
  const checks = (phase.check as string[] | undefined) ?? [];
  for (const command of commands) checks.push(command);
  phase.check = checks;
}

const root = (): Heading => ({
  level: 0,
  name: '',
  criteria: null,
  items: [],
  doubtful: [],
  sequential: false,
  phase: -1,
  line: 1,
  column: 1,
});

const labels: ReadonlyMap<string, Criteria> = new Map([
  ['acceptance criteria', 'accept'],
  ['acceptance', 'accept'],
  ['verify', 'check'],
  ['verification', 'check'],
]);

/** Whether a heading or a line announces criteria. */
export function criteriaLabel(text: string): Criteria | null {
  if (text.length > 40 || !/^[av*_#]/i.test(text)) return null;
  const plain = text
    .replace(/[*_:#]/g, '')
    .trim()
    .toLowerCase();
  return labels.get(plain) ?? null;
}
