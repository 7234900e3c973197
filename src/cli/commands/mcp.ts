// `signalbox mcp`: hands over to the server, which is a face of its own.
import type { AloneRequest } from '../request.ts';

export async function mcp({ serve, io, flags }: AloneRequest): Promise<number> {
  const { agent, decide } = flags;
  if (io.interactive) io.err('Serving agents, which start this themselves. Ctrl-D ends it.\n');
  await serve({ ...(agent === undefined ? {} : { agent }), decides: decide === true });
  return 0;
}
