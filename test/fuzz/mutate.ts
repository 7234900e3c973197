// Small damage to a text, as editors, merges, copying and agents do it; and as nobody does it.
import type { Random } from '../sim/random.ts';
import { hazards } from './grammar.ts';

export function mutate(random: Random, text: string, lines: readonly string[]): string {
  let changed = text;
  for (let left = random.spread(1, 6); left > 0; left--) changed = damage(random, changed, lines);
  return changed.length > 20_000 ? changed.slice(0, 20_000) : changed;
}

function damage(random: Random, text: string, lines: readonly string[]): string {
  const at = random.int(0, text.length);
  const to = Math.min(text.length, at + random.spread(1, 40));
  switch (random.int(0, 12)) {
    case 0:
      return text.slice(0, at) + text.slice(to);
    case 1:
      return text.slice(0, at) + random.pick(hazards) + text.slice(at);
    case 2:
      return text.slice(0, at) + random.pick(hazards) + text.slice(to);
    case 3:
      return text.slice(0, at) + text.slice(at, to).repeat(random.spread(2, 60)) + text.slice(to);
    case 4:
      return text.slice(0, at) + String.fromCharCode(random.spread(1, 0xffff)) + text.slice(at + 1);
    case 5:
      return onLines(text, (all) => all.splice(random.int(0, all.length), 0, random.pick(lines)));
    case 6:
      return onLines(text, (all) => all.splice(random.int(0, all.length - 1), 1));
    case 7:
      return onLines(text, (all) => all.splice(random.int(0, all.length), 0, all[random.int(0, all.length - 1)]!));
    case 8:
      return onLines(text, (all) => {
        const [i, j] = [random.int(0, all.length - 1), random.int(0, all.length - 1)];
        [all[i], all[j]] = [all[j]!, all[i]!];
      });
    case 9:
      return onLines(text, (all) => {
        const i = random.int(0, all.length - 1);
        all[i] = random.chance(0.5) ? random.pick(['  ', '\t', ' ', '    ']) + all[i] : all[i]!.slice(random.int(1, 2));
      });
    case 10:
      return text.slice(0, at);
    case 11:
      return text.replaceAll('\n', random.pick(['\r\n', '\r', '\n\n', '\n', ' ']));
    default:
      return text.slice(at) + text.slice(0, at);
  }
}

function onLines(text: string, change: (lines: string[]) => unknown): string {
  const all = text.split('\n');
  change(all);
  return all.join('\n');
}
