// The table of coding agents: a line for each, under the name that plans and settings call it by. They need no settings.
export { claude } from './claude.ts';
export { codex } from './codex.ts';
export { gemini } from './gemini.ts';
export { opencode } from './opencode.ts';
