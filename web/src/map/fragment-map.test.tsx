import { findDayTrack, type TrackPoint } from '@ridewatch/contract/laps';
import { screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createPlayhead } from '../player/playhead.ts';
import { at } from '../test/made.ts';
import { freshServer, showPart } from '../test/open.tsx';
import type { FakeServer } from '../test/server.ts';
import { FragmentMap } from './fragment-map.tsx';

const scene = vi.hoisted(() => ({
  setLines: vi.fn(),
  setTail: vi.fn(),
  setMarks: vi.fn(),
  setVehicle: vi.fn(),
  follow: vi.fn(),
  flyTo: vi.fn(),
  fit: vi.fn(),
  zoomBy: vi.fn(),
  remove: vi.fn(),
}));
vi.mock('./can-draw.ts', () => ({ canDrawMaps: () => true }));
vi.mock('./scene.ts', () => ({ createScene: async () => scene }));

const ms = (clock: string) => Date.parse(at(clock));
const point = (clock: string, latitude: number): TrackPoint => ({
  latitude,
  longitude: 37.6,
  time: at(clock),
  speed_kmh: 20,
});
let server: FakeServer;
const serve = (items: TrackPoint[]) =>
  server.answer(findDayTrack, { items, halts: [], timezone: 'Europe/Moscow' });
beforeEach(() => {
  server = freshServer();
  scene.setVehicle.mockClear();
  scene.setLines.mockClear();
});
const playhead = createPlayhead();
const show = () =>
  showPart(
    <FragmentMap
      busId={7}
      date="2026-03-10"
      zone="Europe/Moscow"
      startMs={ms('08:00')}
      endMs={ms('08:01')}
      playhead={playhead}
    />,
  );
const shown = () => scene.setVehicle.mock.calls.at(-1)?.[0];

describe('the map of a fragment', () => {
  beforeEach(() => playhead.set(null));

  it('shows the street around it, and the bus where it was at its beginning', async () => {
    serve([point('07:00', 55), point('07:59', 55.7), point('08:01', 55.8), point('09:00', 56)]);
    await show();
    // The map is drawn after its buttons.
    await waitFor(() => {
      const [lines] = scene.setLines.mock.calls.at(-1) ?? [];
      expect(lines?.[0].stretches[0].places).toHaveLength(2);
    });
    await waitFor(() => expect(shown()).toBeDefined());
    expect(shown()).toMatchObject({ name: 'The bus at 08:00:00', kind: 'video' });
    expect(shown().latitude).toBeCloseTo(55.75);
  });

  it('moves the bus with the video', async () => {
    serve([point('07:59', 55.7), point('08:01', 55.8)]);
    await show();
    await waitFor(() => expect(shown()).toBeDefined());
    playhead.set(ms('08:00:30'));
    expect(shown()).toMatchObject({ name: 'The bus at 08:00:30' });
    // At a moment outside of the fragment the vehicle is where the fragment starts.
    playhead.set(ms('12:00'));
    expect(shown()).toMatchObject({ name: 'The bus at 08:00:00' });
  });

  it('says that nobody knows where the bus was', async () => {
    serve([point('12:00', 55.7)]);
    await show();
    expect(await screen.findByText('Where the bus was at this time is not known.')).toBeVisible();
  });

  it('says that the track could not be loaded, and loads it when it is asked again', async () => {
    server.refuse(findDayTrack, 'internal');
    const { hand } = await show();
    const again = await screen.findByRole('button', { name: 'Try again' });
    serve([point('08:00', 55.7)]);
    await hand.click(again);
    expect(await screen.findByRole('button', { name: 'Zoom in' })).toBeVisible();
  });
});
