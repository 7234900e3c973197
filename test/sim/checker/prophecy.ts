// What must become of a plan once nothing goes wrong any more, told from its state, the fates of its tasks and the plain rules.
import type { Fate } from '../people/behaviour.ts';
import { factsOf, type PlanLedger } from './ledger.ts';
import { isShutOut, type LeafFacts, PlainOracle } from './plain-oracle.ts';

/** What is wrong about the end that came, or null. */
export type Prophecy = (ledger: PlanLedger, outcome: string) => string | null;

export function foretell(ledger: PlanLedger, fateOf: (task: string) => Fate): Prophecy {
  const then = new Map([...ledger.leaves].map(([id, leaf]) => [id, factsOf(leaf)]));
  // How attempts end that are under way now was settled while faults still happened: their tasks count as they come out.
  const underWay = [...then].filter(([, { isLive, status }]) => isLive || status === 'in_progress').map(([id]) => id);
  return (end, outcome) => {
    const facts = new Map<string, LeafFacts>(then);
    for (const id of underWay) facts.set(id, factsOf(end.leaves.get(id)!));
    const { limits } = end.run!;
    let goesOn = true;
    while (goesOn) {
      goesOn = false;
      const oracle = new PlainOracle(end.plan, (id) => facts.get(id)!);
      for (const leaf of oracle.leaves.filter((one) => oracle.isFree(one) && !isShutOut(one, limits))) {
        const fate = fateOf(leaf.id);
        const status =
          fate === 'good' ? 'completed' : fate === 'silent' && isAsked(end, leaf.id) ? 'suspended' : 'failed';
        facts.set(leaf.id, { status, treatAsDone: false, isLive: false, isBackingOff: false });
        goesOn = true;
      }
    }
    return compare(end, facts, outcome);
  };
}

/** Whether its silence or its timeout came first three times is seen in the end; that silence is judged rightly is claimed elsewhere. */
const isAsked = ({ leaves }: PlanLedger, id: string): boolean => leaves.get(id)!.asked;

function compare(end: PlanLedger, facts: ReadonlyMap<string, LeafFacts>, outcome: string): string | null {
  for (const [id, leaf] of end.leaves) {
    const { status } = facts.get(id)!;
    if (status !== leaf.status) return `${id} is ${leaf.status}, foretold was ${status}`;
  }
  const oracle = new PlainOracle(end.plan, (id) => facts.get(id)!);
  const { limits } = end.run!;
  const bare = oracle.outcome({ limits, stopping: null, paused: false, usedUp: false });
  const foretold = end.unlessAsked(bare)?.outcome;
  return foretold === outcome ? null : `the outcome is ${outcome}, foretold was ${foretold}`;
}
