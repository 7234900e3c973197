// `signalbox logs ID`: the output of an attempt, without control characters that move the cursor or hide text.
import { PlainTextStream } from '../../api/look/plain-text.ts';
import { jsonLine } from '../json/json-line.ts';
import type { Request } from '../request.ts';
import { interruptible } from '../terminal/interruptible.ts';

export async function logs({ box, io, plan, args, flags }: Request): Promise<number> {
  const plain = new PlainTextStream();
  return interruptible(io, flags.follow === true, async (signal) => {
    const options = {
      signal,
      ...(flags.follow ? { follow: true } : {}),
      ...(flags.attempt === undefined ? {} : { attempt: flags.attempt }),
    };
    for await (const chunk of box.logs(plan, args[0]!, options)) {
      io.out(flags.json ? jsonLine(chunk) : plain.push(chunk.text));
      await io.drained();
    }
    if (!flags.json) io.out(plain.end());
  });
}
