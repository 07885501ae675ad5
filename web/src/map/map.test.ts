import { describe, expect, it } from 'vitest';
import { isGlide, poseBetween } from './glide.ts';
import { boxBeside, type NoteBox, notesWithRoom } from './room-for-notes.ts';

const pose = (latitude: number, direction: number) => ({ latitude, longitude: 37, direction });

describe('a vehicle on its way from fix to fix', () => {
  it('is drawn between them, and at the second one when the time is over', () => {
    expect(poseBetween(pose(55, 0), pose(55.002, 0), 0.5).latitude).toBeCloseTo(55.001, 9);
    expect(poseBetween(pose(55, 0), pose(55.002, 0), 3).latitude).toBe(55.002);
  });

  it.each([
    [350, 10, 0],
    [10, 350, 0],
    [90, 180, 135],
    [180, 181, 180.5],
  ])('turns the shorter way from %d° to %d°', (from, to, half) => {
    expect(poseBetween(pose(55, from), pose(55, to), 0.5).direction).toBeCloseTo(half, 6);
  });

  it('glides along a street, but not across the town after a tunnel', () => {
    const here = { latitude: 55.75, longitude: 37.6 };
    expect(isGlide(here, { latitude: 55.7503, longitude: 37.6 })).toBe(true);
    expect(isGlide(here, { latitude: 55.76, longitude: 37.6 })).toBe(false);
    expect(isGlide(here, { latitude: 55.75, longitude: 37.612 })).toBe(false);
  });
});

describe('notes beside the marks of a map', () => {
  const box = (id: string, leftPx: number, weight: number): NoteBox => ({
    id,
    leftPx,
    topPx: 0,
    widthPx: 40,
    heightPx: 20,
    weight,
  });

  it('are all shown where they have room', () => {
    expect(notesWithRoom([box('a', 0, 1), box('b', 40, 1)])).toEqual(new Set(['a', 'b']));
  });

  it('give way to the heavier one where they would cover each other', () => {
    const shown = notesWithRoom([
      box('a', 0, 1),
      box('b', 30, 9),
      box('c', 60, 2),
      box('d', 90, 1),
    ]);
    expect(shown).toEqual(new Set(['b', 'd']));
  });

  it('are on the right of their mark, and on the left at the edge of the map or below a button', () => {
    const button = { leftPx: 300, topPx: 10, widthPx: 44, heightPx: 90 };
    const sideAt = (x: number, y: number) => boxBeside({ x, y }, 60, 350, [button])?.side;
    expect(sideAt(100, 50)).toBe('right');
    expect(sideAt(250, 50)).toBe('left');
    expect(sideAt(250, 150)).toBe('right');
    expect(sideAt(290, 150)).toBe('left');
  });

  it('are left out where neither side has room', () => {
    expect(boxBeside({ x: 50, y: 50 }, 60, 100, [])).toBeUndefined();
  });
});
