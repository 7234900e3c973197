// What comes from plans and agents, made safe for a terminal: faces show nothing of theirs that has not been through here.
export { PlainTextStream, plainLine, plainText } from '../agents/sanitize-terminal.ts';
