import { screen } from '@testing-library/react';
import { type ComponentProps, createRef } from 'react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { freshServer, showPart } from '../test/open.tsx';
import type { MapHandle } from './map-parts.ts';
import { MapView } from './map-view.tsx';
import type { Scene } from './scene.ts';

const canDraw = vi.hoisted(() => ({ now: true }));
const made = vi.hoisted(() => ({ create: vi.fn() }));
// The library needs a graphics card; these tests check what it gets.
vi.mock('./can-draw.ts', () => ({ canDrawMaps: () => canDraw.now }));
vi.mock('./scene.ts', () => ({ createScene: made.create }));

const names = {
  map: 'Map',
  zoomIn: 'Zoom in',
  zoomOut: 'Zoom out',
  metres: 'm',
  kilometres: 'km',
  mapFailed: 'The map could not be loaded.',
  mapUnable: 'This browser cannot draw a map.',
  mapWaits: 'The map is loading…',
  retry: 'Try again',
};
const place = { latitude: 55.7, longitude: 37.6 };
type MapViewProps = ComponentProps<typeof MapView>;
let scene: { [Name in keyof Scene]: ReturnType<typeof vi.fn> };
const handle = createRef<MapHandle>();
const part = (more: Partial<MapViewProps> = {}) => (
  <MapView
    ref={handle}
    names={names}
    lines={[]}
    marks={[]}
    look={{ key: 'lap 1', places: [place] }}
    onPick={() => undefined}
    {...more}
  />
);
beforeEach(() => {
  freshServer();
  canDraw.now = true;
  scene = {
    setLines: vi.fn(),
    setTail: vi.fn(),
    setMarks: vi.fn(),
    setVehicle: vi.fn(),
    setFleet: vi.fn(),
    follow: vi.fn(),
    flyTo: vi.fn(),
    fit: vi.fn(),
    zoomBy: vi.fn(),
    remove: vi.fn(),
  };
  made.create.mockReset().mockResolvedValue(scene);
});

describe('the map', () => {
  it('says that it is loading, then can be zoomed', async () => {
    const { hand } = await showPart(part());
    expect(screen.getByText('The map is loading…')).toBeVisible();
    await hand.click(await screen.findByRole('button', { name: 'Zoom in' }));
    await hand.click(screen.getByRole('button', { name: 'Zoom out' }));
    expect(scene.zoomBy.mock.calls).toEqual([[1], [-1]]);
  });

  it('goes where it is to look, and again only when that is another place', async () => {
    const { showAgain } = await showPart(part());
    await screen.findByRole('button', { name: 'Zoom in' });
    expect(scene.fit).toHaveBeenCalledWith([place], false);
    showAgain(part({ look: { key: 'lap 1', places: [] } }));
    expect(scene.fit).toHaveBeenCalledOnce();
    showAgain(part({ look: { key: 'stop 3', places: [place], zoom: 15 } }));
    expect(scene.flyTo).toHaveBeenCalledWith(place, 15, true);
  });

  it('goes to the first places at once, and not in a flight from nowhere', async () => {
    const { showAgain } = await showPart(part({ look: { key: 'none yet', places: [] } }));
    await screen.findByRole('button', { name: 'Zoom in' });
    expect(scene.fit).not.toHaveBeenCalled();
    showAgain(part({ look: { key: 'buses', places: [place] } }));
    expect(scene.fit).toHaveBeenCalledExactlyOnceWith([place], false);
    showAgain(part({ look: { key: 'others', places: [place] } }));
    expect(scene.fit).toHaveBeenLastCalledWith([place], true);
  });

  it('shows a vehicle that was set before it was there', async () => {
    await showPart(part());
    const vehicle = { ...place, direction: 90, name: 'Bus 7', kind: 'live' as const };
    handle.current?.setVehicle(vehicle);
    await screen.findByRole('button', { name: 'Zoom in' });
    await vi.waitFor(() => expect(scene.setVehicle).toHaveBeenLastCalledWith(vehicle));
  });

  it('says that it could not be loaded, and is loaded when it is asked again', async () => {
    made.create.mockRejectedValueOnce(new Error('no file'));
    vi.stubGlobal('reportError', vi.fn());
    const { hand } = await showPart(part());
    expect(await screen.findByText('The map could not be loaded.')).toBeVisible();
    await hand.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('button', { name: 'Zoom in' })).toBeVisible();
  });

  it('says that this browser cannot draw it, and asks for nothing', async () => {
    canDraw.now = false;
    await showPart(part());
    expect(screen.getByText('This browser cannot draw a map.')).toBeVisible();
    expect(made.create).not.toHaveBeenCalled();
  });

  it('is taken away with the page', async () => {
    const { unmount } = await showPart(part());
    await screen.findByRole('button', { name: 'Zoom in' });
    unmount();
    expect(scene.remove).toHaveBeenCalledOnce();
  });
});
