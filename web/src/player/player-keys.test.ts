import { describe, expect, it } from 'vitest';
import { clockText } from './clock-text.ts';
import { frameLength, stepFrames } from './frame-step.ts';
import { playerAction } from './player-keys.ts';
import { createPlayhead } from './playhead.ts';
import { speedBy, speeds } from './speeds.ts';

const press = (code: string, modifiers: Partial<Record<'shiftKey' | 'ctrlKey', boolean>> = {}) => ({
  code,
  shiftKey: false,
  ctrlKey: false,
  altKey: false,
  metaKey: false,
  ...modifiers,
});

describe('the keys of the player', () => {
  it('play and pause with Space, go 5 s with the arrows and a frame with Shift', () => {
    expect(playerAction(press('Space'))).toEqual({ kind: 'toggle' });
    expect(playerAction(press('ArrowLeft'))).toEqual({ kind: 'seek', bySeconds: -5 });
    expect(playerAction(press('ArrowRight'))).toEqual({ kind: 'seek', bySeconds: 5 });
    expect(playerAction(press('ArrowRight', { shiftKey: true }))).toEqual({ kind: 'frame', by: 1 });
  });

  it('change the speed by their place on the keyboard, whatever letter the layout puts there', () => {
    expect(playerAction(press('Comma', { shiftKey: true }))).toEqual({ kind: 'speed', steps: -1 });
    expect(playerAction(press('Period', { shiftKey: true }))).toEqual({ kind: 'speed', steps: 1 });
  });

  it('leave the shortcuts of the browser alone', () => {
    expect(playerAction(press('ArrowLeft', { ctrlKey: true }))).toBeUndefined();
    expect(playerAction(press('KeyF', { ctrlKey: true }))).toBeUndefined();
    expect(playerAction(press('KeyQ'))).toBeUndefined();
  });
});

describe('the player', () => {
  it('offers the speeds 0.25 to 4 by 0.25', () => {
    expect(speeds).toHaveLength(16);
    expect(speeds[0]).toBe(0.25);
    expect(speeds.at(-1)).toBe(4);
    expect(speedBy(1, 1)).toBe(1.25);
    expect(speedBy(4, 1)).toBe(4);
    expect(speedBy(0.25, -1)).toBe(0.25);
  });

  it('steps to the neighbouring frame and stays inside the video', () => {
    const frameS = 1 / 10;
    expect(stepFrames(1, 1, frameS, 30)).toBeCloseTo(1.15, 6);
    expect(stepFrames(1.15, -1, frameS, 30)).toBeCloseTo(1.05, 6);
    expect(stepFrames(0, -1, frameS, 30)).toBe(0);
    expect(stepFrames(29.95, 1, frameS, 30)).toBeCloseTo(29.95, 6);
  });

  it('learns the length of a frame from frames that follow each other, not over a seek', () => {
    const earlier = { mediaTime: 1, presentedFrames: 10 };
    expect(frameLength(earlier, { mediaTime: 1.1, presentedFrames: 11 }, 0.04)).toBeCloseTo(0.1);
    expect(frameLength(earlier, { mediaTime: 9, presentedFrames: 11 }, 0.04)).toBe(0.04);
    expect(frameLength(earlier, { mediaTime: 1.3, presentedFrames: 13 }, 0.04)).toBe(0.04);
  });

  it('writes positions as people read them', () => {
    expect([0, 17.9, 65, 3725, Number.NaN].map(clockText)).toEqual([
      '0:00',
      '0:17',
      '1:05',
      '1:02:05',
      '0:00',
    ]);
  });

  it('tells everybody who follows the playhead, once a change', () => {
    const playhead = createPlayhead();
    const seen: (number | null)[] = [];
    const leave = playhead.subscribe(() => seen.push(playhead.momentMs));
    playhead.set(5);
    playhead.set(5);
    playhead.set(null);
    leave();
    playhead.set(9);
    expect(seen).toEqual([5, null]);
  });
});
