import { listDayFragments } from '@ridewatch/contract/fragments';
import { keepFragment } from '@ridewatch/contract/retention';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { at, camera, dayFragments, fragment } from '../test/made.ts';
import { freshServer, showPart } from '../test/open.tsx';
import type { FakeServer } from '../test/server.ts';
import { setAutoplay, useAutoplay } from './autoplay.ts';
import { CameraChips } from './camera-chips.tsx';
import { FragmentRows, TimeCell } from './fragment-rows.tsx';
import { KeepButton } from './keep-button.tsx';
import { Passages } from './passages.tsx';
import { refreshInterval } from './refresh-interval.ts';
import { AttentionMark, ReviewedMark, StateTag } from './state-tag.tsx';

let server: FakeServer;
beforeEach(() => {
  server = freshServer();
});

describe('the rows of fragments', () => {
  const items = Array.from({ length: 200 }, (_, index) => ({
    id: index + 1,
    end_time: new Date(Date.parse(at('08:00')) + index * 60_000).toISOString(),
  }));
  const show = (selectedId?: number, onSelect = vi.fn()) =>
    showPart(
      <FragmentRows
        items={items}
        idOf={({ id }) => id}
        selectedId={selectedId}
        label="Fragments"
        look={undefined}
        head={<span>Time</span>}
        onSelect={onSelect}
        row={({ id }) => <span>row {id}</span>}
        over={({ id }) => <input aria-label={`count of ${id}`} />}
      />,
    );

  it('are drawn as far as they are in sight', async () => {
    await show();
    const drawn = screen.getAllByRole('listitem');
    expect(drawn.length).toBeGreaterThan(10);
    expect(drawn.length).toBeLessThan(40);
    expect(screen.getByRole('region', { name: 'Fragments' })).toBeVisible();
  });

  it('say which one is selected, and select another', async () => {
    const onSelect = vi.fn();
    const { hand } = await show(2, onSelect);
    expect(screen.getByRole('button', { name: 'row 2' })).toHaveAttribute('aria-current', 'true');
    await hand.click(screen.getByRole('button', { name: 'row 3' }));
    expect(onSelect).toHaveBeenCalledWith(items[2]);
  });

  it('have fields over them that are reached by themselves', async () => {
    const onSelect = vi.fn();
    const { hand } = await show(undefined, onSelect);
    await hand.type(screen.getByRole('textbox', { name: 'count of 1' }), '4');
    expect(onSelect).not.toHaveBeenCalled();
  });
});

describe('the parts of a fragment', () => {
  it('say when it began, by the clock of its bus', async () => {
    await showPart(<TimeCell ms={Date.parse(at('08:05:09'))} zone="Asia/Yekaterinburg" />);
    expect(screen.getByText('10:05')).toHaveTextContent('10:05:09');
  });

  it('say its state, and why it failed', async () => {
    const failed = fragment(1, '08:00', { status: 'DOWNLOAD_FAIL', fail_reason: 'not_a_video' });
    await showPart(<StateTag fragment={failed} isCameraOffline={false} />);
    await waitFor(() =>
      expect(screen.getByText('failed')).toHaveAttribute(
        'title',
        'The registrar sent no video, or one of a format that is not read.',
      ),
    );
  });

  it('say that a request was cancelled, which is no failure', async () => {
    const cancelled = fragment(1, '08:00', { status: 'DOWNLOAD_FAIL', fail_reason: 'cancelled' });
    await showPart(<StateTag fragment={cancelled} isCameraOffline={false} />);
    expect(screen.getByText('cancelled')).toHaveAttribute(
      'title',
      'The request was cancelled. The registrar has the video, it can be requested again.',
    );
    expect(screen.getByText('cancelled')).toHaveAttribute('data-kind', 'neutral');
  });

  it('say who reviewed it', async () => {
    const reviewed = fragment(1, '08:00', { reviewed_at: at('12:30'), reviewed_by: 'maria' });
    await showPart(<ReviewedMark fragment={reviewed} zone="Europe/Moscow" />);
    expect(screen.getByTitle(/Reviewed by maria/)).toBeVisible();
  });

  it('ask for attention at more than four people', async () => {
    const { showAgain } = await showPart(<AttentionMark people={4} />);
    expect(screen.queryByText(/attention/)).not.toBeInTheDocument();
    showAgain(<AttentionMark people={5} />);
    expect(screen.getByText('attention · 5')).toBeVisible();
  });

  it('list who passed, a second at a time, and lead to that moment', async () => {
    const events = [
      { offset_ms: 4_000, entered: 2, exited: 0 },
      { offset_ms: 4_600, entered: 0, exited: 1 },
      { offset_ms: 9_000, entered: 1, exited: 0 },
    ];
    const onPick = vi.fn();
    const of = fragment(1, '08:00', { events });
    const { hand } = await showPart(
      <Passages fragment={of} zone="Europe/Moscow" onPick={onPick} />,
    );
    const list = screen.getByRole('list', { name: 'Who was counted' });
    const moments = within(list).getAllByRole('button');
    expect(moments.map(({ textContent }) => textContent)).toEqual(['08:00:04+2−1', '08:00:09+1']);
    await hand.click(moments[1] as HTMLElement);
    expect(onPick).toHaveBeenCalledWith(9);
  });

  it('keep its video whatever its age, and say so at once', async () => {
    server.answer(listDayFragments, dayFragments([]));
    server.answer(keepFragment, fragment(1, '08:00', { kept: true }));
    const { hand } = await showPart(<KeepButton fragment={fragment(1, '08:00')} />);
    const keep = screen.getByRole('button', { name: 'Keep the video whatever its age' });
    expect(keep).toHaveAttribute('aria-pressed', 'false');
    await hand.click(keep);
    await waitFor(() => expect(server.asked(keepFragment)[0]?.body).toEqual({ keep: true }));
  });
});

describe('the cameras to choose from', () => {
  const cameras = [camera(1), camera(2, { status: 'offline', enabled: false })];

  it('are named; those that are offline say so', async () => {
    const onPress = vi.fn();
    const { hand } = await showPart(
      <CameraChips
        label="Cameras"
        cameras={cameras}
        isChosen={({ id }) => id === 1}
        onPress={onPress}
      />,
    );
    expect(screen.getByRole('button', { name: 'Дверь 1' })).toHaveAttribute('aria-pressed', 'true');
    await hand.click(screen.getByRole('button', { name: 'Дверь 2 (offline)' }));
    expect(onPress).toHaveBeenCalledWith(cameras[1]);
  });

  it('are numbers of doors where there are many, with their names for who cannot see that', async () => {
    await showPart(
      <CameraChips
        label="Cameras"
        cameras={cameras}
        isChosen={() => true}
        asIcons
        onPress={() => undefined}
      />,
    );
    expect(screen.getByRole('button', { name: 'Дверь 1' })).toHaveTextContent(/^1$/);
  });
});

describe('what is kept of watching', () => {
  it('autoplay is off at first, and kept in this browser', async () => {
    const Shown = () => <p>{useAutoplay() ? 'on' : 'off'}</p>;
    await showPart(<Shown />);
    expect(screen.getByText('off')).toBeVisible();
    setAutoplay(true);
    expect(await screen.findByText('on')).toBeVisible();
    expect(localStorage.getItem('ridewatch.autoplay')).toBe('true');
  });

  it('a day is asked for again while something of it moves, today by itself', () => {
    const still = [fragment(1, '08:00')];
    const moving = [fragment(1, '08:00', { status: 'LOADING' })];
    expect(refreshInterval(still, false)).toBe(false);
    expect(refreshInterval(still, true)).toBe(5_000);
    expect(refreshInterval(moving, false)).toBe(1_500);
    expect(refreshInterval(still, false, true)).toBe(1_500);
  });
});
