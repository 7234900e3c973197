// Text in a picture: how wide it is about, in lines that fit, and harmless inside XML whatever a plan contains.

/** In parts of the font size; measured on the usual sans-serif fonts, rather too wide than too narrow. */
export function textWidth(text: string, fontSize: number): number {
  let width = 0;
  for (const c of text) width += charWidth(c);
  return width * fontSize;
}

function charWidth(c: string): number {
  if (/[ilIj|!'.,:;·]/.test(c)) return 0.3;
  if (/[frt()[\]{}\-/\\ "*`]/.test(c)) return 0.39;
  if (/[mwMW@%—…]/.test(c)) return 0.9;
  if (/[A-Z&#]/.test(c)) return 0.7;
  if (c.codePointAt(0)! < 0x1100) return 0.57;
  return /\p{M}/u.test(c) ? 0 : 1.05;
}

/** At most `most` lines, broken between words, and inside of one only when it is too long; what is left out shows as "…". */
export function wrapText(text: string, width: number, fontSize: number, most: number): string[] {
  const lines: string[] = [];
  let line = '';
  const fits = (candidate: string) => textWidth(candidate, fontSize) <= width;
  for (const word of text.slice(0, 2000).split(/\s+/).filter(Boolean)) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (fits(longer)) {
      line = longer;
      continue;
    }
    if (line !== '') lines.push(line);
    line = word;
    while (!fits(line) && lines.length < most) {
      const head = headOf(line, width, fontSize);
      lines.push(head);
      line = line.slice(head.length);
    }
    if (lines.length >= most) break;
  }
  if (line !== '') lines.push(line);
  if (lines.length <= most) return lines;
  const last = lines[most - 1]!;
  return [...lines.slice(0, most - 1), `${headOf(last, width - fontSize, fontSize).trimEnd()}…`];
}

function headOf(text: string, width: number, fontSize: number): string {
  let head = '';
  for (const c of text) {
    if (head !== '' && textWidth(head + c, fontSize) > width) break;
    head += c;
  }
  return head;
}

/** What XML cannot carry, what turns the direction of text, lone surrogates. */
const forbidden = /[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069\ufffe\uffff]|\p{Cs}/gu;
const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export const plainLabel = (text: string): string => text.replace(/[\t\r\n]+/g, ' ').replace(forbidden, '\ufffd');

/** For text and for attribute values. */
export const xmlText = (text: string): string => plainLabel(text).replace(/[&<>"']/g, (c) => entities[c]!);
