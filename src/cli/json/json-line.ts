// One object as one line of JSON. Control characters that JSON would leave as they are get escaped too: the line may be read
// on a terminal, and it means the same.

export function jsonLine(value: unknown): string {
  return `${JSON.stringify(value).replace(unescaped, escaped)}\n`;
}

const unescaped = /[\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;
const escaped = (c: string) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`;
