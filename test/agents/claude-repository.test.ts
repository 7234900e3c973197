// What Claude Code takes from the repository that it works in: what it is told there, but nothing that would run.
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { planOf, works } from './ends.ts';
import { binOf } from './programs.ts';
import { AgentRig, kinds } from './rig.ts';

/** Starts in that folder with these files and notes what each conversation was told first. */
async function startNoting(files: Readonly<Record<string, string>>) {
  const prompts: string[] = [];
  const all = { 'plan.md': planOf('claude', 'retries: 0\n'), ...files };
  const rig = await AgentRig.start('claude', all, (conversation) => {
    if (conversation.turn === 0) prompts.push(conversation.prompt);
    return works('claude')(conversation);
  });
  return { rig, prompts };
}

/** What the files say that were told, each by a word of its own. */
const marks = (prompt = ''): string[] => [...new Set(prompt.match(/zyz-\w+/g))].sort();

describe.runIf(kinds.includes('claude'))('Claude Code in a repository', () => {
  it('reads CLAUDE.md, and runs no hook of its settings', async () => {
    const hook = { type: 'command', command: 'touch hooked' };
    const hooks = { SessionStart: [{ hooks: [hook] }], PreToolUse: [{ matcher: '*', hooks: [hook] }] };
    const { rig, prompts } = await startNoting({
      'CLAUDE.md': 'Never say zyzzyva.\n',
      '.claude/settings.json': JSON.stringify({ hooks }),
    });
    const { code, out, err } = await rig.run('run', 'plan.md', '--json');
    expect(code, `${out}\n${err}`).toBe(0);
    expect(prompts[0]).toContain('Never say zyzzyva.');
    expect(rig.workspace.has('hooked')).toBe(false);
    await rig.close();
  });

  const imports = [
    '@docs/one.md, @docs/comma.md,',
    '`@docs/code.md`',
    '```',
    '@docs/fence.md',
    '```',
    '@docs/sp\\ ace.md',
  ];
  const repositories: { name: string; files: Record<string, string>; more?: string[] }[] = [
    {
      name: 'imports, rules and files in .claude',
      files: {
        'CLAUDE.md': ['zyz-root', '<!-- zyz-comment @docs/comment.md -->', ...imports, '(@docs/paren.md)', ''].join(
          '\n',
        ),
        'AGENTS.md': 'zyz-agents',
        'docs/one.md': 'not read: its name has a comma',
        'docs/comma.md': 'zyz-comma',
        'docs/code.md': 'zyz-code',
        'docs/fence.md': 'zyz-fence',
        'docs/sp ace.md': 'zyz-space @two.md',
        'docs/two.md': 'zyz-two @../three.md',
        'three.md': 'zyz-three @four.md',
        'four.md': 'zyz-four @five.md @CLAUDE.md',
        'five.md': 'zyz-five',
        'docs/comment.md': 'zyz-commented',
        'docs/paren.md': 'zyz-paren',
        '.claude/CLAUDE.md': 'zyz-dot\n@../docs/dot.md',
        'docs/dot.md': 'zyz-dotted',
        '.claude/rules/a.md': 'zyz-rule',
        '.claude/rules/deep/b.md': '---\ndescription: zyz-head\n---\nzyz-deep',
        '.claude/rules/all.md': '---\npaths: "**"\n---\nzyz-all',
        '.claude/rules/some.md': '---\npaths: src/**/*.ts\n---\nzyz-some',
        '.claude/rules/c.txt': 'zyz-text',
        'CLAUDE.local.md': 'zyz-local',
        'sub/CLAUDE.md': 'zyz-below',
      },
      // The program tells it when a file is read that it is about; here it is told with its condition.
      more: ['zyz-some'],
    },
    { name: 'AGENTS.md alone', files: { 'AGENTS.md': 'zyz-agents @x.md', 'x.md': 'zyz-x' } },
    { name: 'AGENTS.md and rules', files: { 'AGENTS.md': 'zyz-agents', '.claude/rules/a.md': 'zyz-rule' } },
    { name: 'AGENTS.md and .claude/CLAUDE.md', files: { 'AGENTS.md': 'zyz-agents', '.claude/CLAUDE.md': 'zyz-dot' } },
    { name: 'AGENTS.md and an empty CLAUDE.md', files: { 'AGENTS.md': 'zyz-agents', 'CLAUDE.md': '' } },
  ];
  it.each(repositories)('is told there what it would read by itself: $name', async ({ files, more = [] }) => {
    const { rig, prompts } = await startNoting(files);
    const { code, out, err } = await rig.run('run', 'plan.md', '--json');
    expect(code, `${out}\n${err}`).toBe(0);
    const program = join(binOf('claude'), 'claude');
    const plain = promisify(execFile)(program, ['-p', 'hello'], { cwd: rig.workspace.folder, env: rig.env });
    plain.child.stdin!.end();
    await plain;
    await rig.close();
    const [ours, theirs] = prompts.map(marks);
    expect(theirs!.length).toBeGreaterThan(0);
    expect(ours).toEqual([...theirs!, ...more].sort());
  });

  it('runs hooks and knows skills of the person, which is recorded and said once', async () => {
    const { rig } = await startNoting({
      'plan.md': `${planOf('claude', 'retries: 0\nmax-parallel: 1\n')}- [ ] b: Write a.txt too\n  - check: 'true'\n`,
      '.claude/skills/theirs/SKILL.md': '---\nname: theirs\ndescription: of the repository\n---\n',
    });
    const hooks = { SessionStart: [{ hooks: [{ type: 'command', command: `touch ${rig.home}/hooked` }] }] };
    const settings = join(rig.home, '.claude/settings.json');
    writeFileSync(settings, JSON.stringify({ ...JSON.parse(readFileSync(settings, 'utf8')), hooks }));
    mkdirSync(join(rig.home, '.claude/skills/mine'), { recursive: true });
    writeFileSync(join(rig.home, '.claude/skills/mine/SKILL.md'), '---\nname: mine\ndescription: d\n---\n');
    const { code, out, err } = await rig.run('run', 'plan.md');
    expect(code, `${out}\n${err}`).toBe(0);
    const { lines } = await rig.run('events', '--json');
    const ends = lines.filter(({ type }) => type === 'attempt-ended');
    const loaded = ['skill mine', 'hook SessionStart'];
    expect(ends.map(({ evidence }) => evidence.agent.loaded)).toEqual([loaded, loaded]);
    expect(
      `${out}${err}`.split('claude works with what Signalbox did not give it: skill mine, hook SessionStart'),
    ).toHaveLength(2);
    expect(existsSync(join(rig.home, 'hooked'))).toBe(true);
    await rig.close();
  });

  it('is told nothing from outside, and starts where pipes and circles stand for files', async () => {
    const outside = mkdtempSync(join(tmpdir(), 'signalbox-outside-'));
    writeFileSync(join(outside, 'secret.md'), 'zyz-secret');
    const { rig, prompts } = await startNoting({
      'CLAUDE.md': `zyz-root @link.md @${outside}/secret.md @pipe @CLAUDE.md @round.md`,
      'round.md': 'zyz-round @CLAUDE.md @round.md',
    });
    const { folder } = rig.workspace;
    symlinkSync(join(outside, 'secret.md'), join(folder, 'link.md'));
    mkdirSync(join(folder, '.claude'));
    symlinkSync(outside, join(folder, '.claude/rules'));
    await promisify(execFile)('mkfifo', [join(folder, 'pipe')]);
    const { code, out, err } = await rig.run('run', 'plan.md', '--json');
    expect(code, `${out}\n${err}`).toBe(0);
    expect(marks(prompts[0])).toEqual(['zyz-root', 'zyz-round']);
    await rig.close();
    rmSync(outside, { recursive: true });
  });
});
