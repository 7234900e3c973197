// Reads a command line that has nothing unusual in it, straight from the command table. Commander takes as long to load as a
// small command takes altogether, so it is asked only for the rest: help, mistakes, and whatever is not plain.
import type { CommandSpec, FlagSpec } from './command-spec.ts';
import type { Flags } from './request.ts';

export interface PlainArguments {
  readonly args: readonly string[];
  readonly flags: Flags;
}

/** `words` come after the command's name. Null: not plain, or wrong. */
export function plainArguments(spec: CommandSpec, words: readonly string[]): PlainArguments | null {
  const args: string[] = [];
  const flags: Record<string, unknown> = {};
  for (let i = 0; i < words.length; i++) {
    const word = words[i]!;
    if (!word.startsWith('-')) {
      args.push(word);
      continue;
    }
    const cut = word.startsWith('--') ? word.indexOf('=') : -1;
    const found = findFlag(spec, cut === -1 ? word : word.slice(0, cut));
    if (!found) return null;
    const { key, takes, off, parse } = found;
    if (!takes) {
      if (cut !== -1) return null;
      flags[key] = !off;
      continue;
    }
    const value = cut === -1 ? words[++i] : word.slice(cut + 1);
    // A value that looks like a flag is more likely a forgotten value.
    if (value === undefined || value.startsWith('-')) return null;
    try {
      flags[key] = parse ? parse(value, flags[key]) : value;
    } catch {
      return null;
    }
  }
  return fits(spec, args.length) ? { args, flags: flags as Flags } : null;
}

function fits(spec: CommandSpec, given: number): boolean {
  const declared = spec.args ?? [];
  const needed = declared.filter(([name]) => name.startsWith('<')).length;
  const many = declared.some(([name]) => name.includes('...'));
  return given >= needed && (many || given <= declared.length);
}

interface PlainFlag {
  readonly key: string;
  readonly takes: boolean;
  /** `--no-…` switches something off. */
  readonly off: boolean;
  readonly parse?: FlagSpec['parse'];
}

const common: readonly FlagSpec[] = [
  { flags: '--json', about: '' },
  { flags: '--verbose', about: '' },
];
const plan: readonly FlagSpec[] = [{ flags: '--plan <PLAN>', about: '' }];

function findFlag(spec: CommandSpec, name: string): PlainFlag | null {
  const takesPlan = spec.plan === 'argument' || spec.plan === 'flag';
  for (const { flags, parse } of [...(spec.flags ?? []), ...common, ...(takesPlan ? plan : [])]) {
    const words = flags.split(/[ ,]+/);
    if (!words.includes(name)) continue;
    const long = words.find((word) => word.startsWith('--'))!;
    const off = long.startsWith('--no-');
    const key = long.slice(off ? 5 : 2).replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
    return { key, takes: flags.includes('<'), off, ...(parse ? { parse } : {}) };
  }
  return null;
}
