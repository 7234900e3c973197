// The plugin that opencode loads for an attempt. It has hooks that are functions, where other programs call a command: so it calls ours and
// tells it what the others do. Whatever goes wrong denies the call.

/** @param hook what is called, by a shell */
export const opencodePlugin = (hook: string): string => `// Written by Signalbox for one attempt.
import { spawn } from 'node:child_process';

const ask = (event, { tool, callID }, args) =>
  new Promise((resolve, reject) => {
    const child = spawn('/bin/sh', ['-c', ${JSON.stringify(hook)}], { stdio: ['pipe', 'pipe', 'pipe'] });
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

export const Signalbox = async () => ({
  'tool.execute.before': async (call, { args }) => { await ask('PreToolUse', call, args); },
  'tool.execute.after': async (call, output) => {
    if (call.tool !== 'bash') return;
    const note = await ask('PostToolUse', call, call.args).catch((error) => error.message);
    if (note) output.output += '\\n\\n' + note;
  },
});
`;
