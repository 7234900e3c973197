// Colours, or none: all coloured text goes through here, so NO_COLOR holds everywhere. Packages for colours examine the terminal
// when they are loaded, which costs a small command a sixth of its time.

const codes = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  blue: [34, 39],
  cyan: [36, 39],
} as const;

export type Paint = Readonly<Record<keyof typeof codes, (text: string) => string>>;

export function paintFor(color: boolean): Paint {
  const names = Object.keys(codes) as (keyof typeof codes)[];
  return Object.fromEntries(names.map((name) => [name, color ? painter(name) : asItIs])) as Paint;
}

const asItIs = (text: string) => text;

/** Painted text inside ends its own colour, so ours begins again after it. */
function painter(name: keyof typeof codes): (text: string) => string {
  const [on, off] = [`\x1b[${codes[name][0]}m`, `\x1b[${codes[name][1]}m`];
  return (text) => on + text.replaceAll(off, off + on) + off;
}
