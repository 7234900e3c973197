import { describe, expect, it } from 'vitest';
import { type AgentWork, type KnownWork, type PlanStanding, planStanding } from './plan-approval.ts';

const open = (...orders: string[]): AgentWork => ({ orders, isApproved: false });
const approved = (...orders: string[]): AgentWork => ({ orders, isApproved: true });

describe('whether a plan needs an approval', () => {
  it.each<[string, string[], KnownWork, PlanStanding]>([
    ['nothing is known', ['npm test'], { same: null, here: [] }, 'own'],
    ['an agent wrote this text', ['npm test'], { same: open('npm test'), here: [open('npm test')] }, 'unapproved'],
    ['an agent wrote this text, without any order', [], { same: open(), here: [open()] }, 'unapproved'],
    ['an agent wrote this text, and it lies elsewhere now', ['a'], { same: open('a'), here: [] }, 'unapproved'],
    ['this text was approved', ['npm test'], { same: approved('npm test'), here: [] }, 'approved'],
    ['this text was approved, another one here was not', ['a'], { same: approved('a'), here: [open('a')] }, 'approved'],
    [
      'an agent wrote this text, another one here was approved',
      ['a'],
      { same: open('a'), here: [approved('a')] },
      'unapproved',
    ],
    [
      'edited: one of its orders is left',
      ['mine', 'rm -rf x'],
      { same: null, here: [open('ls', 'rm -rf x')] },
      'unapproved',
    ],
    ['edited: none of its orders is left', ['mine'], { same: null, here: [open('ls', 'rm -rf x')] }, 'own'],
    ['edited after an approval', ['mine', 'ls'], { same: null, here: [approved('ls')] }, 'own'],
    [
      'edited, approved, and edited again',
      ['ls', 'mine'],
      { same: null, here: [open('ls', 'rm'), approved('ls')] },
      'own',
    ],
    [
      'edited, approved, and what was thrown out is back',
      ['ls', 'rm'],
      { same: null, here: [open('ls', 'rm'), approved('ls')] },
      'unapproved',
    ],
    [
      'written anew after an approval, and edited',
      ['ls', 'rm'],
      { same: null, here: [approved('ls'), open('ls', 'rm')] },
      'unapproved',
    ],
  ])('%s', (_, orders, known, standing) => {
    expect(planStanding(orders, known)).toBe(standing);
  });
});
