import type { VehiclePosition } from '@ridewatch/contract/laps';
import { screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { NOW } from '../../test/browser.ts';
import { freshServer, showPart } from '../../test/open.tsx';
import { LiveNote, PinNotes, readColour, TrackColours } from './map-notes.tsx';

beforeEach(() => {
  freshServer();
});
const position = (more: Partial<VehiclePosition> = {}): VehiclePosition => ({
  latitude: 55.7,
  longitude: 37.6,
  direction: 90,
  speed_kmh: 42.4,
  time: NOW,
  state: 'moving',
  ...more,
});
const note = (of: VehiclePosition | undefined, onFollow?: () => void) =>
  showPart(<LiveNote position={of} follows={false} onFollow={onFollow} />);

describe('the note of where a bus is now', () => {
  it('says how fast it drives', async () => {
    await note(position());
    expect(screen.getByText(/now: moving/)).toHaveTextContent('now: moving · 42 km/h');
  });

  it('says no speed of a bus that stands', async () => {
    await note(position({ state: 'standing', speed_kmh: 0 }));
    expect(screen.getByText(/now: standing/)).not.toHaveTextContent('km/h');
  });

  it('says no speed where a drive pauses for a moment', async () => {
    await note(position({ speed_kmh: 0.4 }));
    expect(screen.getByText(/now: moving/)).not.toHaveTextContent('km/h');
  });

  it('says since when a unit has been silent', async () => {
    const time = new Date(Date.parse(NOW) - 600_000).toISOString();
    await note(position({ state: 'silent', time }));
    expect(screen.getByText(/now: silent/)).toHaveTextContent('silent · 10 min ago');
  });

  it('lets the map follow the bus, unless it has to show something else', async () => {
    const onFollow = vi.fn();
    const { hand, unmount } = await note(position(), onFollow);
    await hand.click(screen.getByRole('checkbox', { name: 'Follow the bus' }));
    expect(onFollow).toHaveBeenCalledOnce();
    unmount();
    await note(position());
    expect(screen.queryByRole('checkbox')).not.toBeInTheDocument();
  });
});

describe('the colours of a track', () => {
  it('mean nothing where it is plain', async () => {
    await showPart(<TrackColours colour="plain" full={50} onColour={() => undefined} />);
    expect(screen.queryByText('km/h')).not.toBeInTheDocument();
  });

  it('by passengers go up to a full bus', async () => {
    const onColour = vi.fn();
    const { hand } = await showPart(<TrackColours colour="load" full={50} onColour={onColour} />);
    expect(screen.getByText(/people/)).toHaveTextContent(/^\d+/);
    await hand.click(screen.getByRole('button', { name: 'Speed' }));
    expect(onColour).toHaveBeenCalledWith('speed');
  });

  it('are plain where the address names none that there is', () => {
    expect(readColour('speed')).toBe('speed');
    expect(readColour('rainbow')).toBe('plain');
    expect(readColour(undefined)).toBe('plain');
  });
});

describe('the pinned tracks', () => {
  const read = (id: string) => ({
    id,
    answer: { isError: false, isFetching: false, data: {}, refetch: vi.fn() },
  });
  it('are named, and each is taken away by itself', async () => {
    const onUnpin = vi.fn();
    const { hand } = await showPart(
      <PinNotes pins={[read('2'), read('route')]} onUnpin={onUnpin} />,
    );
    expect(screen.getByRole('button', { name: 'Unpin: Lap 2' })).toBeVisible();
    await hand.click(screen.getByRole('button', { name: 'Unpin: Route track' }));
    expect(onUnpin).toHaveBeenCalledWith('route');
  });

  it('say which one could not be loaded, and load it when asked again', async () => {
    const failed = { ...read('2').answer, isError: true, data: undefined };
    const onUnpin = vi.fn();
    const { hand } = await showPart(
      <PinNotes pins={[{ id: '2', answer: failed }, read('route')]} onUnpin={onUnpin} />,
    );
    const alert = screen.getByRole('alert');
    expect(alert).toHaveTextContent('Could not load: Lap 2');
    await hand.click(within(alert).getByRole('button', { name: 'Try again' }));
    expect(failed.refetch).toHaveBeenCalled();
    await hand.click(screen.getByRole('button', { name: 'Unpin: Lap 2' }));
    expect(onUnpin).toHaveBeenCalledWith('2');
  });
});
