import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe } from 'vitest';
import { describeStore } from '../conformance.ts';
import { type Driver, loadDriver } from './database.ts';
import { openSqlite } from './open-sqlite.ts';

describe.each<Driver>(['node', 'package'])('by the driver %s', (driver) => {
  describeStore(`sqlite (${driver})`, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'signalbox-store-'));
    return {
      open: async (clock) =>
        (await openSqlite({ folder, create: true, programVersion: '0.1.0', driver, ...(clock ? { clock } : {}) }))!,
      alterSnapshot: async (how) => {
        const db = (await loadDriver(driver))(join(folder, 'state.db'));
        if (how === 'text') db.exec("UPDATE snapshots SET body = '{'");
        else if (how === 'version') db.exec('UPDATE snapshots SET version = -1');
        else
          db.prepare<[number]>("UPDATE snapshots SET body = json_set(body, '$.token', ?) WHERE plan = ''").run(
            how.token,
          );
        db.close();
      },
      dispose: async () => rmSync(folder, { recursive: true }),
    };
  });
});
