import { expect, it } from 'vitest';
import { readPatch } from './read-patch.ts';

it('takes both forms apart, whatever the files say', () => {
  const text = [
    '--- kept.txt\n+++ kept.txt\n@@ -1,1 +1,2 @@\n one\n+--- a\n',
    '--- came (not there)\n+++ came (file, mode 644)\n@@ -0,0 +1,1 @@\n+diff --git a/x b/x\n',
    '--- went (file, mode 644)\n+++ went (not there)\n@@ -1,1 +0,0 @@\n-x\n\\ No newline at end of file\n',
    '--- bin\n+++ bin\n(no text, or too large to be compared)\n',
    'diff --git a/new.txt b/new.txt\nnew file mode 100644\nindex 0..1\n--- /dev/null\n+++ b/new.txt\n@@ -0,0 +1 @@\n+@@ -1 +1 @@\n',
    'diff --git a/b.bin b/b.bin\nindex 0..1 100644\nBinary files a/b.bin and b/b.bin differ\n',
    'diff --git a/gone b/gone\ndeleted file mode 100644\nindex 0..1\n--- a/gone\n+++ /dev/null\n@@ -1 +0,0 @@\n-gone\n',
  ].join('');
  expect(readPatch(text).map(({ path, was, added, removed }) => [path, was, added, removed])).toEqual([
    ['kept.txt', 'changed', 1, 0],
    ['came', 'new', 1, 0],
    ['went', 'deleted', 0, 1],
    ['bin', 'changed', 0, 0],
    ['new.txt', 'new', 1, 0],
    ['b.bin', 'changed', 0, 0],
    ['gone', 'deleted', 0, 1],
  ]);
  expect(readPatch(text)[2]!.lines).toBe('@@ -1,1 +0,0 @@\n-x\n\\ No newline at end of file\n');
  expect(readPatch('')).toEqual([]);
});
