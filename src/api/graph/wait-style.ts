// How waiting parties look in a picture: a state has the same colour as for tasks.
import { type StatusLook, statusLooks } from './picture-style.ts';
import type { WaitBox } from './wait-picture.ts';

export const waitLooks: Readonly<Record<WaitBox['kind'] | 'cycle', Pick<StatusLook, 'light' | 'dark' | 'symbol'>>> = {
  works: statusLooks.in_progress,
  waits: { ...statusLooks.blocked, symbol: '<circle r="6.2" class="ring"/><path class="ring" d="M0 -3.4V0L2.4 1.8"/>' },
  lock: { ...statusLooks.pending, symbol: padlock() },
  cycle: {
    ...statusLooks.failed,
    symbol: '<circle r="7" class="disc"/><path class="mark" d="M0 -3.8V.8M0 3.4v.1"/>',
  },
};

function padlock(): string {
  return '<path class="ring" d="M-2.6 -.6V-3a2.6 2.6 0 0 1 5.2 0v2.4"/><rect class="disc" x="-4.2" y="-.8" width="8.4" height="6.2" rx="1.4"/>';
}

/** Beside the sheet of all pictures. */
export function waitStyleSheet(): string {
  const shades = (tone: 'light' | 'dark') =>
    Object.entries(waitLooks)
      .map(
        ([
          look,
          {
            [tone]: { fill, line },
          },
        ]) => {
          const s = `.look-${look}`;
          return `${s} .box{fill:${fill};stroke:${line}}${s} .id{fill:${line}}${s} .disc{fill:${line}}${s} .ring{stroke:${line}}`;
        },
      )
      .join('\n');
  const lines = (tone: 'light' | 'dark') => {
    const { line } = statusLooks.failed[tone];
    return `.cycle{stroke:${line};stroke-width:2.2}.cycle-tip{fill:${line}}.alarm{fill:${line};font-weight:650}`;
  };
  return `
.waits,.held,.behind{fill:none;stroke:#7d8894;stroke-width:1.5}.behind{stroke-dasharray:5 4}.remark{font-size:12px}
${shades('light')}
${lines('light')}
@media (prefers-color-scheme:dark){
.waits,.held,.behind{stroke:#768390}
${shades('dark')}
${lines('dark')}
}`;
}
