// For tests: a repository whose configuration, hooks and attributes name a program at every place that git knows. Each leaves a mark
// when it runs.
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const made: string[] = [];

/** For the end of a file of tests. */
export function removeHostileRepositories(): void {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
}

export class HostileRepository {
  readonly root: string;
  /** Where the programs leave their marks. */
  readonly #marks: string;

  constructor() {
    this.root = mkdtempSync(join(tmpdir(), 'signalbox-hostile-'));
    this.#marks = mkdtempSync(join(tmpdir(), 'signalbox-marks-'));
    made.push(this.root, this.#marks);
    this.git('init', '-q', '-b', 'main');
    this.write('a.txt', 'base\n');
    this.write('b.odd', 'one\n');
    this.write('.gitattributes', '* filter=evil diff=evil merge=evil\n*.odd filter=ev=il.dotted diff=ev=il\n');
    this.#commit();
    // Both sides change a file: only then a merge asks a driver.
    this.git('switch', '-q', '-c', 'other');
    this.write('a.txt', 'other\n');
    this.#commit();
    this.git('switch', '-q', 'main');
    this.write('a.txt', 'one\n');
    this.#commit();
    this.git('clone', '-q', '--bare', '.', this.alternate);
    made.push(this.alternate);
  }

  /** Another repository with the same commits. */
  get alternate(): string {
    return `${this.#marks}-alternate`;
  }

  #commit(): void {
    this.git('add', '-A');
    this.git('-c', 'user.name=t', '-c', 'user.email=t@t', 'commit', '-qm', 'x');
  }

  git(...args: string[]): string {
    return execFileSync('git', args, { cwd: this.root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  }

  write(name: string, text: string): void {
    writeFileSync(join(this.root, name), text);
  }

  /**
   * From here on the repository names programs everywhere: its own configuration, included ones, that of the worktree, and hooks.
   *
   * @param only places by their marks, such as `config.core.fsmonitor` and `hook-post-checkout`
   */
  arm(only = /^/): this {
    this.git('config', 'extensions.worktreeConfig', 'true');
    const set = (file: string, key: string, value: string) => {
      const [, section, sub, name] = /^([^.]+)(?:\.(.+))?\.([^.]+)$/.exec(key)!;
      const head = sub === undefined ? section : `${section} "${sub}"`;
      appendFileSync(join(this.root, '.git', file), `[${head}]\n\t${name} = "${value}"\n`);
    };
    const program = (file: string, key: string, sign = '') => {
      const mark = `${file}.${key.replaceAll('/', '-')}`;
      if (!only.test(mark)) return;
      if (!withoutShell.test(key)) return set(file, key, `${sign}touch '${join(this.#marks, mark)}'; cat`);
      this.#program(join(this.alternate, mark), mark);
      set(file, key, join(this.alternate, mark));
    };
    /** No program, but it asks for one. */
    const also = (file: string, key: string, value: string) => only.test(`${file}.${key}`) && set(file, key, value);
    for (const file of ['config', 'config.worktree', 'included', 'included-if']) {
      for (const name of ['evil', 'ev=il', 'ev=il.dotted', 'Ev IL']) {
        for (const key of ['clean', 'smudge', 'process']) program(file, `filter.${name}.${key}`);
        also(file, `filter.${name}.required`, 'true');
        for (const key of ['command', 'textconv']) program(file, `diff.${name}.${key}`);
        program(file, `merge.${name}.driver`);
        program(file, `remote.${name}.uploadpack`);
        program(file, `remote.${name}.receivepack`);
        also(file, `remote.${name}.url`, this.alternate);
        also(file, `remote.${name}.vcs`, 'evil');
        also(file, `remote.${name}.promisor`, 'true');
        program(file, `submodule.${name}.update`, '!');
        program(file, `credential.https://${name}.helper`, '!');
        program(file, `hook.${name}.command`);
        also(file, `hook.${name}.event`, 'post-index-change');
      }
      for (const key of programs) program(file, key);
      program(file, 'credential.helper', '!');
      set(file, 'protocol.ext.allow', 'always');
      for (const key of ['commit.gpgSign', 'tag.gpgSign', 'log.showSignature']) also(file, key, 'true');
      also(file, 'core.hooksPath', join(this.root, '.git', 'evil-hooks'));
      set(file, 'core.attributesFile', join(this.root, '.git', 'evil-attributes'));
    }
    set('config', 'include.path', 'included');
    set('config', `includeIf.gitdir:${join(this.root, '.git')}.path`, 'included-if');
    mkdirSync(join(this.root, '.git/objects/info'), { recursive: true });
    writeFileSync(join(this.root, '.git/objects/info/alternates'), `${join(this.alternate, 'objects')}\n`);
    for (const folder of ['hooks', 'evil-hooks']) {
      mkdirSync(join(this.root, '.git', folder), { recursive: true });
      for (const hook of hooks)
        if (only.test(`hook-${hook}`)) this.#program(join(this.root, '.git', folder, hook), `hook-${hook}`);
    }
    writeFileSync(join(this.root, '.git/evil-attributes'), '* filter=evil\n');
    writeFileSync(join(this.root, '.git/info/attributes'), '*.txt filter=ev=il\n');
    this.write('a.txt', 'two\n');
    this.write('b.odd', 'two\n');
    // Git reads again what looks changed. Without this it would only for a file that is as young as the index: not on a slow machine.
    utimesSync(join(this.root, '.gitattributes'), 1, 1);
    return this;
  }

  /** Variables that git would take programs from, for whoever starts it. */
  get environment(): Record<string, string> {
    const program = join(this.#marks, '..', `${this.#marks.split('/').at(-1)}-program`);
    made.push(program);
    this.#program(program, 'environment');
    const names = [
      'GIT_EXTERNAL_DIFF',
      'GIT_ASKPASS',
      'SSH_ASKPASS',
      'GIT_SSH',
      'GIT_SSH_COMMAND',
      'GIT_PROXY_COMMAND',
    ];
    const evil = [...names, 'GIT_EDITOR', 'GIT_SEQUENCE_EDITOR', 'GIT_PAGER', 'PAGER', 'EDITOR', 'VISUAL'];
    return {
      ...Object.fromEntries(evil.map((name) => [name, program])),
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'core.fsmonitor',
      GIT_CONFIG_VALUE_0: program,
      GIT_CONFIG_PARAMETERS: `'filter.evil.clean'='${program}'`,
      GIT_INDEX_FILE: join(this.root, 'no-index'),
      GIT_TRACE: join(this.#marks, 'trace'),
    };
  }

  /** The file that a program of that name would leave. */
  markFor(name: string): string {
    return join(this.#marks, name);
  }

  /** Of every program that ran. */
  get ran(): string[] {
    return readdirSync(this.#marks).sort();
  }

  #program(file: string, mark: string): void {
    writeFileSync(file, `#!/bin/sh\ntouch '${join(this.#marks, mark)}'\n`);
    chmodSync(file, 0o755);
  }
}

/** Git starts these itself. */
const withoutShell = /^(?:gpg\..*program|core\.gitProxy)$/;

const programs = [
  ...['core.fsmonitor', 'core.sshCommand', 'core.gitProxy', 'core.askPass', 'core.pager', 'core.editor'],
  ...['core.alternateRefsCommand', 'sequence.editor', 'diff.external', 'gpg.program', 'gpg.ssh.program'],
  ...['gpg.x509.program', 'gpg.openpgp.program', 'gpg.ssh.defaultKeyCommand', 'uploadpack.packObjectsHook'],
  ...['interactive.diffFilter', 'pager.diff', 'pager.log', 'pager.ls-files', 'trailer.x.command', 'trailer.x.cmd'],
  ...['alias.ls-files', 'alias.diff-tree', 'tar.x.command', 'mergetool.x.cmd', 'difftool.x.cmd', 'browser.x.cmd'],
];

const hooks = [
  ...['post-index-change', 'pre-commit', 'post-commit', 'post-checkout', 'post-merge', 'pre-auto-gc', 'commit-msg'],
  ...['pre-merge-commit', 'pre-rebase', 'push-to-checkout', 'pre-receive', 'post-receive', 'post-update'],
  ...['prepare-commit-msg', 'reference-transaction', 'fsmonitor-watchman', 'post-rewrite', 'pre-push', 'update'],
];
