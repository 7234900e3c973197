// A plan whose tasks deadlock for certain: each locks and changes its own file, waits until all have done so, and then wants the next
// one's. A wait that is killed, or refused while no runner lives, is asked again, as an agent would.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const script = `i=$1; n=$2; next=$(( (i + 1) % n ))
got() {
  while :; do
    signalbox lock wait "$1" --timeout 100
    code=$?
    case $code in 5|137) sleep 0.1 ;; *) return $code ;; esac
  done
}
got f$i || exit 9
echo "half by $SIGNALBOX_ATTEMPT" >> f$i
echo "begun $SIGNALBOX_ATTEMPT" >> ledger
touch here$i
k=0
while [ $k -lt $n ]; do if [ -e here$k ]; then k=$(( k + 1 )); else sleep 0.05; fi; done
got f$next || exit 9
cat f$i f$next > "seen/$SIGNALBOX_ATTEMPT"
echo "whole by $SIGNALBOX_ATTEMPT" >> f$next
echo "done $SIGNALBOX_ATTEMPT" >> ledger
`;

export function writeRing(folder: string, n: number): void {
  mkdirSync(join(folder, 'seen'));
  writeFileSync(join(folder, 'ledger'), '');
  writeFileSync(join(folder, 'task.sh'), script);
  const tasks = Array.from({ length: n }, (_, i) => {
    writeFileSync(join(folder, `f${i}`), `f${i} before\n`);
    return `  t${i}: {run: "sh task.sh ${i} ${n}"}`;
  });
  // Retries are there only for those whose shell is killed; the checker counts them.
  writeFileSync(join(folder, 'plan.yaml'), `max-parallel: ${n}\nretries: 4\ntasks:\n${tasks.join('\n')}\n`);
}
