// The one gate: every method of the door, for every face, is asked about before it does anything. Looking is free to all.
import { type Asker, refusalFor } from '../../core/commands/who-may.ts';
import type { PlanPath } from '../../core/model/ids.ts';
import { Refusal } from '../refusal.ts';
import type { Deeds, NamedWish } from './deeds.ts';

export interface Gate {
  readonly asker: () => Promise<Asker>;
  readonly which: (plan: string | undefined) => Promise<PlanPath>;
}

type Method = (...args: unknown[]) => unknown;

export function guard<T extends object>(door: T, deeds: Deeds<T>, gate: Gate): T {
  return new Proxy(door, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      const method: Method = value.bind(target);
      const deed = (deeds as Record<PropertyKey, Deeds<object> | ((...args: unknown[]) => NamedWish)>)[name];
      if (typeof deed === 'object') return async () => guard((await method()) as object, deed, gate);
      return (...args: unknown[]) => {
        const wish = deed!(...args);
        return wish.does === 'look' ? method(...args) : pass(gate, wish).then(() => method(...args));
      };
    },
  });
}

async function pass({ asker, which }: Gate, { does, plan, tasks = [], as }: NamedWish): Promise<void> {
  const who = await asker();
  if (who.who === 'person') return;
  const isAboutPlan =
    (does === 'steer' && who.who === 'command') ||
    (does === 'findings' && who.who === 'agent') ||
    (does === 'question' && (plan !== undefined || tasks.length > 0));
  const named = isAboutPlan ? { plan: await which(plan) } : {};
  const refusal = refusalFor(who, { does, tasks, ...named, ...(as === undefined ? {} : { as }) });
  if (refusal) throw new Refusal(2, refusal.because, { instead: refusal.instead });
}
