// The plugin that opencode loads for an attempt. It has hooks that are functions, where other programs call a command: so it calls ours and
// tells it what the others do. Whatever goes wrong denies the call. The stream of opencode is about the conversation with the root agent alone,
// so the plugin adds lines to it: what subagents call and use, in the form of the others, which model answers, until when a refused request
// waits, and what else the program has loaded.

/** @param url its own, as the configuration names it @param hook what is called, by a shell; null: nobody is asked before a call */
export const opencodePlugin = (url: string, hook: string | null): string => `// Written by Signalbox for one attempt.
import { spawn } from 'node:child_process';

const url = ${JSON.stringify(url)};
const hook = ${JSON.stringify(hook)};

const ask = (event, { tool, callID }, args) =>
  new Promise((resolve, reject) => {
    const child = spawn('/bin/sh', ['-c', hook], { stdio: ['pipe', 'pipe', 'pipe'] });
    let said = '';
    let error = '';
    child.stdout.on('data', (text) => { said += text; });
    child.stderr.on('data', (text) => { error += text; });
    child.stdin.on('error', () => {});
    child.on('error', reject);
    child.on('close', (code) => {
      if (code !== 0) return reject(new Error(error.trim() || 'the hook of Signalbox ended with code ' + code));
      try {
        const answer = said.trim() === '' ? {} : JSON.parse(said);
        if (answer.decision === 'block') reject(new Error(answer.reason));
        else resolve(answer.hookSpecificOutput?.additionalContext);
      } catch (wrong) {
        reject(wrong);
      }
    });
    child.stdin.end(JSON.stringify({ hook_event_name: event, tool_name: tool, tool_use_id: callID, tool_input: args, cwd: process.cwd() }));
  });

const hooks = {
  'tool.execute.before': async (call, { args }) => { await ask('PreToolUse', call, args); },
  'tool.execute.after': async (call, output) => {
    if (call.tool !== 'bash') return;
    const note = await ask('PostToolUse', call, call.args).catch((error) => error.message);
    if (note) output.output += '\\n\\n' + note;
  },
};

const tell = (line) => process.stdout.write(JSON.stringify(line) + '\\n');

const others = ({ plugin = [], mcp = {} }) => ({
  plugins: plugin.map((one) => (Array.isArray(one) ? one[0] : one)).filter((one) => one !== url),
  servers: Object.keys(mcp).filter((name) => mcp[name]?.enabled !== false),
});

const subagents = new Set();
const models = new Map();
const told = new Set();

const typeOf = ({ type, state }) => {
  if (type === 'step-finish') return 'step_finish';
  return type === 'tool' && (state?.status === 'completed' || state?.status === 'error') ? 'tool_use' : null;
};

const meet = ({ id, sessionID, providerID, modelID }) => {
  if (models.has(id)) return;
  const model = providerID + '/' + modelID;
  models.set(id, model);
  if (!subagents.has(sessionID)) tell({ type: 'model', timestamp: Date.now(), sessionID, message: id, model });
};

// Events come here before the program prints them: told at once, a wait would stand before the calls that it follows, as if it were over.
const laterMs = 10_000;
const waits = new Map();
const wait = (id, { type, message, next }) => {
  clearTimeout(waits.get(id));
  if (type !== 'retry') return;
  const session = subagents.has(id) ? { subagent: id } : { sessionID: id };
  const line = { type, timestamp: Date.now(), ...session, message, next };
  waits.set(id, setTimeout(() => tell(line), laterMs).unref());
};

const hear = ({ type: event, properties: { info, part, sessionID, status } = {} }) => {
  if (event.startsWith('session.') && info?.parentID) subagents.add(info.id);
  if (event === 'message.updated' && info?.modelID) meet(info);
  if (event === 'session.status' && status) wait(sessionID, status);
  if (event !== 'message.part.updated' || !subagents.has(part?.sessionID)) return;
  const type = typeOf(part);
  if (type === null || told.has(part.id)) return;
  told.add(part.id);
  tell({ type, timestamp: Date.now(), subagent: part.sessionID, model: models.get(part.messageID), part });
};

export const Signalbox = async () => ({
  config: async (config) => { tell({ type: 'loaded', ...others(config) }); },
  event: async ({ event }) => { hear(event); },
  ...(hook === null ? {} : hooks),
});
`;
