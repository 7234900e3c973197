// The coding agents that Signalbox knows, under the names that plans, settings and `init --mcp` call them by. `init` prefers the first.

export const codingAgents = ['claude', 'codex', 'opencode', 'gemini'] as const;

export type CodingAgent = (typeof codingAgents)[number];
