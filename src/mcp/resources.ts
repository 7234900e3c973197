// What can be read: the known plans with their status, and of the current plan the findings and the end of the log of each task.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type McpServer, ResourceTemplate } from '@modelcontextprotocol/server';
import type { Signalbox } from '../api/signalbox.ts';
import { type Perform, printedBy } from './perform-tool.ts';

export interface Reading {
  readonly perform: () => Perform;
  readonly open: () => Promise<Signalbox>;
}

/** Of a log, its end: the rest is in `signalbox logs`. */
const mostOfLog = 32_000;

export function offerResources(server: McpServer, { perform, open }: Reading): void {
  const plans = async (kind: string) => {
    const { plans: known } = await during(open, (box) => box.plans());
    return {
      resources: known.map(({ plan, title }) => ({ uri: `signalbox://${kind}/${plan}`, name: `${title} (${kind})` })),
    };
  };
  const printed = async (...argv: readonly string[]): Promise<string> => {
    const { text, exitCode } = await printedBy(argv, perform());
    if (exitCode !== 0) throw new Error(text.trim());
    return text;
  };
  server.registerResource(
    'plan',
    new ResourceTemplate('signalbox://plan/{+plan}', { list: () => plans('plan') }),
    { description: 'The text of a plan that is known here.', mimeType: 'text/markdown' },
    async (uri, { plan }) => ({ contents: [{ uri: uri.href, text: await planText(open, String(plan)) }] }),
  );
  server.registerResource(
    'status',
    new ResourceTemplate('signalbox://status/{+plan}', { list: () => plans('status') }),
    {
      description: 'The status of every task of a plan, as signalbox status --json prints it.',
      mimeType: 'application/json',
    },
    async (uri, { plan }) => ({
      contents: [
        { uri: uri.href, text: await printed('status', `--plan=${plan}`, '--json'), mimeType: 'application/json' },
      ],
    }),
  );
  server.registerResource(
    'findings',
    new ResourceTemplate('signalbox://findings/{task}', { list: undefined }),
    { description: 'What was written about a task of the current plan.', mimeType: 'text/markdown' },
    async (uri, { task }) => ({
      contents: [{ uri: uri.href, text: await printed('read-findings', '--', String(task)) }],
    }),
  );
  server.registerResource(
    'log',
    new ResourceTemplate('signalbox://log/{task}', { list: undefined }),
    { description: 'The end of what the last attempt at a task of the current plan printed.', mimeType: 'text/plain' },
    async (uri, { task }) => {
      const text = await printed('logs', '--', String(task));
      return { contents: [{ uri: uri.href, text: text.slice(-mostOfLog) }] };
    },
  );
}

/** Only of a plan that is known: this is no way to any other file. */
async function planText(open: Reading['open'], plan: string): Promise<string> {
  return during(open, async (box) => {
    const { plans } = await box.plans();
    if (!plans.some((known) => known.plan === plan)) throw new Error(`no plan ${plan} is known here`);
    return readFileSync(join(box.root, plan), 'utf8');
  });
}

async function during<T>(open: Reading['open'], look: (box: Signalbox) => Promise<T>): Promise<T> {
  const box = await open();
  try {
    return await look(box);
  } finally {
    await box.close();
  }
}
