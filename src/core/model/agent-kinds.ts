// The names of agent kinds, where the readers of settings and those who start programs can both see them.

/** Coding agents that Signalbox knows: their name is an agent, and needs no settings. */
export const codingAgentKinds = ['claude', 'codex', 'opencode', 'gemini'] as const;
export type CodingAgentKind = (typeof codingAgentKinds)[number];

/** What `kind:` in the settings can name. `shell` is not among them: it performs `run:`. */
export const agentKinds = ['command', ...codingAgentKinds] as const;
export type AgentKindName = (typeof agentKinds)[number];
