// `signalbox graph [PLAN]`: the plan as a picture on standard output or in a file; the drawing is done behind the door.
import { Refusal } from '../../api/refusal.ts';
import type { GraphFormat } from '../../api/signalbox.ts';
import { countWords } from '../count-words.ts';
import { jsonLine } from '../json-line.ts';
import { plainData } from '../plain-data.ts';
import type { Request } from '../request.ts';

const formats: readonly GraphFormat[] = ['mermaid', 'dot', 'svg'];

export async function graph({ box, io, paint, plan, flags }: Request): Promise<number> {
  const { json, out } = flags;
  const format = json && flags.format === undefined && out === undefined ? undefined : formatOf(flags.format, out);
  const report = await box.graph(plan, {
    ...(format === undefined ? {} : { format }),
    ...(out === undefined ? {} : { out }),
  });
  if (json) {
    io.out(jsonLine(report));
    return 0;
  }
  const { text, file, folded } = report.picture!;
  if (file === null) {
    io.out(text);
    await io.drained();
  } else {
    const tasks = report.nodes.filter(({ group }) => !group).length;
    io.out(
      `${paint.bold(plainData(file))}: ${countWords(tasks, 'task')}, ${countWords(report.edges.length, 'edge')}\n`,
    );
  }
  if (folded > 0) {
    const boxes = countWords(folded, 'closed box', 'closed boxes');
    io.err(`signalbox: a large plan: ${boxes} stand for the tasks in them; --json has them all\n`);
  }
  return 0;
}

/** What was asked for, else what the name of the file says. */
function formatOf(asked: string | undefined, out: string | undefined): GraphFormat {
  if (asked === undefined) {
    if (out?.endsWith('.svg')) return 'svg';
    return out?.endsWith('.dot') || out?.endsWith('.gv') ? 'dot' : 'mermaid';
  }
  const format = formats.find((name) => name === asked);
  if (format) return format;
  throw new Refusal(2, `there is no format "${asked}"`, { instead: `take one of ${formats.join(', ')}` });
}
