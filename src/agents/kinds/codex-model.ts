// Which model Codex uses where nobody told it one. Its stream names none; the file of the conversation in its home does, and so may the
// configuration of the person. An agent can write to its home: nothing but plain files is read there, and never much of them.
import { closeSync, constants, fstatSync, openSync, readdirSync, readSync } from 'node:fs';
import { join } from 'node:path';

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
  const found = [...endsOf(file).matchAll(/"type":"turn_context","payload":\{[^\n]*?"model":"([^"\\\n]+)"/g)];
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
  const said = new Map<string, string>();
  let table = '';
  for (const line of endsOf(join(home, 'config.toml')).split('\n')) {
    table = /^\s*\[([^\]]*)\]/.exec(line)?.[1]?.replace(/["'\s]/g, '') ?? table;
    const [, key, , value] = /^\s*(model|profile)\s*=\s*(["'])(.+?)\2/.exec(line) ?? [];
    if (key !== undefined) said.set(`${table}.${key}`, value!.slice(0, longestName));
  }
  return said.get(`profiles.${said.get('.profile')}.model`) ?? said.get('.model') ?? null;
}

/** The beginning and the end of a file; empty: it is none. */
function endsOf(file: string): string {
  let fd: number;
  try {
    fd = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    return '';
  }
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile()) return '';
    const head = piece(fd, 0, Math.min(stat.size, mostBytes));
    return stat.size <= mostBytes
      ? head
      : `${head}\n${piece(fd, Math.max(mostBytes, stat.size - mostBytes), mostBytes)}`;
  } catch {
    return '';
  } finally {
    closeSync(fd);
  }
}

function piece(fd: number, from: number, length: number): string {
  const bytes = Buffer.alloc(length);
  return bytes.toString('utf8', 0, readSync(fd, bytes, 0, length, from));
}
