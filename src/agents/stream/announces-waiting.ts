// Whether the last message of an agent announces that it waits for something. Nothing calls it back, so its work may be half done; a person
// is told. A closed list of wordings: what a model says changes no status.
import { plainLine } from '../sanitize-terminal.ts';
import { cutLine } from './call-line.ts';

const ill = String.raw`\bI(?: will|['’]ll|(?: am|['’]m) going to)`;
const im = String.raw`\bI(?: am|['’]m)(?: now| still)?`;
const work = '(?:build|test|command|process|task|script|server|job|run|agent|subagent)s?';
const wordings = [
  `${ill} (?:be|get) notified`,
  `${ill} (?:check back|wait for|be called back|be woken)`,
  `${ill} (?:check|report back|come back|continue|resume|proceed|follow up|finish) (?:again )?(?:when|once|as soon as)`,
  `${im} waiting (?:for|on|until)`,
  String.raw`(?:^|[.!\n]\s*)(?:now |still )?waiting (?:for|on) `,
  `${work} (?:is|are) (?:still |now )?running in the background`,
  String.raw`\bscheduled? a wake-?up`,
].map((wording) => new RegExp(wording, 'i'));

const mostRead = 2_000;
const longest = 200;

/** The sentence that says so; null: none does. */
export function announcesWaiting(said: string): string | null {
  const end = said.slice(-mostRead);
  for (const wording of wordings) {
    const found = wording.exec(end);
    if (found === null) continue;
    const begin = found.index + found[0].search(/[^.!\s]/);
    const before = Math.max(...['. ', '! ', '\n'].map((mark) => end.lastIndexOf(mark, begin - 1)));
    const sentence = /^.*?(?:[.!?](?=\s|$)|\n|$)/.exec(end.slice(before + 1).trimStart())![0];
    return cutLine(plainLine(sentence).trim(), longest);
  }
  return null;
}
