// Lines that are a mistake in a plan of ours, and prose in the plan of a tool without keys and arrows. They are told once it is known whose
// plan it is. Of a great many alike only the number is kept.
import type { Mistake, Report } from '../../diagnostics/report.ts';

/** As many as a report shows. */
const most = 100;

interface Kind {
  readonly severity: 'error' | 'warning';
  count: number;
}

export class Doubts {
  private readonly found: Mistake[] = [];
  private readonly kinds = new Map<string, Kind>();
  /** How many would be errors. */
  errors = 0;

  /** `make` is only asked for the words as long as they are wanted. */
  add(code: string, severity: Kind['severity'], make: () => Mistake): void {
    const kind = this.kinds.get(code) ?? { severity, count: 0 };
    this.kinds.set(code, kind);
    if (severity === 'error') this.errors++;
    if (++kind.count <= most) this.found.push(make());
  }

  tell(report: Report): void {
    for (const mistake of this.found) {
      if (this.kinds.get(mistake.code)!.severity === 'error') report.error(mistake);
      else report.warning(mistake);
    }
    for (const [code, { severity, count }] of this.kinds) if (count > most) report.count(severity, code, count - most);
  }
}
