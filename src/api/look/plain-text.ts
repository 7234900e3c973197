// Makes text of plans and agents safe for a terminal. Faces show no such text that has not been through here.
export { PlainTextStream, plainLine, plainText } from '../../agents/sanitize-terminal.ts';
