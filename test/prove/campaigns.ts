// Every campaign of `npm run prove`: what it proves, what is started, and how much of it in the short and in the long form.

export interface Campaign {
  readonly proves: string;
  /** What Node is started with; what a person types behind the campaign's name is added to it. */
  readonly argv: readonly string[];
  /** How it takes the seed that is drawn for it: as an option, or as a variable of the environment. */
  readonly seed?: '--seed' | '--from' | 'FC_SEED';
  readonly env?: Readonly<Record<string, string>>;
  readonly short: readonly string[];
  readonly long: readonly string[];
}

const vitest = ['node_modules/vitest/vitest.mjs', 'run'];

/** Tests of which `npm test` performs some cases or none (vitest.config.ts), and these all. */
const allCasesOf = (...files: string[]) => ({
  argv: [...vitest, ...files],
  env: { SIGNALBOX_LONG: '1' },
  short: [],
  long: [],
});

/** Also what `npm test` performs there: all of it together covers them. */
const foldersWithGit = [
  'src/git',
  'src/runner/merge',
  'src/runner/trees',
  'src/api/init',
  'src/api/results',
  'src/api/run',
  'test/e2e/results',
  'test/e2e/worktrees',
];

export const campaigns: Readonly<Record<string, Campaign>> = {
  sim: {
    proves: 'the real run loop with faults on a virtual clock keeps every invariant, then makes progress',
    argv: ['test/sim/main.ts'],
    seed: '--from',
    short: ['--seeds', '100'],
    long: ['--seeds', '10000'],
  },
  'sim-verify': {
    proves: 'checks, reviews and decisions under chance, on the rules alone, keep every promise',
    argv: ['test/sim/main.ts', '--verify'],
    seed: '--from',
    short: ['--seeds', '1000'],
    long: ['--seeds', '30000'],
  },
  'sim-healthy': {
    proves: 'no loop is found in slow plans that get somewhere',
    argv: ['test/sim/main.ts', '--healthy'],
    seed: '--from',
    short: ['--seeds', '300'],
    long: ['--seeds', '10000'],
  },
  'planted-bugs': {
    proves: 'the simulator sees every bug that is planted in the rules, and calls it by its name',
    ...allCasesOf('test/sim/sim.test.ts', 'test/sim/planted-lock-bugs.test.ts'),
  },
  properties: {
    proves:
      'the property tests hold for other cases than those of `npm test`, and the unit tests cover what they have to',
    argv: [...vitest, '--project', 'unit', '--coverage'],
    seed: 'FC_SEED',
    short: [],
    long: [],
  },
  fuzz: {
    proves: 'every reader answers inputs that nobody would write',
    argv: ['test/fuzz/main.ts'],
    seed: '--seed',
    short: ['--inputs', '50000'],
    long: ['--inputs', '1000000'],
  },
  hostile: {
    proves: 'files that were made to cost as much as they can are answered in a second and little memory',
    ...allCasesOf('test/fuzz/hostile.test.ts'),
  },
  limits: {
    proves: 'plans of exactly as many tasks, lines and values as there may be are read, and one more is refused',
    ...allCasesOf(
      'src/plan/long-files.test.ts',
      'src/plan/many-mistakes.test.ts',
      'src/plan/read/yaml/large-yaml.test.ts',
      'src/plan/check/shared-files.test.ts',
    ),
  },
  rewriting: {
    proves: 'a plan of any form that `fmt` rewrites means the same, and no word of it is lost',
    ...allCasesOf('src/plan/format-plan.test.ts', 'src/plan/format-forms.test.ts'),
    seed: 'FC_SEED',
  },
  'hidden-work': {
    proves: 'what an agent did to the files is seen in whatever way it was hidden with git',
    ...allCasesOf('src/git/snapshots/snapshot.test.ts'),
  },
  disk: {
    proves: 'a disk that runs full at any step of a command by hand loses nothing',
    ...allCasesOf('test/e2e/runs/full-disk.test.ts'),
  },
  users: {
    proves: 'nothing that another user of the machine planted is run, believed or overwritten (skipped where not root)',
    ...allCasesOf('test/e2e/trust/two-users.test.ts'),
  },
  recovery: {
    proves: 'runs, status files, kept code and work by hand go on after kills, damage, take-overs and each other',
    ...allCasesOf(
      'test/e2e/runs/recovery.test.ts',
      'test/e2e/runs/dying.test.ts',
      'test/e2e/runs/take-over.test.ts',
      'test/e2e/files/status-recovery.test.ts',
      'test/e2e/by-hand/hand-at-once.test.ts',
      'test/e2e/trust/kept-code.test.ts',
    ),
  },
  identities: {
    proves: 'every command, typed inside of an attempt: what an agent may do, and what only a person may',
    ...allCasesOf('test/e2e/trust/inside-attempts.test.ts'),
  },
  grounds: {
    proves: 'a pipe anywhere in the state hangs no command, and every signal that ends a runner stops its attempts',
    ...allCasesOf('test/e2e/trust/odd-grounds.test.ts', 'test/e2e/runs/closed-terminal.test.ts'),
  },
  git: {
    proves:
      'trees, merges, generated files, landing and hostile repositories: every case of their tables, with real git',
    argv: [...vitest, '--project', 'git', '--project', 'unit', '--project', 'whole', '--coverage', ...foldersWithGit],
    env: { SIGNALBOX_COVERAGE: 'git' },
    short: [],
    long: [],
  },
  newcomer: {
    proves: 'a newcomer clones, installs, and spends a first day at two terminals; every screen (skipped without tmux)',
    argv: ['test/prove/newcomer/main.ts'],
    short: [],
    long: [],
  },
  'lock-histories': {
    proves: 'the lock table answers like a plain one that shares no code with it',
    argv: ['test/locks/main.ts'],
    seed: '--seed',
    short: ['--histories', '50000'],
    long: ['--histories', '1000000'],
  },
  'lock-orders': {
    proves: 'two and three clients in every order of their steps, on SQLite as in memory: nobody is stuck',
    ...allCasesOf('test/locks/interleavings.test.ts'),
  },
  'lock-stress': {
    proves: 'real processes lock, write, die and give back; judged from the disk, their ledgers and the log',
    argv: ['test/prove/stress/main.ts'],
    seed: '--seed',
    short: ['--seconds', '15', '--processes', '8'],
    long: ['--seconds', '300', '--processes', '8'],
  },
  ring: {
    proves:
      'of a circle of real agents one is stopped, the others go on within five seconds, every line is written once',
    argv: ['test/prove/ring.mjs'],
    short: ['--agents', '20'],
    long: ['--agents', '100'],
  },
  'stop-trials': {
    proves:
      'a script that is stopped in the middle of a command never begins the next one, in whatever way it is stopped',
    argv: ['test/prove/stop-trials.ts'],
    seed: '--seed',
    short: ['--trials', '675'],
    long: ['--trials', '6750'],
  },
  'clock-steps': {
    proves: 'a wall clock that is set, forward and back, stops no healthy attempt and takes no lease',
    argv: ['test/prove/clock-steps.mjs'],
    seed: '--seed',
    short: ['--steps', '60'],
    long: ['--steps', '3000'],
  },
  'kill-parts': {
    proves: 'saved work, the store and the workers of agents stay whole when their process is killed at any call',
    ...allCasesOf(
      'src/files/killed.test.ts',
      'src/store/sqlite/processes.test.ts',
      'src/agents/process/adoption.test.ts',
    ),
  },
  'kill-runner': {
    proves: 'a runner that is killed at random moments loses nothing and does nothing twice',
    argv: ['test/prove/kill-runner.mjs'],
    seed: '--seed',
    short: ['--kills', '40'],
    long: ['--kills', '1000'],
  },
  'kill-commands': {
    proves: 'commands that are killed at random moments leave files that are whole and never older',
    argv: ['test/prove/kill-commands.mjs'],
    seed: '--seed',
    short: ['--kills', '6'],
    long: ['--kills', '200'],
  },
  'kill-by-hand': {
    proves: 'a command of work by hand that is killed was done wholly or not at all',
    argv: ['test/prove/kill-by-hand.mjs'],
    seed: '--seed',
    short: ['--kills', '5'],
    long: ['--kills', '200'],
  },
  'kill-merges': {
    proves: 'a merge that is killed with its git leaves the branch before or after it, and loses no work',
    argv: ['test/prove/kill-merges.ts'],
    seed: '--seed',
    short: ['--kills', '20'],
    long: ['--kills', '200'],
  },
  'kill-worktrees': {
    proves:
      'a run with worktrees whose runner, git and merges are killed brings each change to the branch once, and loses none',
    argv: ['test/prove/kill-worktrees/main.ts'],
    seed: '--seed',
    short: ['--kills', '20'],
    long: ['--kills', '200'],
  },
  'kill-deadlock': {
    proves: 'a deadlock is resolved whoever is killed at any event of the resolution',
    argv: ['test/prove/deadlock-kill/main.ts'],
    seed: '--seed',
    short: ['--kills', '20'],
    long: ['--kills', '300'],
  },
};
