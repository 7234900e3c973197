// `signalbox events [PLAN]`: the log, one line per event.
import type { StoredEvent } from '../../core/model/event.ts';
import { eventJson } from '../json/event-json.ts';
import { jsonLine } from '../json/json-line.ts';
import { plainEvent } from '../json/plain-event.ts';
import type { Request } from '../request.ts';
import { interruptible } from '../terminal/interruptible.ts';
import { wrapWords } from '../terminal/whole-words.ts';
import { describeEvent, describeEventFully } from '../text/describe/describe-event.ts';
import { describeMoment, describeTime } from '../text/describe/describe-time.ts';

export async function events(request: Request): Promise<number> {
  const { box, io, plan, flags } = request;
  return interruptible(io, flags.follow === true, async (signal) => {
    const options = {
      signal,
      ...(flags.follow ? { follow: true } : {}),
      ...(flags.after === undefined ? {} : { after: flags.after }),
    };
    for await (const event of box.events(plan, options)) {
      io.out(flags.json ? jsonLine(eventJson(event)) : line(event, request));
      await io.drained();
    }
  });
}

function line(event: StoredEvent, { io, paint, flags }: Request): string {
  const shown = plainEvent(event);
  const words = flags.verbose ? describeEventFully(shown) : describeEvent(shown);
  const time = flags.absolute ? describeMoment(event.at) : describeTime(event.at, io.now());
  const place = `${String(event.seq).padStart(5)}  ${time}`;
  const color = colors[event.type];
  const whole = `${paint.dim(place)}  ${color === undefined ? words : paint[color](words)}`;
  return `${wrapWords(whole, io.columns(), ' '.repeat(place.length + 2)).join('\n')}\n`;
}

const colors: Partial<Record<StoredEvent['type'], 'green' | 'red' | 'yellow' | 'bold'>> = {
  'run-started': 'bold',
  'run-ended': 'bold',
  'task-completed': 'green',
  'task-failed': 'red',
  'plan-stuck': 'red',
  'retry-scheduled': 'yellow',
  'deadlock-detected': 'red',
  'lock-refused': 'red',
  'deadlock-resolved': 'green',
};
