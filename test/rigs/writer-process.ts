// A real process for the tests: opens the store in a folder and appends events, saying each one only after it is acknowledged.
// Arguments: the folder, its name, and how many events (0 for endless). An outage is said as `outage <kind>`.
import { writeSync } from 'node:fs';
import { Outage } from '../../src/store/outage.ts';
import { openSqlite } from '../../src/store/sqlite/open-sqlite.ts';
import { paused } from './sample-events.ts';

const [folder, name, count] = process.argv.slice(2);
const say = (text: string) => writeSync(1, `${text}\n`);

try {
  const store = (await openSqlite({ folder: folder!, create: true, programVersion: '0.2.0' }))!;
  say(`workspace ${store.workspace}`);
  for (let i = 0; Number(count) === 0 || i < Number(count); i++) {
    const by = `${name}-${i}`;
    const seq = await store.transact((tx) => {
      tx.record(paused(by));
      return tx.state.seq;
    });
    say(`ack ${seq} ${by}`);
  }
  await store.close();
} catch (error) {
  if (!(error instanceof Outage)) throw error;
  say(`outage ${error.kind}`);
}
