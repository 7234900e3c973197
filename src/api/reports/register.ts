// What `init --mcp` registers with a person's own agents, and takes back.
import { codingAgents } from '../../core/model/coding-agents.ts';
import { described, flag, list, object, one, type Shown, text, texts } from './schema-words.ts';

const leftAlone = list(
  object({ path: text, because: described(text, 'Completes a sentence that begins with the path.') }),
);

const fields = {
  agent: one(...codingAgents),
  path: described(text, 'The settings file of the agent.'),
  diff: described(text, 'In the unified form, without the lines around it.'),
  calls: described(
    list(texts),
    'The agent changes its settings itself: what it is called with. Empty: the file is written.',
  ),
};

export type RegisterReport = Shown<typeof registerReport>;
export const registerReport = object({
  agents: described(texts, 'The kinds that were named.'),
  command: described(texts, 'What agents start the server with.'),
  decide: described(flag, 'The server may answer decisions.'),
  changes: list(
    object({
      ...fields,
      action: described(one('create', 'add', 'replace'), 'replace: another server of this name is there.'),
    }),
  ),
  leftAlone: described(leftAlone, 'Where it is registered already.'),
  notes: described(texts, 'What a person should know about it.'),
  written: described(flag, 'False: it was only shown, or there was nothing to write.'),
});

export type UnregisterReport = Shown<typeof unregisterReport>;
export const unregisterReport = object({
  agents: texts,
  changes: list(
    object({ ...fields, action: described(one('remove', 'cut', 'restore'), 'restore: as it was before init.') }),
  ),
  stays: described(leftAlone, 'What init wrote and somebody has changed since. It is not taken back.'),
  written: flag,
});
