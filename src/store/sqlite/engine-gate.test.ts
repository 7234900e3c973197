import { describe, expect, it } from 'vitest';
import { Outage } from '../outage.ts';
import { refuseOldEngine } from './engine-gate.ts';
import { inspectEngine } from './inspect-database.ts';

describe('engine gate', () => {
  it.each(['3.51.3', '3.51.10', '3.53.4', '4.0.0'])('lets %s in', (version) => {
    expect(() => refuseOldEngine(version)).not.toThrow();
  });

  it.each(['3.51.2', '3.50.4', '3.9.0', '2.99.99'])('refuses %s', (version) => {
    expect(() => refuseOldEngine(version)).toThrow(Outage);
    expect(() => refuseOldEngine(version)).toThrow(`SQLite ${version} can corrupt`);
  });

  it('lets in the engine that is installed here', () => {
    expect(inspectEngine()).toMatch(/^3\.\d+\.\d+$/);
  });
});
