// Loaded before it is needed: a toast that should not be there would else come after the test.
import '../../calls/error-toasts.ts';
import { findBusInfo, listBuses } from '@ridewatch/contract/buses';
import { findFragment, listDayFragments } from '@ridewatch/contract/fragments';
import {
  listReviewQueue,
  markReviewed,
  type ReviewItem,
  setManualCounts,
} from '@ridewatch/contract/review';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { at, bus, busInfo, busList, dayFragments, fragment, owner } from '../../test/made.ts';
import { freshServer, openScreen } from '../../test/open.tsx';
import type { FakeServer } from '../../test/server.ts';

const item = (id: number, clock: string, more: Partial<ReviewItem> = {}): ReviewItem => ({
  segment_id: id,
  workplace_id: 7,
  bus: 'А 7 АА',
  camera_id: 1,
  camera: 'Дверь 1',
  start_time: at(clock),
  end_time: at(clock),
  timezone: 'Europe/Moscow',
  max_objects_count: 6,
  ...more,
});
const queue = [item(1, '08:00'), item(2, '08:10'), item(3, '08:20')];

let server: FakeServer;
const serveQueue = (items: ReviewItem[], figures = {}) =>
  server.answer(listReviewQueue, {
    items,
    number: 0,
    total: items.length,
    newer: 0,
    reviewed_today: 4,
    reviewers: [{ login: 'maria', reviewed: 9 }],
    ...figures,
  });
beforeEach(() => {
  server = freshServer();
  server.answer(findFragment, ({ params }) => fragment(Number(params.segmentId), '08:00'));
  serveQueue(queue);
});
const open = (address = '/review', opening?: Parameters<typeof openScreen>[2]) =>
  openScreen(server, address, opening);
const list = () => screen.findByRole('region', { name: 'Queue: Moscow time' });
const chosen = () =>
  screen.getAllByRole('button').find((one) => one.getAttribute('aria-current') === 'true');
const field = (name: string) => screen.findByRole('textbox', { name: `${name}, by hand` });

describe('the queue of what waits for review', () => {
  it('lists the fragments of all buses, and opens the first', async () => {
    await open();
    const rows = within(await list()).getAllByRole('listitem');
    expect(rows.map((row) => row.textContent)).toEqual([
      expect.stringContaining('08:00:00А 7 АА Дверь 1'),
      expect.stringContaining('08:10:00'),
      expect.stringContaining('08:20:00'),
    ]);
    expect(chosen()).toHaveTextContent('08:00:00');
    expect(await screen.findByRole('complementary', { name: 'А 7 АА · Дверь 1' })).toBeVisible();
  });

  it('scrolls the page to the list only for a fragment of the address', async () => {
    const scrolled = vi.spyOn(Element.prototype, 'scrollIntoView');
    await open();
    await waitFor(() => expect(chosen()).toHaveTextContent('08:00:00'));
    expect(scrolled).not.toHaveBeenCalled();
    await open('/review?fragment=1');
    await waitFor(() => expect(scrolled).toHaveBeenCalled());
    scrolled.mockRestore();
  });

  it('says how far one is today, and who else was at it', async () => {
    await open();
    expect(await screen.findByText('You reviewed 4 of 7 today')).toBeVisible();
    const reviewers = screen.getByRole('list', { name: 'Who reviewed today' });
    expect(reviewers).toHaveTextContent('maria 9');
  });

  it('says that everything is reviewed', async () => {
    serveQueue([]);
    await open();
    expect(await screen.findByRole('heading', { name: 'Everything is reviewed' })).toBeVisible();
  });

  it('says that it could not be loaded, and loads when it is asked again', async () => {
    server.refuse(listReviewQueue, 'internal');
    const { hand } = await open();
    const again = await screen.findByRole('button', { name: 'Try again' });
    serveQueue(queue);
    await hand.click(again);
    expect(await list()).toBeVisible();
  });

  it('is not for everybody', async () => {
    server.refuse(listReviewQueue, 'no_right');
    await open();
    expect(
      await screen.findByRole('heading', { name: 'Not everybody may review counts' }),
    ).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Try again' })).not.toBeInTheDocument();
    // The heading says it.
    expect(screen.queryByText(/^403/)).not.toBeInTheDocument();
  });

  it('tells of newer fragments, and goes to its head when that is wanted', async () => {
    serveQueue(queue, { newer: 5 });
    const { hand } = await open('/review?fragment=2');
    await hand.click(
      await screen.findByRole('button', { name: '5 more at the head of the queue' }),
    );
    await waitFor(() => expect(chosen()).toHaveTextContent('08:00:00'));
  });
});

describe('a reviewer', () => {
  it('goes on where they stopped', async () => {
    const { hand, unmount } = await open();
    await hand.click(within(await list()).getByRole('button', { name: /08:10:00/ }));
    await waitFor(() => expect(chosen()).toHaveTextContent('08:10:00'));
    unmount();
    await open();
    await list();
    expect(server.asked(listReviewQueue).some(({ query }) => query.get('from') === '2')).toBe(true);
  });

  it('confirms a count and is at the next fragment', async () => {
    server.answer(markReviewed, ({ params }) =>
      fragment(Number(params.segmentId), '08:00', {
        reviewed_at: at('12:00'),
        reviewed_by: 'owner1',
      }),
    );
    const { hand, address } = await open();
    await hand.click(await screen.findByRole('button', { name: 'Reviewed, next' }));
    await waitFor(() => expect(chosen()).toHaveTextContent('08:10:00'));
    expect(server.asked(markReviewed)[0]?.params.segmentId).toBe('1');
    expect(address()).toContain('fragment=2');
  });

  it('is counted from the screen itself, where the way past the menu leads', async () => {
    const { hand } = await open();
    const first = await field('Adults entered');
    await hand.tab();
    await hand.keyboard('{Enter}');
    expect(screen.getByRole('main')).toHaveFocus();
    await hand.keyboard('5');
    expect(first).toHaveFocus();
  });

  it('types a count and saves it with Enter, without touching the mouse', async () => {
    server.answer(setManualCounts, ({ params }) =>
      fragment(Number(params.segmentId), '08:00', { entered_manual: { adult: 5, kids: null } }),
    );
    const { hand } = await open();
    await field('Adults entered');
    await hand.keyboard('5{Enter}');
    await waitFor(() => expect(server.asked(setManualCounts)).toHaveLength(1));
    expect(server.asked(setManualCounts)[0]?.body).toMatchObject({
      entered_manual: { adult: 5, kids: null },
    });
    await waitFor(() => expect(chosen()).toHaveTextContent('08:10:00'));
    expect(await field('Adults entered')).toHaveFocus();
  });

  it.each([
    ['the first one', '08:00:00', ''],
    ['a typed one', '08:10:00', '5'],
    ['the last one', '08:20:00', ''],
    ['the last one, typed', '08:20:00', '5'],
  ])(
    'without the right any more is back at the count that was refused: %s',
    async (_, clock, typed) => {
      // No count of an earlier test is still shown as saved.
      serveQueue(queue.map((one) => ({ ...one, segment_id: one.segment_id + 10 })));
      server.refuse(markReviewed, 'no_right');
      server.refuse(setManualCounts, 'no_right');
      const { hand } = await open();
      await hand.click(within(await list()).getByRole('button', { name: new RegExp(clock) }));
      await field('Adults entered');
      await hand.keyboard(`${typed}{Enter}`);
      expect(await screen.findByText('403: It was refused.')).toBeVisible();
      await waitFor(() => expect(chosen()).toHaveTextContent(clock));
      expect(screen.queryByRole('heading', { name: 'The end of the queue' })).toBeNull();
    },
  );

  it('in a view as another user looks, and reviews nothing', async () => {
    const { hand } = await open('/review', { user: { ...owner, viewed_by: 'admin' } });
    const confirm = await screen.findByRole('button', { name: 'Reviewed, next' });
    expect(confirm).toBeDisabled();
    expect(confirm).toHaveAttribute('title', 'You view as another user: nothing can be changed');
    expect(await field('Adults entered')).toBeDisabled();
    await hand.keyboard('5{Enter}');
    expect(chosen()).toHaveTextContent('08:00:00');
    await hand.keyboard('{ArrowDown}');
    await waitFor(() => expect(chosen()).toHaveTextContent('08:10:00'));
    expect(server.asked(markReviewed)).toHaveLength(0);
  });

  it('comes to the end of the queue, and from there to its head', async () => {
    const { hand } = await open();
    await list();
    await hand.click(within(await list()).getByRole('button', { name: /08:20:00/ }));
    await hand.keyboard('{ArrowDown}');
    expect(await screen.findByRole('heading', { name: 'The end of the queue' })).toBeVisible();
    expect(screen.getByText(/3 fragments are left/)).toBeVisible();
    await hand.click(screen.getByRole('button', { name: 'To the head of the queue' }));
    await waitFor(() => expect(chosen()).toHaveTextContent('08:00:00'));
  });

  it('sees that a fragment could not be loaded', async () => {
    server.refuse(findFragment, 'internal');
    const { hand } = await open();
    expect(
      await screen.findByRole('heading', { name: 'The fragment could not be loaded.' }),
    ).toBeVisible();
    server.answer(findFragment, fragment(1, '08:00'));
    await hand.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('complementary', { name: 'А 7 АА · Дверь 1' })).toBeVisible();
  });

  it('opens the day of the bus from which a fragment comes', async () => {
    server.answer(listBuses, busList([bus(7)]));
    server.answer(findBusInfo, busInfo({ gps_trackable: false }));
    server.answer(listDayFragments, dayFragments([fragment(1, '08:00')]));
    const { hand, address } = await open();
    await hand.click(await screen.findByRole('link', { name: "Open the bus's day" }));
    await waitFor(() => expect(address()).toMatch(/\/bus\/7\?date=2026-03-10&fragment=1$/));
  });

  it('reads the list of keys', async () => {
    const { hand } = await open();
    await hand.click(await screen.findByRole('button', { name: '? all keys' }));
    const help = await screen.findByRole('dialog', { name: 'Keys' });
    expect(within(help).getByText('reviewed, next')).toBeVisible();
    // Only a bus's page has days.
    expect(within(help).queryByText('previous / next day')).not.toBeInTheDocument();
    await hand.click(within(help).getByRole('button', { name: 'Close' }));
    expect(help).not.toBeInTheDocument();
  });

  it('is somebody else on another account: they begin at the head', async () => {
    const { hand, unmount } = await open();
    await hand.click(within(await list()).getByRole('button', { name: /08:10:00/ }));
    unmount();
    await open('/review', { user: { ...owner, id: 21, login: 'owner2' } });
    await list();
    expect(server.asked(listReviewQueue).at(-1)?.query.get('from')).not.toBe('2');
  });
});
