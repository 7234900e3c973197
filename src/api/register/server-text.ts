// How one MCP server stands in the text of a settings file. All of it is pure: a form of settings is these three functions.

/** The server as data: its command, and the keys that a person has set beside it. */
export type Entry = Readonly<Record<string, unknown>>;

export interface ServerText {
  /** Null: it is not there. Throws a `SettingsMistake` where the text cannot be read. */
  readonly find: (text: string) => Entry | null;
  /** Adds it. If it is there, these keys get these values, and what a person has set beside them stays. */
  readonly set: (text: string, entry: Entry) => string;
  /** Cuts it out, and what held it if that is empty then. */
  readonly cut: (text: string) => string;
}

/** The line end that the text has. */
export const lineEndOf = (text: string): string => (/^[^\n]*\r\n/.test(text) ? '\r\n' : '\n');
