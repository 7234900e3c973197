// `signalbox graph [PLAN]`: the plan as a picture on standard output or in a file. The api draws it.
import { Refusal } from '../../api/refusal.ts';
import type { GraphFormat } from '../../api/reports/graph.ts';
import { countWords } from '../../core/model/count-words.ts';
import { jsonLine } from '../json/json-line.ts';
import { plainData } from '../json/plain-data.ts';
import type { Request } from '../request.ts';

const formats: readonly GraphFormat[] = ['mermaid', 'dot', 'svg'];

export async function graph(request: Request): Promise<number> {
  const { box, io, paint, plan, flags } = request;
  if (flags.waits) return graphOfWaits(request);
  const { json } = flags;
  const report = await box.graph(plan, graphOptions(flags));
  if (json) {
    io.out(jsonLine(report));
    return 0;
  }
  const { text, file, folded } = report.picture!;
  if (file === null) {
    io.out(text);
    await io.drained();
  } else {
    const tasks = report.nodes.filter(({ group, closes }) => !group && closes === undefined).length;
    io.out(
      `${paint.bold(plainData(file))}: ${countWords(tasks, 'task')}, ${countWords(report.edges.length, 'edge')}\n`,
    );
  }
  if (folded > 0) {
    const boxes = countWords(folded, 'closed box', 'closed boxes');
    io.err(`signalbox: this plan is large: ${boxes} stand for the tasks in them; --json lists them all\n`);
  }
  return 0;
}

async function graphOfWaits({ box, io, paint, plan, flags }: Request): Promise<number> {
  if (plan !== undefined) {
    throw new Refusal(2, '--waits draws who waits in the whole workspace, not in one plan', {
      instead: 'leave the plan out',
    });
  }
  const report = await (await box.locks()).waits(graphOptions(flags));
  if (flags.json) {
    io.out(jsonLine(report));
    return 0;
  }
  const { text, file } = report.picture!;
  const waiting = report.parties.filter(({ waitsFor }) => waitsFor.length > 0).length;
  const words = waiting === 0 ? 'nobody waits for a lock' : `${waiting} ${waiting === 1 ? 'waits' : 'wait'} for locks`;
  if (file !== null) io.out(`${paint.bold(plainData(file))}: ${words}\n`);
  else {
    io.out(text);
    await io.drained();
    // Standard error, because the picture may go to a program.
    if (waiting === 0) io.err('Nobody waits for a lock.\n');
  }
  for (const cycle of plainData(report.deadlocks)) io.err(`${paint.red('deadlock')}: ${cycle}\n`);
  return 0;
}

/** With `--json` alone no picture is drawn. */
function graphOptions({ json, format, out }: Request['flags']) {
  const isDrawn = !json || format !== undefined || out !== undefined;
  return { ...(isDrawn ? { format: formatOf(format, out) } : {}), ...(out === undefined ? {} : { out }) };
}

/** `--format`, else the ending of the file's name. */
function formatOf(asked: string | undefined, out: string | undefined): GraphFormat {
  const format = formats.find((name) => name === asked);
  if (asked !== undefined && !format)
    throw new Refusal(2, `there is no format "${asked}"`, { instead: `use one of ${formats.join(', ')}` });
  const ending = out === undefined ? '' : (/[^./]\.([^./]+)$/.exec(out)?.[1]?.toLowerCase() ?? '');
  const named = endings.get(ending);
  // Whoever names the format may call the file `notes.txt`; but no program opens a drawing that says it is a photograph.
  const isRefused = format === undefined ? ending !== '' && !named : others.has(ending) || (named ?? format) !== format;
  if (isRefused)
    throw new Refusal(
      2,
      `${out} cannot be written: ${format ?? 'a picture'} ends with ${endingsOf(format)}, not with .${ending}`,
      { instead: 'name such a file; other programs make further formats of it' },
    );
  return format ?? named ?? 'mermaid';
}

const endings: ReadonlyMap<string, GraphFormat> = new Map([
  ['svg', 'svg'],
  ['dot', 'dot'],
  ['gv', 'dot'],
  ['mmd', 'mermaid'],
  ['mermaid', 'mermaid'],
]);
const endingsOf = (format: GraphFormat | undefined): string =>
  [...endings].flatMap(([ending, of]) => (format === undefined || of === format ? `.${ending}` : [])).join(' or ');
/** Formats that this program cannot write. */
const others = new Set(['png', 'jpg', 'jpeg', 'gif', 'webp', 'bmp', 'pdf', 'ps', 'eps', 'html', 'htm', 'tiff']);
