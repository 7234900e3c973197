// Agents in the simulation: nobody tells them anything, and nothing is seen of them but what the machine does.
import type { StartOrder } from '../../../src/agents/process/attempt-host.ts';
import type { Work } from '../../../src/runner/attempts/work.ts';
import type { Agents, FilesOfAttempts } from '../../../src/runner/machine.ts';

/** @param onOrder told of each before it is started. */
export function simAgents(onOrder: (work: Work) => void = () => undefined): Agents {
  const outputFile = ({ token }: { readonly token: number }) => `${token}`;
  return {
    before: () => null,
    isCodingAgent: () => false,
    orderFor: (work): StartOrder => {
      const { token, run, attempt } = work.live;
      onOrder(work);
      return { token, run, attempt, argv: ['/bin/agent'], cwd: '/', env: {}, outputFile: outputFile(work.live) };
    },
    adopted: () => undefined,
    seenOf: () => null,
    after: () => null,
    reviewOf: () => ({ by: 'nobody', answer: null }),
    mergeOf: () => null,
    outputFile,
    lastLine: () => undefined,
  };
}

/** For attempts that lock none. */
export const noFiles: FilesOfAttempts = {
  take: async () => undefined,
  save: async () => ({ saved: null, files: 0 }),
  putBack: async () => ({ left: [] }),
  forget: () => undefined,
};
