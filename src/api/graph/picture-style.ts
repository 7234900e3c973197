// How a status looks in a picture: its colours in light and in dark, and its symbol, drawn and not written, because not every
// font has them all.
import type { Status } from '../../core/state/state.ts';

export interface StatusLook {
  readonly word: string;
  readonly light: Colours;
  readonly dark: Colours;
  /** Inside a circle of radius 7 around 0 0. */
  readonly symbol: string;
}

interface Colours {
  readonly fill: string;
  readonly line: string;
}

const solid = '<circle r="7" class="disc"/>';
const hollow = '<circle r="6.2" class="ring"/>';

export const statusLooks: Readonly<Record<Status, StatusLook>> = {
  completed: {
    word: 'completed',
    light: { fill: '#e6f6ea', line: '#1f883d' },
    dark: { fill: '#12261e', line: '#3fb950' },
    symbol: `${solid}<path class="mark" d="M-3.2 .2 -1 2.6 3.4 -2.4"/>`,
  },
  in_progress: {
    word: 'running',
    light: { fill: '#e3f1fd', line: '#0969da' },
    dark: { fill: '#10233f', line: '#4493f8' },
    symbol: `${solid}<path class="mark full" d="M-1.8 -3 3.2 0 -1.8 3z"/>`,
  },
  failed: {
    word: 'failed',
    light: { fill: '#ffecea', line: '#cf222e' },
    dark: { fill: '#301618', line: '#f85149' },
    symbol: `${solid}<path class="mark" d="M-2.6 -2.6 2.6 2.6M2.6 -2.6 -2.6 2.6"/>`,
  },
  blocked: {
    word: 'blocked',
    light: { fill: '#fff5d6', line: '#9a6700' },
    dark: { fill: '#2b2111', line: '#d29922' },
    symbol: `${hollow}<path class="ring" d="M-4.2 4.2 4.2 -4.2"/>`,
  },
  suspended: {
    word: 'suspended',
    light: { fill: '#f6edff', line: '#8250df' },
    dark: { fill: '#241a35', line: '#ab7df8' },
    symbol: `${solid}<path class="mark" d="M-2 -2.8V2.8M2 -2.8V2.8"/>`,
  },
  skipped: {
    word: 'skipped',
    light: { fill: '#f2f3f5', line: '#8c959f' },
    dark: { fill: '#15191f', line: '#6e7681' },
    symbol: `${hollow}<path class="ring" d="M-3 0H3"/>`,
  },
  pending: {
    word: 'pending',
    light: { fill: '#ffffff', line: '#6e7781' },
    dark: { fill: '#1b2028', line: '#8b949e' },
    symbol: hollow,
  },
};

export const statusOrder = Object.keys(statusLooks) as Status[];

/** Plain rules without variables: also viewers that know no more than SVG 1.1 show them. */
export function styleSheet(): string {
  const shades = (tone: 'light' | 'dark') =>
    statusOrder
      .map((status) => {
        const { fill, line } = statusLooks[status][tone];
        const s = `.${status}`;
        return `${s} .box{fill:${fill};stroke:${line}}${s} .id,${s} .count{fill:${line}}${s} .disc{fill:${line}}${s} .ring{stroke:${line}}`;
      })
      .join('\n');
  return `
text{font-family:system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,"DejaVu Sans",sans-serif;font-size:13px;fill:#1f2328}
.page{fill:#ffffff}.h1{font-size:21px;font-weight:650}.sub,.legend{font-size:12px;fill:#59636e}
.band{fill:#f6f8fa;stroke:#d9dee3}.phase{font-size:13px;font-weight:650;fill:#59636e}
.box{stroke-width:1.3}.group .box{fill-opacity:.45;stroke-dasharray:none}.optional .box{stroke-dasharray:5 4}
.id,.count{font-size:11px;font-weight:650}.group .name{font-weight:650}.skipped .name{fill:#59636e}
.need{fill:none;stroke:#7d8894;stroke-width:1.5}.order{fill:none;stroke:#aab4bf;stroke-width:2.4}.preference{fill:none;stroke:#7d8894;stroke-width:1.4;stroke-dasharray:5 4}
.tip{fill:#7d8894}.track{fill:#e4e8ec}.mark{fill:none;stroke:#ffffff;stroke-width:1.7;stroke-linecap:round;stroke-linejoin:round}
.full{fill:#ffffff;stroke-width:.8}.ring{fill:none;stroke-width:1.5;stroke-linecap:round}
${shades('light')}
@media (prefers-color-scheme:dark){
text{fill:#e6edf3}.page{fill:#0d1117}.sub,.legend,.phase,.skipped .name{fill:#9198a1}
.band{fill:#12171e;stroke:#272e37}.need,.preference{stroke:#768390}.order{stroke:#4d5763}.tip{fill:#768390}.track{fill:#272e37}.mark{stroke:#0d1117}.full{fill:#0d1117}
${shades('dark')}
}`;
}
