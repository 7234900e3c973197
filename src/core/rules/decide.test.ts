import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PlainRules, soundPlan } from '../../../test/plain-rules.ts';
import { begin, dawn, firstRun, here, log, planOf, type Scenario } from '../../../test/scenario.ts';
import type { Event } from '../model/event.ts';
import { hostId, planPath, runId } from '../model/ids.ts';
import type { TaskKeys } from '../model/plan.ts';
import type { Limits } from '../model/run-event.ts';
import { decide, preferenceWarnings } from './decide.ts';

/** One line per event: `attempt-scheduled a`. */
const told = (events: readonly Event[]) =>
  events.map((event) => ('task' in event ? `${event.type} ${event.task}` : event.type));
const once = (scenario: Scenario, me = scenario.me as Parameters<typeof decide>[2]) =>
  told(decide(scenario.state, scenario.time, me));
const admitted = (scenario: Scenario) =>
  scenario.decide().flatMap((event) => (event.type === 'attempt-scheduled' ? [event.task] : []));

/** The run decides, and every attempt it starts exits with the code it is given (0 unless said), until nothing is left. */
function runToEnd(scenario: Scenario, codes: Record<string, number> = {}): string[] {
  const events: Event[] = [];
  for (let round = 0; round < 1_000; round++) {
    events.push(...scenario.decide());
    const live = [...scenario.state.live.values()];
    for (const { task } of live) scenario.start(task).end(task, codes[task] ?? 0);
    if (live.length === 0 && scenario.plan.run!.ended) return told(events);
    if (live.length === 0) scenario.after(400_000);
  }
  throw new Error('never ends');
}

describe('admission', () => {
  it('tells all about the attempt', () => {
    const scenario = begin('a').failOnce('a').after(5);
    expect(decide(scenario.state, scenario.time, scenario.me)).toEqual([
      {
        type: 'attempt-scheduled',
        v: 1,
        plan: 'plan.md',
        run: firstRun,
        task: 'a',
        attempt: 'a#2',
        token: 2,
        host: here.host,
      },
    ]);
  });

  it('one at a time', () => {
    expect(once(begin('a, b'))).toEqual(['attempt-scheduled a']);
  });

  const keys: Record<string, TaskKeys> = { o1: { model: 'opus' }, o2: { model: 'opus' }, hi: { priority: 5 } };
  it.each<[string, string, Partial<Limits>, string[]]>([
    ['in the order of the plan', 'a, b, c → a', {}, ['a', 'b']],
    ['as many as there is room for', 'a, b, c', { plan: 2 }, ['a', 'b']],
    ['a full model pool never delays another', 'o1, o2, a', { pools: { opus: 1 } }, ['o1', 'a']],
    ['a limit of 0', 'o1, a', { pools: { opus: 0 } }, ['a']],
    ['priority', 'a, b, hi', { plan: 2 }, ['hi', 'a']],
    ['up to the attempts of the run', 'a, b, c', { maxAttempts: 2 }, ['a', 'b']],
  ])('%s', (_, text, limits, expected) => {
    expect(admitted(begin(planOf(text, { keys }), limits))).toEqual(expected);
  });

  it('by age: who got ready first', () => {
    const scenario = begin('late → x, x, early', { plan: 1 }).schedule('x').end('x', 0);
    expect(admitted(scenario)).toEqual(['early']);
  });

  it('retries and fresh tasks share one queue by age', () => {
    const scenario = begin('x, b → x, a', { plan: 1 }).complete('x').failOnce('a', 10).after(10);
    expect(told(scenario.decide())).toEqual(['backoff-ended a', 'attempt-scheduled a']);
    const other = begin('x, b → x, a', { plan: 1 }).complete('x').failOnce('b', 10).after(10);
    expect(told(other.decide())).toEqual(['backoff-ended b', 'attempt-scheduled a']);
  });

  it.each<[string, (s: Scenario) => unknown]>([
    ['a paused plan', (s) => s.pause()],
    ['a run that drains', (s) => s.stop('drain')],
    ['a run that stops', (s) => s.stop('stop')],
  ])('none in %s', (_, step) => {
    const scenario = begin('a, b').schedule('a');
    step(scenario);
    expect(admitted(scenario)).toEqual([]);
  });
});

describe('who decides', () => {
  const due = () => begin('a, b, c').failOnce('a', 10).schedule('b').end('b', 0).after(10);

  it('a command records what is due and admits nothing', () => {
    expect(told(due().decide(null))).toEqual(['task-completed b', 'backoff-ended a']);
  });

  it.each([
    ['another run of the plan', { run: runId('run-9') }],
    ['a plan that is not there', { plan: planPath('other.md') }],
  ])('the same for %s', (_, change) => {
    const scenario = due();
    expect(told(scenario.decide({ ...scenario.me, ...change }))).toEqual(['task-completed b', 'backoff-ended a']);
  });

  it('the same without a run, and after it has ended', () => {
    const scenario = log(planOf('a')).load();
    expect(scenario.decide()).toEqual([]);
    scenario.startRun().pause().decide();
    expect(told(scenario.resumePlan().decide())).toEqual([]);
  });

  it('a host admits for itself', () => {
    const scenario = begin('a');
    scenario.decide({ ...scenario.me, host: hostId('there') });
    expect(scenario.live('a').host).toBe('there');
  });

  it('what is due in one plan is recorded by the run of another', () => {
    const one = begin('a').schedule('a').end('a', 1);
    const two = log(planOf('b', { path: 'two.md' }), one.state)
      .load()
      .startRun();
    expect(told(two.decide())).toEqual(['retry-scheduled a', 'attempt-scheduled b']);
    expect(one.status('a')).toBe('pending');
  });
});

describe('the order of the rules', () => {
  it('judge, end a backoff, doom the late, doom the stopped, admit, end the run', () => {
    const keys = { late: { timeoutMs: 5 }, done: { timeoutMs: 5 } };
    const scenario = begin(planOf('done, wait, late, other, free', { keys }));
    scenario.failOnce('wait', 10).schedule('late', 'other', 'done').start('late', 'done').end('done', 0).after(10);
    expect(told(scenario.decide())).toEqual([
      'task-completed done',
      'backoff-ended wait',
      'attempt-doomed late',
      'attempt-scheduled wait',
      'attempt-scheduled free',
    ]);
    expect(told(scenario.stop('stop').decide())).toEqual([
      'attempt-doomed other',
      'attempt-doomed wait',
      'attempt-doomed free',
    ]);
  });

  it('a backoff that is not over yet waits', () => {
    const scenario = begin('a').failOnce('a', 10).after(9);
    expect(scenario.decide()).toEqual([]);
    expect(told(scenario.after(1).decide())).toEqual(['backoff-ended a', 'attempt-scheduled a']);
  });

  it('backoffs end in their order', () => {
    const scenario = begin('a, b', { plan: 0 }).failOnce('a', 20).failOnce('b', 10).after(30);
    expect(told(scenario.decide()).slice(0, 2)).toEqual(['backoff-ended b', 'backoff-ended a']);
  });
});

describe('timeouts', () => {
  const plan = planOf('a, b', { keys: { a: { timeoutMs: 50 }, b: { run: 'true' } } });

  it('an attempt that used up its time is doomed, once', () => {
    const scenario = begin(plan).schedule('a', 'b').after(7).start('a', 'b').after(49);
    expect(scenario.decide()).toEqual([]);
    scenario.after(1);
    expect(decide(scenario.state, scenario.time, scenario.me)).toEqual([
      {
        type: 'attempt-doomed',
        v: 1,
        plan: 'plan.md',
        run: firstRun,
        task: 'a',
        attempt: 'a#1',
        token: 1,
        doom: { kind: 'timeout', limitMs: 50 },
      },
    ]);
    expect(told(scenario.decide())).toEqual(['attempt-doomed a']);
    expect(scenario.after(1_000_000).decide()).toEqual([]);
  });

  it('only by a runner that knows it to be alive: it may have ended in time, unseen', () => {
    const scenario = begin(plan).schedule('a', 'b').start('a', 'b').after(50);
    expect(scenario.decide(null)).toEqual([]);
    expect(scenario.decide({ ...scenario.me, attends: () => false })).toEqual([]);
    expect(told(scenario.decide({ ...scenario.me, attends: (token) => token === 1 }))).toEqual(['attempt-doomed a']);
  });

  it('waiting for its start costs no time', () => {
    expect(begin(plan).schedule('a', 'b').after(1_000).decide()).toEqual([]);
  });
});

describe('stopping', () => {
  it('what is not known to be alive is left alone until it is', () => {
    const scenario = begin('a, b').schedule('a', 'b').start('a', 'b').stop('stop');
    expect(told(scenario.decide({ ...scenario.me, attends: (token) => token === 2 }))).toEqual(['attempt-doomed b']);
  });

  const running = () => begin('a, b, c', { plan: 2 }).schedule('a', 'b').start('a').doom('b', { kind: 'withdrawn' });

  it('drain lets attempts end', () => {
    const scenario = running().stop('drain');
    expect(scenario.decide()).toEqual([]);
    scenario.end('a', 0).end('b', { kind: 'killed', code: null });
    expect(told(scenario.decide())).toEqual(['task-completed a', 'retry-scheduled b', 'run-ended']);
    expect(scenario.plan.run!.ended).toMatchObject({ outcome: 'aborted', exitCode: 143 });
  });

  it.each(['stop', 'kill'] as const)('%s dooms what runs and is not doomed yet', (mode) => {
    const scenario = running().stop(mode);
    expect(scenario.decide()).toMatchObject([{ type: 'attempt-doomed', task: 'a', token: 1, doom: { kind: 'stop' } }]);
    expect(scenario.live('b').doom).toEqual({ kind: 'withdrawn' });
  });

  it('never touches attempts of another plan', () => {
    const scenario = begin('a').schedule('a');
    const two = log(planOf('b', { path: 'two.md' }), scenario.state)
      .load()
      .startRun()
      .schedule('b')
      .stop('kill');
    expect(told(two.decide())).toEqual(['attempt-doomed b']);
  });

  it('costs no retry: the next run goes on where it was', () => {
    const scenario = begin(planOf('a', { keys: { a: { retries: 0 } } }))
      .schedule('a')
      .start('a')
      .stop('stop');
    scenario.decide();
    scenario.end('a', { kind: 'killed', code: null }).decide();
    expect(scenario.plan.run!.ended!.outcome).toBe('aborted');
    const next = runId('run-2');
    scenario.startRun({}, next);
    expect(told(scenario.decide({ ...scenario.me, run: next }))).toEqual(['attempt-scheduled a']);
    expect(scenario.task('a')).toMatchObject({ attempts: 2, failures: 0 });
  });
});

describe('warnings', () => {
  it('preferred tasks that ended badly, own and of the groups around', () => {
    const scenario = begin('a, b, c, d, e → a, h { f }, g ~> d h { z ~> a b c e }');
    scenario.fail('a', 'f').complete('b').skip('c').suspend('d');
    const scheduled = scenario.decide().find((event) => event.type === 'attempt-scheduled');
    expect(scheduled).toMatchObject({
      task: 'z',
      warnings: [
        { task: 'a', status: 'failed' },
        { task: 'c', status: 'skipped' },
        { task: 'e', status: 'blocked' },
        { task: 'd', status: 'suspended' },
        { task: 'h', status: 'failed' },
      ],
    });
  });

  it('for an optional group that failed', () => {
    const scenario = begin('g* { a }, z ~> g').fail('a');
    expect(preferenceWarnings(scenario.plan, scenario.index('z'))).toEqual([{ task: 'g', status: 'failed' }]);
  });

  it('none for what was treated as done, or has not ended', () => {
    const scenario = begin('a, b, z ~> a b').treatAsDone('a');
    expect(preferenceWarnings(scenario.plan, scenario.index('z'))).toEqual([]);
  });
});

describe('whole runs', () => {
  it('A fails for good, B → A, C → B, D independent', () => {
    const scenario = begin(planOf('a, b → a, c → b, d', { keys: { a: { retries: 1 } } }));
    expect(runToEnd(scenario, { a: 1 })).toEqual([
      'attempt-scheduled a',
      'attempt-scheduled d',
      'retry-scheduled a',
      'task-completed d',
      'backoff-ended a',
      'attempt-scheduled a',
      'task-failed a',
      'decision-opened a',
      'plan-stuck',
      'run-ended',
    ]);
    expect(scenario.plan.run!.ended).toMatchObject({
      outcome: 'stuck',
      exitCode: 5,
      summary: { totalTasks: 4, completed: 1, failed: 1, blocked: 2 },
    });
    expect(scenario.events.at(-2)).toMatchObject({ blocked: 2, causes: [{ task: 'a', status: 'failed' }] });
  });

  it('running a stuck plan again starts nothing until something changed', () => {
    const scenario = begin('a, b → a').fail('a');
    scenario.decide();
    const again = (n: number) => {
      scenario.startRun({}, runId(`run-${n}`));
      return told(scenario.decide({ ...scenario.me, run: runId(`run-${n}`) }));
    };
    expect(again(2)).toEqual(['plan-stuck', 'run-ended']);
    scenario.retry('a');
    expect(again(3)).toEqual(['decision-closed', 'attempt-scheduled a']);
  });

  it.each<[string, string, Record<string, number>, string]>([
    ['complete', 'a, g → a { b, c* }, d ~> c → g', { c: 1 }, 'complete'],
    ['failed', 'a, b', { b: 9 }, 'failed'],
    ['by phases', 'a, b* | c | d', { b: 1 }, 'complete'],
    ['by phases, stuck', 'a | c | d', { c: 1 }, 'stuck'],
  ])('%s', (_, text, codes, outcome) => {
    const scenario = begin(text, { plan: 2 });
    runToEnd(scenario, codes);
    expect(scenario.plan.run!.ended!.outcome).toBe(outcome);
  });

  it('a run ends once, with its summary', () => {
    const scenario = begin('+a');
    expect(scenario.decide()).toMatchObject([
      { type: 'run-ended', outcome: 'complete', exitCode: 0, summary: { totalTasks: 1 } },
    ]);
    expect(scenario.plan.run!.ended!.at).toBe(dawn);
    expect(scenario.decide()).toEqual([]);
  });

  it('1,000 tasks are decided in as many steps as there are events', () => {
    const many = Array.from({ length: 1_000 }, (_, i) => `t${i}${i > 2 ? ` → t${i - 3}` : ''}`).join(', ');
    expect(runToEnd(begin(many, { plan: 3 }))).toHaveLength(2_001);
  });
});

it('any plan with any failures comes to an end, and to the outcome that the plain rules say', () => {
  fc.assert(
    fc.property(soundPlan, fc.array(fc.boolean(), { minLength: 14, maxLength: 14 }), (plan, fails) => {
      const codes = Object.fromEntries(plan.tasks.map(({ id }, i) => [id, fails[i] ? 1 : 0]));
      const scenario = begin(plan, { plan: 2 });
      const scheduled = runToEnd(scenario, codes).filter((line) => line.startsWith('attempt-scheduled'));
      const required = new PlainRules(plan, scenario.plan.tasks).counts(false);
      const unended = required.pending + required.blocked + required.suspended + required.in_progress;
      const expected = unended > 0 ? 'stuck' : required.failed > 0 ? 'failed' : 'complete';
      expect(scenario.plan.run!.ended!.outcome).toBe(expected);
      const attempts = scenario.plan.tasks.reduce((n, task) => n + task.attempts, 0);
      expect(scheduled).toHaveLength(attempts);
      expect(scenario.plan.tasks.every(({ status, attempts: n }) => status !== 'failed' || n === 3)).toBe(true);
    }),
    { numRuns: 300 },
  );
});
