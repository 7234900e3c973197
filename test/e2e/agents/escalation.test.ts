// What is escalated: the debugging agent gets everything that is known, its result is checked like any other, and what it found out is
// kept.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Workspace } from '../rig.ts';

const settings = `on-failure: escalate
retries: 1
escalation-agent: doctor
agents:
  author: {kind: command, command: [sh, author.sh]}
  doctor: {kind: command, command: [sh, doctor.sh]}
`;

describe('escalation', () => {
  it('tells the debugging agent every attempt, and keeps what it found out', async () => {
    const w = new Workspace({
      'signalbox.yaml': settings,
      'plans/my plan.yaml':
        'tasks:\n  a/b: {agent: author, prompt: Make it work., check: "echo the check says; test -e repaired"}\n',
      'author.sh': 'echo "I did my best, $SIGNALBOX_ATTEMPT"; echo x >> work',
      'doctor.sh': 'cat > told; touch repaired; echo The cause was a missing file.',
    });
    const { code, lines } = await w.run('run', 'plans/my plan.yaml', '--json');
    expect(code).toBe(0);
    const told = w.read('told');
    for (const text of ['Attempt a/b#1', 'Attempt a/b#2', 'Make it work.', 'I did my best, a/b#2', 'the check says'])
      expect(told).toContain(text);
    for (const text of ['these commands must succeed:', 'signalbox lock wait PATH']) expect(told).toContain(text);
    const file = 'docs/plan-outputs/my%20plan/findings/a%2fb.md';
    expect(w.read(file)).toContain('The cause was a missing file.');
    expect(lines.filter(({ type }) => type === 'attempt-ended').at(-1).evidence).toMatchObject({ finding: file });
    const status = await w.run('status', 'plans/my plan.yaml', '--json');
    expect(status.json.tasks[0]).toMatchObject({ id: 'a/b', status: 'completed', finding: file });
    expect((await w.run('why', 'a/b', '--plan', 'plans/my plan.yaml')).out).toContain(file);
  });

  it('tells why each attempt failed, not only how its process ended', async () => {
    const w = new Workspace({
      'signalbox.yaml': settings,
      'plan.yaml': 'tasks:\n  a: {agent: author, timeout: 1s}\n',
      'author.sh': 'test "$SIGNALBOX_ATTEMPT" = "a#1" || sleep 60',
      'doctor.sh': 'cat > told; touch repaired',
    });
    expect((await w.run('run', 'plan.yaml')).code).toBe(0);
    expect(w.read('told')).toMatch(
      /## Attempt a#1\n\nIt ended well, but had changed nothing\.[\s\S]*## Attempt a#2\n\nIt was ended because it took longer than 1 s\./,
    );
  });

  it('shows what an attempt had made that was stopped half way', async () => {
    const call = '{"type":"tool_use","tool_name":"edit","parameters":{}}';
    const w = new Workspace({
      'signalbox.yaml': `${settings}livelock: {same-calls: 3}\n`,
      'plan.yaml': 'tasks:\n  a: {agent: author, files: [out.txt]}\n',
      'out.txt': 'before\n',
      'author.sh': `echo half >> out.txt; echo '${call}'; echo '${call}'; echo '${call}'; sleep 1000`,
      'doctor.sh': 'cat > told; echo whole >> out.txt',
    });
    expect((await w.run('run', 'plan.yaml', '--json')).code).toBe(0);
    expect(w.read('told')).toContain('+half');
    expect(w.read('told')).toContain('edit');
    expect(w.read('out.txt')).toBe('before\nwhole\n');
  });

  it('adds to what a person wrote about the task', async () => {
    const w = new Workspace({
      'signalbox.yaml': settings,
      'plan.yaml': 'tasks:\n  a: {agent: author, check: "test -e repaired"}\n',
      'author.sh': 'echo x >> work',
      'doctor.sh': 'touch repaired; echo The cause was a missing file.',
      'words.md': 'Look at the file.\n',
    });
    expect((await w.run('write-findings', 'a', '--plan', 'plan.yaml', '--file', 'words.md')).code).toBe(0);
    expect((await w.run('run', 'plan.yaml')).code).toBe(0);
    const { out } = await w.run('read-findings', 'a', '--plan', 'plan.yaml');
    expect(out).toContain('Look at the file.');
    expect(out).toContain('The cause was a missing file.');
  });

  it('does not write through a link that lies in the way', async () => {
    const w = new Workspace({
      'signalbox.yaml': settings,
      'plan.yaml': 'tasks:\n  a: {agent: author}\n',
      'author.sh': 'mkdir -p docs elsewhere; ln -sfn ../elsewhere docs/plan-outputs; exit 1',
      'doctor.sh': 'echo found; touch x',
    });
    expect((await w.run('run', 'plan.yaml', '--json')).code).toBe(0);
    expect(readdirSync(join(w.folder, 'elsewhere'))).toEqual([]);
  });
});
