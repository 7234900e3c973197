// What cannot be read in a settings file of an agent, and where.

export class SettingsMistake extends Error {
  readonly line: number;

  constructor(text: string, at: number, what: string) {
    super(what);
    this.name = 'SettingsMistake';
    this.line = text.slice(0, at).split('\n').length;
  }
}

/** Nobody nests settings this deep, and reading goes as deep as the text. */
export const mostDepth = 100;
