// `signalbox logs ID`: the output of an attempt, without control characters that move the cursor or hide text. The stream of a coding agent is
// made readable.
import { PlainTextStream } from '../../api/look/plain-text.ts';
import { jsonLine } from '../json/json-line.ts';
import { plainData } from '../json/plain-data.ts';
import type { Request } from '../request.ts';
import { interruptible } from '../terminal/interruptible.ts';
import { agentLogEnd } from '../text/agent-log-end.ts';

export async function logs({ box, io, plan, args, flags }: Request): Promise<number> {
  const plain = new PlainTextStream();
  // In a file the bytes matter; a terminal would obey some of them.
  const isAsItIs = flags.raw === true && io.columns() === Number.POSITIVE_INFINITY;
  return interruptible(io, flags.follow === true, async (signal) => {
    const options = {
      signal,
      ...(flags.follow ? { follow: true } : {}),
      ...(flags.attempt === undefined ? {} : { attempt: flags.attempt }),
      ...(flags.raw || flags.json ? {} : { readable: true }),
    };
    for await (const { end, ...chunk } of box.logs(plan, args[0]!, options)) {
      io.out(flags.json ? jsonLine(chunk) : isAsItIs ? chunk.text : plain.push(chunk.text));
      if (end && !signal.aborted) io.out(`${agentLogEnd(plainData(end), io.now()).join('\n')}\n`);
      await io.drained();
    }
    if (!flags.json) io.out(plain.end());
  });
}
