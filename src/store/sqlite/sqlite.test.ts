import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeStore } from '../../../test/rigs/conformance.ts';
import { openDatabase } from './database.ts';
import { openSqlite } from './open-sqlite.ts';

describeStore('sqlite', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-store-'));
  return {
    open: async (clock) =>
      (await openSqlite({ folder, create: true, programVersion: '0.2.0', ...(clock ? { clock } : {}) }))!,
    alterSnapshot: async (how) => {
      const db = openDatabase(join(folder, 'state.db'));
      if (how === 'text') db.exec("UPDATE snapshots SET body = '{'");
      else if (how === 'version') db.exec('UPDATE snapshots SET version = -1');
      else
        db.prepare<[number]>("UPDATE snapshots SET body = json_set(body, '$.token', ?) WHERE plan = ''").run(how.token);
      db.close();
    },
    dispose: async () => rmSync(folder, { recursive: true }),
  };
});
