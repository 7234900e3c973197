// The coding agents that help and `init` name, the preferred one first. A kind works in plans and settings without being here; here it is also
// offered, and the compiler asks `api/register` how its MCP server is registered.

export const codingAgents = ['claude', 'codex', 'opencode', 'gemini'] as const;

export type CodingAgent = (typeof codingAgents)[number];
