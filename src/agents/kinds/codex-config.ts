// What a person has set in the configuration of Codex.
import { join } from 'node:path';
import { beginningOf } from '../config/plain-file.ts';
import { put, readToml } from '../config/toml-tree.ts';
import type { Fields } from '../stream/json-lines.ts';

const mostBytes = 1_000_000;

/** As tables in tables; empty: nothing, or it cannot be read, and then Codex itself says so. */
export function codexConfig(home: string): Fields {
  const { text = '' } = beginningOf(join(home, 'config.toml'), mostBytes) ?? {};
  const config: Record<string, unknown> = {};
  try {
    for (const { kind, path, value } of readToml(text)) if (kind === 'pair') put(config, path, value);
  } catch {
    return {};
  }
  return config;
}
