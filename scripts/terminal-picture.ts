// A terminal's screen as SVG, light and dark.

const cell = { width: 7.83, height: 18 };
const margin = { left: 16, top: 46, bottom: 14 };

/** The colours that Signalbox prints with, as the classes of the picture. */
const classes: Readonly<Record<string, string>> = {
  '1': 'bold',
  '2': 'dim',
  '31': 'red',
  '32': 'green',
  '33': 'yellow',
  '34': 'blue',
  '35': 'magenta',
  '36': 'cyan',
};

const style = `
text{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;font-size:13px;fill:#1f2328;white-space:pre}
.page{fill:#ffffff;stroke:#d1d9e0}.bar{fill:#f6f8fa}.dot{fill:#d1d9e0}.title,.dim{fill:#59636e}.bold{font-weight:700}
.red{fill:#cf222e}.green{fill:#1a7f37}.yellow{fill:#9a6700}.blue{fill:#0969da}.magenta{fill:#8250df}.cyan{fill:#1b7c83}
@media (prefers-color-scheme:dark){
text{fill:#e6edf3}.page{fill:#0d1117;stroke:#3d444d}.bar{fill:#151b23}.dot{fill:#3d444d}.title,.dim{fill:#9198a1}
.red{fill:#f85149}.green{fill:#3fb950}.yellow{fill:#d29922}.blue{fill:#4493f8}.magenta{fill:#ab7df8}.cyan{fill:#39c5cf}
}`;

/** @param lines with the escape sequences of colours, as tmux captures them */
export function terminalPicture(lines: readonly string[], columns: number, title: string): string {
  const width = Math.ceil(columns * cell.width + 2 * margin.left);
  const height = margin.top + lines.length * cell.height + margin.bottom;
  const dots = [0, 1, 2].map((i) => `<circle class="dot" cx="${18 + i * 18}" cy="15" r="5.5"/>`).join('');
  const pen = new Pen();
  const rows = lines.map((line, i) => pen.row(line, margin.top + i * cell.height)).join('\n');
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(title)}">
<title>${escaped(title)}</title>
<style>${style}</style>
<rect class="page" x=".5" y=".5" width="${width - 1}" height="${height - 1}" rx="8"/>
<path class="bar" d="M1 30V8a7 7 0 0 1 7-7h${width - 16}a7 7 0 0 1 7 7v22z"/>
${dots}<text class="title" x="${width / 2}" y="20" text-anchor="middle">${escaped(title)}</text>
${rows}
</svg>
`;
}

/** Colours go on over the ends of lines. */
class Pen {
  private looks: readonly string[] = [];

  /** Every piece stands at its own column: signs that a font has not are wider or narrower elsewhere. */
  row(line: string, y: number): string {
    let column = 0;
    const pieces: string[] = [];
    for (const [, sgr, text] of line.matchAll(/\u001b\[([\d;]*)m|([^\u001b]+)/g)) {
      if (text === undefined) this.looks = painted(this.looks, sgr!);
      else {
        for (const { 0: part, index } of text.matchAll(/\S+(?: \S+)*/g)) {
          const x = (margin.left + (column + width(text.slice(0, index))) * cell.width).toFixed(1);
          const look = this.looks.length > 0 ? ` class="${this.looks.join(' ')}"` : '';
          pieces.push(`<text x="${x}" y="${y}"${look}>${escaped(part)}</text>`);
        }
        column += width(text);
      }
    }
    return pieces.join('');
  }
}

function painted(before: readonly string[], sgr: string): readonly string[] {
  let now = before;
  for (const code of sgr.split(';')) {
    if (code === '' || code === '0') now = [];
    else if (code === '39') now = now.filter((look) => look === 'bold' || look === 'dim');
    else if (code === '22') now = now.filter((look) => look !== 'bold' && look !== 'dim');
    else if (code === '1' || code === '2') now = [...now, classes[code]!];
    else if (classes[code]) now = [...now.filter((look) => look === 'bold' || look === 'dim'), classes[code]];
  }
  return now;
}

const width = (text: string): number => [...text].length;
const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
