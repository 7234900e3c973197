// Names of files as text. A name on a disk is any bytes; those that are no UTF-8 become lone surrogates, one for each byte, so that two
// names never become one and each is found again. JSON keeps them.
import { join } from 'node:path';

export function nameOf(bytes: Buffer): string {
  const text = bytes.toString('utf8');
  if (!text.includes('\ufffd') || Buffer.from(text).equals(bytes)) return text;
  let name = '';
  for (let at = 0; at < bytes.length; ) {
    const length = [1, 2, 3, 4].find((some) => isText(bytes.subarray(at, at + some)));
    name += length === undefined ? String.fromCharCode(0xdc00 + bytes[at]!) : bytes.toString('utf8', at, at + length);
    at += length ?? 1;
  }
  return name;
}

function isText(bytes: Buffer): boolean {
  const text = bytes.toString('utf8');
  return text.length > 0 && [...text].length === 1 && Buffer.from(text).equals(bytes);
}

/** As the file system takes it. */
export function bytesOf(name: string): string | Buffer {
  if (!foreignByte.test(name)) return name;
  const parts = Array.from(name, (c) => (foreignByte.test(c) ? Buffer.of(c.charCodeAt(0) - 0xdc00) : Buffer.from(c)));
  return Buffer.concat(parts);
}

/** For people and for JSON that others read. */
export const shownName = (name: string): string =>
  name.replace(new RegExp(foreignByte, 'gu'), (c) => `\\x${(c.charCodeAt(0) - 0xdc00).toString(16)}`);

/** With `u` only those match that are not half of a pair. */
const foreignByte = /[\udc80-\udcff]/u;

/** A path of the tree, for calls of the file system. */
export function onDisk(root: string, path: string): string | Buffer {
  const bytes = bytesOf(path);
  return typeof bytes === 'string' ? join(root, bytes) : Buffer.concat([Buffer.from(`${root}/`), bytes]);
}
