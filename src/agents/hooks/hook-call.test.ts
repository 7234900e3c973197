import { describe, expect, it } from 'vitest';
import { builtIn, kindOf } from '../kind.ts';
import { guestCall, hookCall } from './hook-call.ts';

const forms = (kind: string) => kindOf({ kind })!.hooks!;
const told = (tool: string, input: unknown, event = 'PreToolUse') =>
  JSON.stringify({ hook_event_name: event, tool_name: tool, tool_input: input, cwd: '/w', tool_use_id: 'toolu_1' });

const patch = `*** Begin Patch
*** Update File: src/a.ts
*** Move to: src/b.ts
@@
-*** Add File: not one of these, it is a line of the patch
+1
*** Add File: new dir/c d.ts
+x
*** Delete File: old.ts
*** End Patch
`;

describe('what a hook is told about', () => {
  it.each([
    ['claude', 'Write', { file_path: '/w/a.ts', content: 'x' }, ['/w/a.ts']],
    ['claude', 'Edit', { file_path: 'a.ts' }, ['a.ts']],
    ['claude', 'NotebookEdit', { notebook_path: '/w/a.ipynb' }, ['/w/a.ipynb']],
    ['codex', 'apply_patch', { command: patch }, ['src/a.ts', 'src/b.ts', 'new dir/c d.ts', 'old.ts']],
    ['gemini', 'write_file', { file_path: 'a.ts' }, ['a.ts']],
    ['gemini', 'replace', { file_path: 'a.ts' }, ['a.ts']],
    ['opencode', 'write', { filePath: '/w/a.ts' }, ['/w/a.ts']],
    ['opencode', 'patch', { patchText: patch }, ['src/a.ts', 'src/b.ts', 'new dir/c d.ts', 'old.ts']],
  ])('%s: %s edits', (kind, tool, input, paths) => {
    expect(hookCall(told(tool, input), forms(kind))).toEqual({ kind: 'edit', paths, cwd: '/w' });
  });

  it.each([
    ["apply_patch <<'EOF'\n{}EOF\n", ''],
    ['applypatch<<EOF\n{}EOF', ''],
    ["cd sub && apply_patch <<'EOF'\n{}EOF\n", 'sub/'],
    ["cd 'a b' && apply_patch <<'EOF'\n{}EOF\n", 'a b/'],
    ['cd "/other/a b" && apply_patch <<EOF\n{}EOF\n', '/other/a b/'],
    ['cd sub; apply_patch <<EOF\n{}EOF\necho done', 'sub/'],
    ["apply_patch 2>&1 <<'EOF'\n{}EOF\n", ''],
    ['apply_patch "{}"', ''],
  ])('codex: a patch in a shell is an edit, whose end nobody may tell: %s', (command, folder) => {
    expect(hookCall(told('Bash', { command: command.replace('{}', patch) }), forms('codex'))).toEqual({
      kind: 'edit',
      paths: ['src/a.ts', 'src/b.ts', 'new dir/c d.ts', 'old.ts'].map((file) => `${folder}${file}`),
      cwd: '/w',
      shell: 'toolu_1',
    });
  });

  it.each(['apply_patch < patch', `cat <<EOF\n${patch}EOF`, `echo my_apply_patch_x\n${patch}`, 'apply_patch --help'])(
    'codex: no patch: %s',
    (command) => {
      expect(hookCall(told('Bash', { command }), forms('codex'))).toEqual({ kind: 'shell-begins', id: 'toolu_1' });
    },
  );

  it('a patch may have space before its headings, but not in the lines of an update', () => {
    const text =
      ' *** Begin Patch\n  *** Add File: a\n+x\n\t*** Update File: b\r\n *** Add File: a line\n*** Delete File: c\n';
    expect(hookCall(told('apply_patch', { command: text }), forms('codex'))).toMatchObject({ paths: ['a', 'b', 'c'] });
  });

  it.each([
    ['claude', 'Read', { file_path: '/w/a.ts' }],
    ['claude', 'mcp__x__y', {}],
    ['codex', 'update_plan', {}],
    ['gemini', 'read_file', { file_path: 'a.ts' }],
    ['opencode', 'read', { filePath: '/w/a.ts' }],
    // Our own server: a lock names files, and edits none.
    ['claude', 'mcp__signalbox__lock_acquire', { paths: ['a.ts'], file_path: 'a.ts' }],
    ['codex', 'mcp__signalbox__lock_acquire', { paths: ['a.ts'], command: patch }],
    ['gemini', 'mcp_signalbox_lock_acquire', { paths: ['a.ts'], file_path: 'a.ts' }],
    ['opencode', 'signalbox_lock_acquire', { paths: ['a.ts'], filePath: 'a.ts' }],
  ])('%s: %s writes nothing', (kind, tool, input) => {
    expect(hookCall(told(tool, input), forms(kind))).toEqual({ kind: 'other' });
  });

  it.each([
    [
      'Monitor',
      { command: 'echo x > a.ts' },
      'Monitor is not for attempts: its commands are not held against the locks: use Bash',
    ],
    ['Agent', { isolation: 'worktree' }, expect.stringMatching(/^Agent is not for attempts: .* without "isolation"$/)],
  ])('claude: %s %j is for no attempt, and is nothing to a guest', (tool, input, because) => {
    expect(hookCall(told(tool, input), forms('claude'))).toEqual({ kind: 'withheld', because });
    expect(guestCall(told(tool, input), forms('claude'))).toEqual({ kind: 'other' });
    expect(hookCall(told('Agent', { prompt: 'look' }), forms('claude'))).toEqual({ kind: 'other' });
    expect(hookCall(told('toString', {}), forms('claude'))).toEqual({ kind: 'other' });
  });

  it.each([
    ['claude', 'Bash'],
    ['codex', 'Bash'],
    ['gemini', 'run_shell_command'],
    ['opencode', 'bash'],
  ])('%s: %s is a shell, before and after', (kind, tool) => {
    const [before, after] = kind === 'gemini' ? ['BeforeTool', 'AfterTool'] : ['PreToolUse', 'PostToolUse'];
    const call = (event: string) => hookCall(told(tool, { command: 'ls' }, event), forms(kind));
    expect(call(before!)).toEqual({ kind: 'shell-begins', id: 'toolu_1' });
    expect(call(after!)).toEqual({ kind: 'shell-ended', id: 'toolu_1' });
  });

  it('a call without a name, or with one that is a path, gets one of its own', () => {
    const of = (more: object) =>
      hookCall(
        JSON.stringify({
          hook_event_name: 'BeforeTool',
          tool_name: 'run_shell_command',
          tool_input: { command: 'ls -l' },
          ...more,
        }),
        forms('gemini'),
      );
    expect(of({})).toEqual({ kind: 'shell-begins', id: 'x6c73202d6c' });
    expect(of({ tool_use_id: '../../x' })).toEqual({ kind: 'shell-begins', id: 'x2e2e2f2e2e2f78' });
    expect(of({ tool_use_id: 'a'.repeat(500) })).toEqual({ kind: 'shell-begins', id: `x${'61'.repeat(50)}` });
  });

  it('an edit that has been made is no edit to come', () => {
    expect(hookCall(told('Write', { file_path: 'a' }, 'PostToolUse'), forms('claude'))).toEqual({ kind: 'other' });
  });

  it.each([
    ['', 'tells of no call'],
    ['{', 'tells of no call'],
    ['[]', 'tells of no call'],
    ['null', 'tells of no call'],
    ['{"hook_event_name":"Stop","tool_name":"Write"}', 'tells of no call'],
    ['{"hook_event_name":"PreToolUse"}', 'tells of no call'],
    [told('Write', {}), 'does not say which file'],
    [told('Write', null), 'does not say which file'],
    [told('Write', { file_path: 7 }), 'does not say which file'],
    [told('Edit', { file_path: 'a\0b' }), 'does not say which file'],
  ])('is unclear: %s', (text, because) => {
    expect(hookCall(text, forms('claude'))).toEqual({ kind: 'unclear', because: expect.stringContaining(because) });
  });

  it('a patch that names no file is unclear', () => {
    expect(hookCall(told('apply_patch', { command: 'nothing' }), forms('codex')).kind).toBe('unclear');
  });
});

it('every coding agent has hooks', () => {
  expect(builtIn.filter((kind) => kindOf({ kind })!.hooks === null)).toEqual([]);
});
