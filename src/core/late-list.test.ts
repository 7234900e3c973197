import { describe, expect, it } from 'vitest';
import { lateList, madeIn } from './late-list.ts';

const make = () => {
  const made: number[] = [];
  const list = lateList(4, (i) => {
    made.push(i);
    return { i };
  });
  return { list, made };
};

describe('a list of what is made when it is looked at', () => {
  it('makes only what is looked at, and once', () => {
    const { list, made } = make();
    expect([list.length, made]).toEqual([4, []]);
    expect(list[2]).toBe(list[2]);
    expect(list.at(-1)).toEqual({ i: 3 });
    expect(made).toEqual([2, 3]);
  });

  it('tells what was looked at or put in', () => {
    const { list } = make();
    list[1] = { i: 9 };
    expect(list[3]).toEqual({ i: 3 });
    expect(new Map(madeIn(list))).toEqual(
      new Map([
        [1, { i: 9 }],
        [3, { i: 3 }],
      ]),
    );
    expect(madeIn([{ i: 0 }])).toBe(null);
  });

  it('is an array to everybody', () => {
    const whole = [{ i: 0 }, { i: 1 }, { i: 2 }, { i: 3 }];
    const uses: [string, (list: { i: number }[]) => unknown][] = [
      ['map', (list) => list.map(({ i }) => i)],
      [
        'forEach',
        (list) => {
          let n = 0;
          list.forEach(({ i }) => {
            n += i;
          });
          return n;
        },
      ],
      ['spread', (list) => [...list]],
      ['slice', (list) => list.slice(1, 3)],
      ['JSON', (list) => JSON.stringify(list)],
      ['keys', (list) => Object.keys(list)],
      ['entries', (list) => Object.entries(list)],
      ['copy', (list) => Object.assign([], list)],
      ['isArray', (list) => Array.isArray(list)],
      ['find', (list) => list.findLast(({ i }) => i < 2)],
      ['outside', (list) => [list[4], list[-1], 7 in list, 2 in list, list['1.5' as never]]],
      ['concat', (list) => [].concat(list as never)],
      ['named', (list) => (list as { name?: string }).name],
    ];
    for (const [name, use] of uses) expect([name, use(make().list)]).toEqual([name, use([...whole])]);
    expect(make().list).toEqual(whole);
  });

  it('can be neither longer nor shorter than it is', () => {
    const { list } = make();
    expect(() => list.push({ i: 4 })).toThrow(TypeError);
    expect(() => {
      list.length = 1;
    }).toThrow(TypeError);
    expect(list).toHaveLength(4);
  });

  it('takes what is put in the place of an element, made or not', () => {
    const { list, made } = make();
    list[1] = { i: 10 };
    list[0]!.i = 5;
    list[0] = { i: 20 };
    expect([[...list], made]).toEqual([
      [{ i: 20 }, { i: 10 }, { i: 2 }, { i: 3 }],
      [0, 2, 3],
    ]);
  });
});
