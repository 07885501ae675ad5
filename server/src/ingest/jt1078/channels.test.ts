import { expect, it } from 'vitest';
import { channelOf } from './channels.ts';

it.each([
  ...(['1', '01', 'ch1', 'CH1', 'ch01', 'channel-1', 'Channel 1', 'cam_1', 'camera1'] as const),
])('a camera %s is channel 1', (key) => {
  expect(channelOf(key)).toBe(1);
});

it('channels go up to 255', () => {
  expect([channelOf('ch64'), channelOf('255'), channelOf('256'), channelOf('0')]).toEqual([
    ...[64, 255, undefined, undefined],
  ]);
});

it.each(['cabin', 'door1', '1a', 'ch', '', 'ch-1-2', '1.5', '-1x'])(
  'a camera %s names no channel',
  (key) => {
    expect(channelOf(key)).toBeUndefined();
  },
);
