import { fireEvent, screen } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { at } from '../test/made.ts';
import { freshServer, showPart } from '../test/open.tsx';
import { SeekBar } from './seek-bar.tsx';

const onSeek = vi.fn();
beforeEach(() => {
  freshServer();
  onSeek.mockClear();
});
const thumbnails = {
  uri: '/sheet.jpg',
  step_ms: 2_000,
  count: 30,
  columns: 10,
  tile_width: 160,
  tile_height: 90,
};
const show = (more: Partial<Parameters<typeof SeekBar>[0]> = {}) =>
  showPart(
    <SeekBar
      label="Position"
      startMs={Date.parse(at('08:00'))}
      zone="Europe/Moscow"
      offsetS={12}
      lengthS={60}
      timeMap={null}
      thumbnails={null}
      marks={[]}
      onSeek={onSeek}
      {...more}
    />,
  );
const slider = () => screen.getByRole('slider', { name: 'Position' });
const bar = () => slider().parentElement as HTMLElement;

describe('the seek bar of a video', () => {
  it('says the time of the street at which the video stands', async () => {
    await show();
    expect(slider()).toHaveAttribute('aria-valuetext', '08:00:12');
    expect(slider()).toHaveValue('12');
    expect(slider()).toHaveAttribute('max', '60');
  });

  it('seeks to where it is moved', async () => {
    await show();
    fireEvent.change(slider(), { target: { value: '30' } });
    expect(onSeek).toHaveBeenCalledWith(30);
  });

  it('says which moment is pointed at, until the pointer leaves', async () => {
    await show();
    // The middle of a bar of 1,000 px.
    fireEvent.pointerMove(bar(), { clientX: 500 });
    expect(screen.getByText('08:00:30')).toBeVisible();
    fireEvent.pointerLeave(bar());
    expect(screen.queryByText('08:00:30')).not.toBeInTheDocument();
  });

  it('shows what is seen at the moment that is pointed at', async () => {
    const { container } = await show({ thumbnails });
    fireEvent.pointerMove(bar(), { clientX: 500 });
    const thumbnail = container.querySelector('[data-preview]');
    // The sixteenth thumbnail is the sixth in the second row.
    expect(thumbnail).toHaveStyle({ backgroundPosition: '-800px -90px' });
  });

  it('points at nothing of a video whose length is not known', async () => {
    await show({ lengthS: 0 });
    fireEvent.pointerMove(bar(), { clientX: 500 });
    expect(screen.queryByText(/08:00/)).not.toBeInTheDocument();
  });

  it('marks where people passed', async () => {
    const marks = [
      { offsetMs: 15_000, entered: 2, exited: 0 },
      { offsetMs: 30_000, entered: 0, exited: 1 },
    ];
    const { container } = await show({ marks });
    const [on, off] = container.querySelectorAll('[data-side]');
    expect(on).toHaveAttribute('data-side', 'entered');
    expect(on).toHaveStyle({ left: '25%' });
    expect(off).toHaveAttribute('data-side', 'exited');
  });
});
