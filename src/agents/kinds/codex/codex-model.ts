// Which model Codex uses where nobody told it one. Its stream names none; the file of the conversation in its home does, and so may the
// configuration of the person. An agent can write to its home: nothing but plain files is read there, and never much of them.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { endsOf } from '../../config/plain-file.ts';
import { fieldsOf, textOf } from '../../stream/json-lines.ts';
import { codexConfig } from './codex-config.ts';

const mostBytes = 1_000_000;
const longestName = 200;

/** @param home of Codex, ours or the person's; null: nobody says. */
export function codexModel(home: string, session: string | null): string | null {
  return (session === null ? null : modelOfSession(home, session)) ?? modelInConfig(home);
}

/** Of the last turn. What somebody said is quoted in that file, and cannot look like this. */
function modelOfSession(home: string, session: string): string | null {
  const file = /^[\w-]+$/.test(session) ? sessionFile(join(home, 'sessions'), `-${session}.jsonl`) : null;
  if (file === null) return null;
  const found = [
    ...endsOf(file, mostBytes).matchAll(/"type":"turn_context","payload":\{[^\n]*?"model":"([^"\\\n]+)"/g),
  ];
  return found.at(-1)?.[1]?.slice(0, longestName) ?? null;
}

/** In a folder for each day. */
function sessionFile(folder: string, ending: string): string | null {
  for (const entry of entriesOf(folder)) {
    const place = join(folder, entry.name);
    if (entry.isFile() && entry.name.endsWith(ending)) return place;
    const inside = entry.isDirectory() && /^\d+$/.test(entry.name) ? sessionFile(place, ending) : null;
    if (inside !== null) return inside;
  }
  return null;
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** `model` at the top, or that of the profile which is chosen there. */
function modelInConfig(home: string): string | null {
  const { profile, profiles, model } = codexConfig(home);
  const chosen = fieldsOf(fieldsOf(profiles)?.[textOf(profile)])?.model;
  return (textOf(chosen) || textOf(model)).slice(0, longestName) || null;
}
