// The commands of the first day in a repository.
import { codingAgents } from '../../core/model/coding-agents.ts';
import type { CommandSpec } from './command-spec.ts';

export const setupCommands: readonly CommandSpec[] = [
  {
    name: 'init',
    group: 'everyday',
    summary: 'set up a repository: settings, a first plan, ignore rules',
    plan: 'none',
    flags: [
      { flags: '--yes', about: 'write it without asking' },
      { flags: '--dry-run', about: 'show what would be written, and write nothing' },
      { flags: '--no-agents-md', about: 'leave AGENTS.md and CLAUDE.md alone' },
      { flags: '--undo', about: 'take back exactly what init wrote' },
      {
        flags: '--mcp <KINDS>',
        about: 'instead: register the MCP server with these agents of yours, separated by commas; may be repeated',
        parse: (text, before) => [
          ...((before as readonly string[] | undefined) ?? []),
          ...text.split(',').map((kind) => kind.trim()),
        ],
        choices: codingAgents,
      },
      { flags: '--decide', about: 'with --mcp: the agent may also answer decisions in your place' },
    ],
    notes:
      'It writes signalbox.yaml with the coding agent that is installed, plan.md, rules in .gitignore for what runs write, and a section in AGENTS.md for agents that work by hand; CLAUDE.md, if there is one, gets an import of it. It shows every change, then asks once. Nothing is overwritten: existing settings and plans stay as they are, and if plan.md is something else, the plan becomes first-plan.md. Everything goes into the root of the workspace, which is printed. If one of the files cannot be written, none is. --undo leaves what you have changed since, and what runs have recorded. --mcp writes nothing of that, and needs no workspace. It registers the server `signalbox mcp` for you, in every folder, in the settings of the agents that you name, and changes nothing else there. Plain --undo takes back what the workspace got; --mcp KINDS --undo takes back the registration. Exit code 0: done, or nothing to do; 1: --undo has left something that was changed; 4: nobody could be asked, so nothing was written.',
    examples: [
      'signalbox init',
      'signalbox init --yes',
      'signalbox init --undo',
      'signalbox init --mcp claude,codex',
      'signalbox init --mcp codex --undo',
    ],
    load: async () => (await import('../init/init.ts')).init,
  },
  {
    name: 'mcp',
    group: 'care',
    summary: 'serve plans, locks and tasks to agents over MCP',
    plan: 'none',
    flags: [
      { flags: '--agent <NAME>', about: 'who the caller is; by default, named after its program and process' },
      {
        flags: '--decide',
        about: 'let the caller answer decisions; not about its own work, and never inside an attempt',
      },
    ],
    notes:
      'It speaks the Model Context Protocol on standard input and output, and ends when its input ends. You need not start it: agents that Signalbox starts have it, and signalbox init --mcp registers it for your own. Each tool is a command of Signalbox, with the same rules and reports. Inside an attempt the caller is that attempt. Anybody else is a guest, whose locks last for 30 minutes after its last call, or until it leaves.',
    examples: ['signalbox mcp', 'signalbox mcp --agent ann'],
    loadAlone: async () => (await import('../commands/mcp.ts')).mcp,
  },
];
