// `signalbox cost [PLAN]`: what coding agents cost, by task or otherwise.
import { Refusal } from '../../api/refusal.ts';
import type { CostOfAttempt } from '../../api/reports/cost.ts';
import { countWords } from '../../core/model/count-words.ts';
import { jsonLine } from '../json/json-line.ts';
import { plainData } from '../json/plain-data.ts';
import type { Request } from '../request.ts';
import { describeCost } from '../text/describe/describe-cost.ts';
import { describeDay } from '../text/describe/describe-time.ts';
import { showTable } from '../text/show-table.ts';

/** What an attempt belongs to; by model it is several at once. */
const groups = {
  task: ({ task }: CostOfAttempt) => task,
  agent: ({ agent }: CostOfAttempt) => agent,
  attempt: ({ attempt, review }: CostOfAttempt) => (review ? `review of ${attempt}` : attempt),
  day: ({ endedAt }: CostOfAttempt) => describeDay(Date.parse(endedAt)),
  model: null,
} as const;

interface Line {
  usd: number;
  unknown: number;
  attempts: number;
  reviews: number;
  input: number;
  output: number;
  cached: number;
  /** Attempts and reviews that did not tell their tokens. */
  untold: number;
}

export async function cost({ box, io, paint, plan, flags }: Request): Promise<number> {
  const by = groupOf(flags.by);
  const report = await (await box.agents()).cost(plan);
  if (flags.json) {
    io.out(jsonLine(report));
    return 0;
  }
  const { usd, unpriced, attempts } = plainData(report);
  if (attempts.length === 0) {
    io.out('No attempt of a coding agent has ended here.\n');
    return 0;
  }
  const rows = [...grouped(attempts, by)].map(([name, line]) => [
    { text: name === '' ? '(not said)' : name, color: paint.bold },
    { text: describeCost(line) },
    { text: counted(line), color: paint.dim },
    { text: tokensOf(line), color: paint.dim },
  ]);
  io.out(showTable(rows, io.columns(), 3));
  const reviews = attempts.filter(({ review }) => review).length;
  const all = counted({ attempts: attempts.length - reviews, reviews });
  io.out(`\n${paint.bold(describeCost({ usd, unknown: unpriced }))} for ${all}\n`);
  return 0;
}

/** What is not known is never 0. */
function tokensOf({ input, cached, output, untold, attempts, reviews }: Line): string {
  if (untold === attempts + reviews) return 'tokens unknown';
  return `${short(input + cached)} tokens in, ${short(output)} out${untold > 0 ? ', and unknown' : ''}`;
}

/** "3 attempts, 1 review" */
function counted({ attempts, reviews }: Pick<Line, 'attempts' | 'reviews'>): string {
  const words = [
    ...(attempts > 0 ? [countWords(attempts, 'attempt')] : []),
    ...(reviews > 0 ? [countWords(reviews, 'review')] : []),
  ];
  return words.join(', ');
}

function groupOf(asked = 'task'): keyof typeof groups {
  if (Object.hasOwn(groups, asked)) return asked as keyof typeof groups;
  const instead = `use one of ${Object.keys(groups).join(', ')}`;
  throw new Refusal(2, `cost cannot be shown by ${JSON.stringify(asked)}`, { instead });
}

function grouped(attempts: readonly CostOfAttempt[], by: keyof typeof groups): Map<string, Line> {
  const lines = new Map<string, Line>();
  const add = (name: string, usd: number | null, models: CostOfAttempt['models'], isReview = false) => {
    const line = lines.get(name) ?? {
      usd: 0,
      unknown: 0,
      attempts: 0,
      reviews: 0,
      input: 0,
      output: 0,
      cached: 0,
      untold: 0,
    };
    lines.set(name, line);
    if (isReview) line.reviews++;
    else line.attempts++;
    if (usd === null) line.unknown++;
    else line.usd += usd;
    if (models.length === 0) line.untold++;
    for (const { input, output, cached, cacheWrite } of models) {
      line.input += input + cacheWrite;
      line.output += output;
      line.cached += cached;
    }
  };
  const nameOf = groups[by];
  for (const attempt of attempts) {
    if (nameOf) add(nameOf(attempt), attempt.usd, attempt.models, attempt.review);
    else if (attempt.models.length === 0) add('', attempt.usd, [], attempt.review);
    // One that used a single model cost what it cost.
    else
      for (const model of attempt.models)
        add(model.model, attempt.models.length === 1 ? attempt.usd : model.usd, [model], attempt.review);
  }
  return lines;
}

/** 1234567: 1.2M */
function short(tokens: number): string {
  if (tokens < 1_000) return `${tokens}`;
  return tokens < 1_000_000 ? `${(tokens / 1_000).toFixed(1)}k` : `${(tokens / 1_000_000).toFixed(1)}M`;
}
