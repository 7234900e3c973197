// A run as a person watches it: events become scrolling lines, with the live block below them. Events wait for the plan's titles,
// so the first line is as good as the last.
import type { StatusReport } from '../../api/reports/status.ts';
import { countWords, numberWords } from '../../core/model/count-words.ts';
import type { StoredEvent } from '../../core/model/event.ts';
import type { Io } from '../io.ts';
import { safeLine } from '../json/plain-data.ts';
import { plainEvent } from '../json/plain-event.ts';
import type { Request } from '../request.ts';
import { LiveScreen } from '../terminal/live-screen.ts';
import type { Paint } from '../terminal/paint.ts';
import { runningWords } from '../terminal/progress-bar.ts';
import { describeEventFully } from '../text/describe/describe-event.ts';
import { describeTime } from '../text/describe/describe-time.ts';
import { signs } from '../text/signs.ts';
import { liveBlock } from './live-block.ts';
import { isTrouble, limitLines, runLines } from './run-lines.ts';
import { RunProgress } from './run-progress.ts';

export interface RunStreamOptions {
  readonly io: Io;
  readonly paint: Paint;
  readonly verbose: boolean;
  /** Only warnings and failures are printed. */
  readonly quiet: boolean;
  /** Where the plan stands; asked once, when the run begins. */
  readonly status: () => Promise<StatusReport>;
  /** The tasks that are being worked on, and what their agents do; asked now and then. */
  readonly underWay: () => Promise<StatusReport>;
  /** Events that this terminal caused; they are not printed again. */
  readonly knows: (event: StoredEvent) => boolean;
}

/** @param knows see `RunStreamOptions` */
export const streamFor = ({ box, io, paint, plan, flags }: Request, knows: RunStreamOptions['knows']): RunStream =>
  new RunStream({
    ...{ io, paint, knows, verbose: flags.verbose === true, quiet: flags.quiet === true },
    status: () => box.status(plan),
    underWay: () => box.status(plan, { underWay: true }),
  });

const actionsMs = 1_000;

class RunStream {
  readonly progress = new RunProgress();
  private readonly options: RunStreamOptions;
  private readonly screen: LiveScreen;
  private held: StoredEvent[] | null = [];
  private learning: Promise<void> | null = null;
  private isClosed = false;
  private unwatch: () => void = () => undefined;

  constructor(options: RunStreamOptions) {
    this.options = options;
    const { io, paint } = options;
    this.screen = new LiveScreen(io, () =>
      this.progress.startedAt === 0 || options.quiet
        ? []
        : liveBlock(this.progress, { columns: io.columns(), rows: io.rows(), now: io.now(), paint }),
    );
  }

  events(events: readonly StoredEvent[]): void {
    if (this.held) {
      for (const event of events) this.held.push(event);
      if (events.some(({ type }) => type === 'run-started')) this.learning ??= this.learn();
    } else this.show(events);
  }

  /** A run that goes on in another process: where it stands, and everything from now on. */
  async join(pid: number, begunAt: number): Promise<void> {
    this.progress.startedAt = begunAt;
    this.learning ??= this.learn();
    await this.learning;
    const { io, paint } = this.options;
    const { totalTasks, completed, skipped, failed } = this.progress.counts();
    const parts = [
      `${numberWords(completed + skipped)} of ${countWords(totalTasks, 'task')} done`,
      ...runningWords(this.progress.running.size, 0),
      ...(failed > 0 ? [`${failed} failed`] : []),
      ...(this.progress.paused ? ['paused'] : []),
    ];
    const title = this.progress.title === '' ? '' : `${paint.bold(this.progress.title)}  `;
    const since = `Process ${pid} has been running it since ${describeTime(begunAt, io.now())}. Ctrl-C leaves it running.`;
    const limits = limitLines(this.progress, io.now(), paint);
    this.screen.print([`${title}${paint.dim(parts.join(' · '))}`, paint.dim(since), ...limits]);
  }

  say(text: string): void {
    this.screen.print([`${this.options.paint.yellow(signs.stopping)}  ${text}`]);
  }

  notice(text: string, kind: 'warning' | 'remark'): void {
    const { paint, quiet } = this.options;
    if (quiet && kind === 'remark') return;
    const line = safeLine(text);
    this.screen.print([kind === 'warning' ? `${paint.yellow(signs.warning)}  ${line}` : paint.dim(line)]);
  }

  /** Afterwards every line is on the screen, and the block is gone. */
  async close(): Promise<void> {
    await this.learning;
    this.isClosed = true;
    this.unwatch();
    this.release();
    this.screen.close();
  }

  private async learn(): Promise<void> {
    // Titles and counts are a comfort; the run is shown without them if need be.
    const report = await this.options.status().catch(() => null);
    if (report) this.progress.learn(report, this.held ?? []);
    this.release();
    if (this.options.io.live && !this.options.quiet) this.watchActions();
  }

  /** What agents do is no event. */
  private watchActions(): void {
    this.unwatch = this.options.io.after(actionsMs, async () => {
      const report = this.progress.isToAskAbout ? await this.options.underWay().catch(() => null) : null;
      if (this.isClosed) return;
      if (report && this.progress.act(report)) this.screen.changed();
      this.watchActions();
    });
  }

  private release(): void {
    const events = this.held ?? [];
    this.held = null;
    this.show(events);
  }

  private show(events: readonly StoredEvent[]): void {
    const lines: string[] = [];
    for (const event of events) {
      const plain = plainEvent(event);
      this.progress.apply(plain);
      if (this.options.verbose) lines.push(this.full(plain));
      else if (!this.options.knows(plain) && (isTrouble(plain) || !this.options.quiet))
        lines.push(...runLines(plain, this.progress, this.options.paint));
    }
    if (lines.length > 0) this.screen.print(lines);
    else if (events.length > 0) this.screen.changed();
  }

  private full(event: StoredEvent): string {
    const { io, paint } = this.options;
    const color = event.type === 'task-failed' ? paint.red : event.type === 'task-completed' ? paint.green : String;
    return `${paint.dim(`${event.seq}  ${describeTime(event.at, io.now())}`)}  ${color(describeEventFully(event))}`;
  }
}
