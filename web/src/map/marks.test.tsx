import { fireEvent, screen } from '@testing-library/react';
import type { MapLibreMap } from 'maplibre-gl';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { MapMark, MapVehicle } from './map-parts.ts';
import { createMarks } from './marks.ts';
import { createVehicle } from './vehicle.ts';

/** The markers that the code gives to the library. */
const markers = vi.hoisted(() => [] as FakeMarker[]);
interface FakeMarker {
  element: HTMLElement;
  at: [number, number];
  listeners: Map<string, () => void>;
}
vi.mock('maplibre-gl', () => ({
  Marker: class implements FakeMarker {
    element: HTMLElement;
    at: [number, number] = [0, 0];
    listeners = new Map<string, () => void>();

    constructor({ element }: { element: HTMLElement }) {
      this.element = element;
      markers.push(this);
    }

    setLngLat(at: [number, number]) {
      this.at = at;
      return this;
    }

    getLngLat() {
      return { lng: this.at[0], lat: this.at[1] };
    }

    on(event: string, listener: () => void) {
      this.listeners.set(event, listener);
      return this;
    }

    addTo() {
      document.body.append(this.element);
      return this;
    }

    remove() {
      this.element.remove();
      return this;
    }
  },
}));

const map = {
  on: vi.fn(),
  off: vi.fn(),
  isMoving: vi.fn(() => false),
  easeTo: vi.fn(),
  // One degree is a thousand pixels.
  project: ([lng, lat]: [number, number]) => ({ x: lng * 1000, y: lat * 1000 }),
  getContainer: () => container,
};
const container = document.createElement('div');
let mapPx = 1000;
Object.defineProperties(container, {
  clientWidth: { get: () => mapPx },
  clientHeight: { value: 1000 },
});
const onMap = map as unknown as MapLibreMap;
const mark = (id: string, longitude: number, more: Partial<MapMark> = {}): MapMark => ({
  id,
  latitude: 0,
  longitude,
  shape: 'stop',
  name: `Stop ${id}`,
  notes: [{ text: `+${id}`, tone: 'plain' }],
  weight: 0,
  ...more,
});
const onPick = vi.fn();
const onMove = vi.fn();
beforeEach(() => {
  markers.length = 0;
  mapPx = 1000;
  for (const spy of [onPick, onMove, map.easeTo]) spy.mockClear();
});
afterEach(() => {
  document.body.innerHTML = '';
});
const button = (name: string) => screen.getByRole('button', { name });

describe('the marks of a map', () => {
  const make = (marks: readonly MapMark[], chosen?: string) => {
    const made = createMarks(onMap, onPick, onMove);
    made.set(marks, chosen);
    return made;
  };

  it('are buttons with names; the chosen one is pressed', () => {
    make([mark('1', 0), mark('2', 5)], '2');
    expect(button('Stop 1')).toHaveAttribute('aria-pressed', 'false');
    expect(button('Stop 2')).toHaveAttribute('aria-pressed', 'true');
    fireEvent.click(button('Stop 1'));
    expect(onPick).toHaveBeenCalledWith('1');
  });

  it('are one stop of the tab key; arrows go from mark to mark', () => {
    make([mark('1', 0), mark('2', 5), mark('3', 9)]);
    const stops = screen.getAllByRole('button').filter(({ tabIndex }) => tabIndex === 0);
    expect(stops).toEqual([button('Stop 1')]);
    button('Stop 1').focus();
    fireEvent.keyDown(button('Stop 1'), { code: 'ArrowRight' });
    expect(button('Stop 2')).toHaveFocus();
    fireEvent.keyDown(button('Stop 2'), { code: 'ArrowLeft' });
    fireEvent.keyDown(button('Stop 1'), { code: 'ArrowLeft' });
    expect(button('Stop 3')).toHaveFocus();
  });

  it('show their notes where there is room, that of the chosen one before all', () => {
    mapPx = 20_000;
    const near = [mark('1', 0, { weight: 9 }), mark('2', 0.01), mark('3', 9)];
    const made = make(near);
    const noteOf = (text: string) => screen.getByText(text).parentElement;
    // In these tests every note is as wide as the page.
    expect(noteOf('+1')?.hidden).toBe(false);
    expect(noteOf('+2')?.hidden).toBe(true);
    expect(noteOf('+3')?.hidden).toBe(false);
    made.set(near, '2');
    expect(noteOf('+1')?.hidden).toBe(true);
    expect(noteOf('+2')?.hidden).toBe(false);
  });

  it('come into view with the focus: keys do not move the map', () => {
    make([mark('1', 0.5, { latitude: 0.5 }), mark('2', 5)]);
    button('Stop 1').focus();
    expect(map.easeTo).not.toHaveBeenCalled();
    fireEvent.keyDown(button('Stop 1'), { code: 'ArrowRight' });
    expect(map.easeTo).toHaveBeenCalledWith(expect.objectContaining({ center: [5, 0] }));
  });

  it('have a note on the left where a button of the map covers the right', () => {
    mapPx = 20_000;
    const cover = document.createElement('div');
    cover.toggleAttribute('data-over-map', true);
    cover.getBoundingClientRect = () => new DOMRect(6000, -40, 44, 90);
    const page = document.createElement('div');
    page.append(container, cover);
    make([mark('1', 1.5), mark('2', 5.5)]);
    const sideOf = (text: string) => screen.getByText(text).parentElement?.dataset.side;
    expect([sideOf('+1'), sideOf('+2')]).toEqual(['right', 'left']);
  });

  it('keep the focus when they are made anew', () => {
    const made = make([mark('1', 0), mark('2', 5)]);
    button('Stop 2').focus();
    made.set([mark('1', 0), mark('2', 6)], undefined);
    expect(button('Stop 2')).toHaveFocus();
  });

  it('tell where they were dragged to', () => {
    make([mark('1', 0, { isMovable: true })]);
    const [marker] = markers;
    if (!marker) throw new Error('no marker');
    marker.at = [37.6, 55.7];
    marker.listeners.get('dragend')?.();
    expect(onMove).toHaveBeenCalledWith('1', { latitude: 55.7, longitude: 37.6 });
  });

  it('are taken away together', () => {
    make([mark('1', 0), mark('2', 5)]).remove();
    expect(screen.queryAllByRole('button')).toEqual([]);
  });
});

describe('the vehicle of a map', () => {
  const vehicle = (more: Partial<MapVehicle> = {}): MapVehicle => ({
    latitude: 0.5,
    longitude: 0.5,
    direction: 90,
    name: 'Bus 7, moving',
    kind: 'live',
    ...more,
  });

  it('has a name that says what it does', () => {
    createVehicle(onMap).set(vehicle());
    expect(screen.getByRole('img', { name: 'Bus 7, moving' })).toBeInTheDocument();
    expect(markers[0]?.at).toEqual([0.5, 0.5]);
  });

  it('is gone when nobody knows where it is', () => {
    const made = createVehicle(onMap);
    made.set(vehicle());
    made.set(null);
    expect(screen.queryByRole('img')).not.toBeInTheDocument();
  });

  it('keeps the direction that it had while it stands', () => {
    const made = createVehicle(onMap);
    made.set(vehicle({ direction: 135 }));
    made.set(vehicle({ direction: null, latitude: 0.51 }));
    expect(screen.getByRole('img').querySelector('i')).toHaveStyle({ rotate: '135deg' });
  });

  it('is followed by the map only when it comes near the edge', () => {
    const made = createVehicle(onMap);
    made.follow(true);
    made.set(vehicle());
    expect(map.easeTo).not.toHaveBeenCalled();
    made.set(vehicle({ longitude: 0.95 }));
    expect(map.easeTo).toHaveBeenCalledWith(expect.objectContaining({ center: [0.95, 0.5] }));
  });

  it('is not followed when nobody wants that', () => {
    const made = createVehicle(onMap);
    made.set(vehicle({ longitude: 0.95 }));
    expect(map.easeTo).not.toHaveBeenCalled();
  });
});
