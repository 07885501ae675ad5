import { describe, expect, it, vi } from 'vitest';
import { Cache, cached } from './cache.ts';

const clockAt = (startMs: number) => {
  let ms = startMs;
  return { elapsedMs: () => ms, pass: (forMs: number) => (ms += forMs) };
};

describe('a cache', () => {
  it('drops the entry that was unused longest when there is no room', () => {
    const cache = new Cache<string, number>({ most: 2 });
    cache.set('a', 1);
    cache.set('b', 2);
    cache.get('a');
    cache.set('c', 3);
    expect(cache.entries()).toEqual([
      ['a', 1],
      ['c', 3],
    ]);
  });

  it('counts the sizes of its entries where they have some', () => {
    const cache = new Cache<string, string>({ most: 10, sizeOf: (text) => text.length });
    cache.set('a', '1234');
    cache.set('b', '1234');
    cache.set('a', '12');
    cache.set('c', '1234');
    expect(cache.entries().map(([key]) => key)).toEqual(['b', 'a', 'c']);
    cache.set('d', '1');
    expect(cache.entries().map(([key]) => key)).toEqual(['a', 'c', 'd']);
  });

  it('keeps nothing that is larger than its room', () => {
    const cache = new Cache<string, string>({ most: 2, sizeOf: (text) => text.length });
    cache.set('a', '123');
    expect(cache.get('a')).toBeUndefined();
  });

  it('gives an entry until it is stale, however often it is used', () => {
    const clock = clockAt(1000);
    const cache = new Cache<string, number>({ most: 9, age: { keepMs: 100, clock } });
    cache.set('a', 1);
    clock.pass(99);
    expect(cache.get('a')).toBe(1);
    clock.pass(1);
    expect(cache.get('a')).toBeUndefined();
    expect(cache.entries()).toEqual([]);
  });

  it('tells of every entry that leaves it, once', () => {
    const clock = clockAt(0);
    const left: number[] = [];
    const onLeave = (value: number) => left.push(value);
    const cache = new Cache<string, number>({ most: 2, age: { keepMs: 10, clock }, onLeave });
    cache.set('a', 1);
    cache.set('a', 2);
    cache.set('b', 3);
    cache.set('c', 4);
    cache.delete('b');
    cache.delete('b');
    clock.pass(10);
    cache.get('c');
    cache.set('d', 5);
    cache.clear();
    expect(left).toEqual([1, 2, 3, 4, 5]);
  });

  it('deletes an entry only while it has the value that is meant', () => {
    const cache = new Cache<string, number>({ most: 2 });
    cache.set('a', 1);
    cache.delete('a', 2);
    expect(cache.get('a')).toBe(1);
    cache.delete('a', 1);
    expect(cache.get('a')).toBeUndefined();
  });
});

describe('a value that is built when it is not cached', () => {
  it('is built once for all who ask meanwhile', async () => {
    const cache = new Cache<string, Promise<number>>({ most: 2 });
    const build = vi.fn(async () => 7);
    const asked = [cached(cache, 'a', build), cached(cache, 'a', build)];
    expect(await Promise.all(asked)).toEqual([7, 7]);
    expect(build).toHaveBeenCalledTimes(1);
  });

  it('is built anew after a failure, and a failure takes away nothing newer', async () => {
    const cache = new Cache<string, Promise<number>>({ most: 2 });
    const failing = cached(cache, 'a', () => Promise.reject(new Error('away')));
    cache.clear();
    const later = cached(cache, 'a', async () => 7);
    await expect(failing).rejects.toThrow('away');
    expect(cache.get('a')).toBe(later);
    await expect(cached(cache, 'b', () => Promise.reject(new Error('away')))).rejects.toThrow();
    expect(await cached(cache, 'b', async () => 8)).toBe(8);
  });
});
