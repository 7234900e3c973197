import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { linksIn, lockKey } from './lock-key.ts';

let folder: string;
let root: string;

beforeEach(() => {
  folder = mkdtempSync(join(realpathSync(tmpdir()), 'sb-key-'));
  root = join(folder, 'root');
  mkdirSync(join(root, 'src', 'deep'), { recursive: true });
  mkdirSync(join(folder, 'elsewhere'));
  for (const file of ['src/a.ts', 'src/b.ts', 'src/deep/c.ts']) writeFileSync(join(root, file), '');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const keyOf = (text: string, from = root) => lockKey(text, { root, cwd: from });
const relink = (target: string, link: string) => {
  rmSync(join(root, link), { force: true });
  symlinkSync(target, join(root, link));
};

describe('one file has one key', () => {
  it('however it is written, wherever that is, and whether it is there or not', () => {
    relink('src', 'link');
    relink('a.ts', 'src/same.ts');
    const inside = join(root, 'src', 'deep');
    for (const text of ['src/a.ts', './src/../src/a.ts', join(root, 'src/a.ts'), 'link/a.ts', 'link/same.ts'])
      expect(keyOf(text), text).toBe('src/a.ts');
    expect(keyOf('../a.ts', inside)).toBe('src/a.ts');
    expect(keyOf('link/new/one.ts')).toBe('src/new/one.ts');
    expect(keyOf('link/')).toBe('src/**');
    expect(keyOf('link/*.ts')).toBe('src/*.ts');
    expect(keyOf('link/..')).toBe('**');
    expect(keyOf('.')).toBe('**');
  });

  it('as the links lead now, not as they did before', () => {
    relink('src', 'link');
    expect(keyOf('link/a.ts')).toBe('src/a.ts');
    relink('src/deep', 'link');
    expect(keyOf('link/a.ts')).toBe('src/deep/a.ts');
    unlinkSync(join(root, 'link'));
    expect(keyOf('link/a.ts')).toBe('link/a.ts');
    relink('../elsewhere', 'link');
    expect(() => keyOf('link/a.ts')).toThrow(`is outside the workspace ${root}`);
    relink('src', 'link');
    expect(keyOf('link/a.ts')).toBe('src/a.ts');
  });

  it('also where the workspace itself is reached by a link, and while that comes and goes', () => {
    const real = root;
    expect(keyOf('src/a.ts')).toBe('src/a.ts');
    const moved = join(folder, 'moved');
    renameSync(real, moved);
    symlinkSync('moved', real);
    expect(keyOf('src/a.ts')).toBe('src/a.ts');
    expect(keyOf(join(moved, 'src/a.ts'))).toBe('src/a.ts');
    unlinkSync(real);
    symlinkSync('elsewhere', real);
    expect(() => keyOf(join(moved, 'src/a.ts'))).toThrow(`is outside the workspace ${root}`);
    unlinkSync(real);
    renameSync(moved, real);
    expect(keyOf('src/a.ts')).toBe('src/a.ts');
  });

  it('where the root is named by a detour over a link', () => {
    mkdirSync(join(folder, 'elsewhere', 'far'));
    symlinkSync('elsewhere/far', join(folder, 'far'));
    symlinkSync('root', join(folder, 'by-link'));
    const detour = `${folder}/far/../by-link`;
    expect(lockKey('src/a.ts', { root: detour, cwd: root })).toBe('src/a.ts');
    expect(linksIn(detour)('src/a.ts')).toBe(null);
  });

  it('where a link leads nowhere, in a circle, or through a file', () => {
    relink('nowhere', 'dangling');
    relink('two', 'one');
    relink('three', 'two');
    relink('one', 'three');
    relink('own/../own', 'own');
    expect(keyOf('dangling')).toBe('nowhere');
    for (const text of ['one/x', 'two', 'three', 'own', 'own/x']) {
      expect(keyOf(text), text).toBe(text);
      expect(linksIn(root)(text), text).toBe(null);
    }
    expect(keyOf('src/a.ts/x')).toBe('src/a.ts/x');
  });

  it('before and after that to which its links lead is made', () => {
    relink('gen.ts', 'alias.ts');
    relink('alias.ts', 'again.ts');
    relink('sub/deeper', 'folder');
    relink('../sub', 'src/up');
    relink('/etc/signalbox-is-not-here', 'out');
    const same = () => {
      for (const text of ['alias.ts', 'again.ts', 'gen.ts', 'src/../again.ts'])
        expect(keyOf(text), text).toBe('gen.ts');
      for (const text of ['folder/x/y.ts', 'src/up/deeper/x/y.ts']) expect(keyOf(text), text).toBe('sub/deeper/x/y.ts');
      expect(keyOf('folder/*.ts')).toBe('sub/deeper/*.ts');
      expect(keyOf('folder/')).toBe('sub/deeper/**');
      expect(linksIn(root)('again.ts')).toBe('gen.ts');
      expect(linksIn(root)('folder/x/y.ts')).toBe('sub/deeper/x/y.ts');
    };
    same();
    expect(() => keyOf('out')).toThrow(`out is outside the workspace ${root}`);
    expect(linksIn(root)('out')).toEqual({ problem: 'leads out of the workspace through a link' });
    writeFileSync(join(root, 'gen.ts'), '');
    mkdirSync(join(root, 'sub', 'deeper'), { recursive: true });
    same();
  });

  it('where a folder beside the root begins with its name', () => {
    mkdirSync(`${root}-too`);
    relink('../root-too', 'link');
    expect(() => keyOf('link/a')).toThrow(`is outside the workspace ${root}`);
    expect(() => keyOf(`${root}-too/a`)).toThrow(`is outside the workspace ${root}`);
  });
});

/** Each part by itself, and each link in its place: slow, and as plain as can be. A circle is followed no further than its start. */
function walked(path: string, most = 40): string {
  let real = '/';
  for (const part of path.split('/').filter((name) => name !== '' && name !== '.')) {
    const next = join(real, part);
    real = part !== '..' && isLink(next) ? (behind(next, most) ?? next) : next;
  }
  return real;
}

/** Null: there are more links than any system follows. */
function behind(link: string, most: number): string | null {
  let [at, left, todo] = ['', most, [link]];
  while (todo.length > 0) {
    const [part = '', ...rest] = todo;
    todo = rest;
    const next = part.startsWith('/') ? part : join(at, part);
    if (part === '..' || !isLink(next)) {
      at = next;
      continue;
    }
    if (left-- === 0) return null;
    const target = readlinkSync(next);
    at = target.startsWith('/') ? '/' : dirname(next);
    todo = [...target.split('/').filter((name) => name !== '' && name !== '.'), ...todo];
  }
  return at;
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    return false;
  }
}

it('the key is the way from the real root to the real file, in any tree of links', () => {
  const names = ['a', 'b', 'c'];
  const path = fc
    .array(fc.constantFrom(...names, '..'), { minLength: 1, maxLength: 4 })
    .map((parts) => parts.join('/'));
  const step = fc.record({
    at: fc.array(fc.constantFrom(...names), { minLength: 1, maxLength: 3 }),
    to: fc.option(path),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 6 }), path, fc.boolean(), (steps, asked, isLinked) => {
      const base = mkdtempSync(join(folder, 't-'));
      const own = join(base, 'own');
      mkdirSync(own);
      for (const { at, to } of steps) {
        try {
          const spot = join(own, ...at);
          if (to === null) mkdirSync(spot, { recursive: true });
          else symlinkSync(to, spot);
        } catch {
          // There is something already, or nothing to put it in.
        }
      }
      if (isLinked) symlinkSync('own', join(base, 'by-link'));
      const place = isLinked ? join(base, 'by-link') : own;
      const real = walked(join(place, asked));
      const expected = real === own ? '**' : real.startsWith(`${own}/`) ? real.slice(own.length + 1) : 'outside';
      let key: string;
      try {
        key = lockKey(asked, { root: place, cwd: place });
      } catch {
        key = 'outside';
      }
      expect(key).toBe(expected);
    }),
  );
});
