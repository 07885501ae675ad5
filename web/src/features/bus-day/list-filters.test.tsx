import { findBusInfo, listBuses } from '@ridewatch/contract/buses';
import { type Fragment, listDayFragments } from '@ridewatch/contract/fragments';
import { listDayLaps } from '@ridewatch/contract/laps';
import { markReviewed } from '@ridewatch/contract/review';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { TODAY } from '../../test/browser.ts';
import {
  at,
  bus,
  busInfo,
  busList,
  dayFragments,
  faraway,
  fragment,
  owner,
  page,
} from '../../test/made.ts';
import { freshServer, openScreen } from '../../test/open.tsx';
import type { FakeServer } from '../../test/server.ts';

let server: FakeServer;
const serveDay = (served: Fragment[]) => server.answer(listDayFragments, dayFragments(served));
beforeEach(() => {
  server = freshServer();
  server.answer(findBusInfo, busInfo({ gps_trackable: false }));
  server.answer(listBuses, busList([bus(7)]));
  server.answer(listDayLaps, {
    ...page([]),
    timezone: 'Europe/Moscow',
    pending: false,
    failure: null,
  });
});
const open = (address = '/bus/7', opening?: Parameters<typeof openScreen>[2]) =>
  openScreen(server, address, opening);
const list = () => screen.findByRole('region', { name: /^\d+ fragments?$/ });

describe('the filters of the list', () => {
  const mixed = [
    fragment(1, '08:00', { max_objects_count: 6 }),
    fragment(2, '08:10', { max_objects_count: 6, reviewed_at: at('12:00'), reviewed_by: 'owner1' }),
    fragment(3, '08:20', { entered_manual: { adult: 9, kids: null } }),
    faraway(4, '08:30', { status: 'DOWNLOAD_FAIL', fail_reason: 'not_a_video' }),
  ];
  const chip = (name: RegExp) => screen.findByRole('button', { name });
  const times = async () =>
    within(await list())
      .queryAllByRole('listitem')
      .map((row) => row.textContent?.slice(0, 5));

  it('have the number of fragments of each, and are in the address', async () => {
    serveDay(mixed);
    const { hand, address } = await open();
    expect(await chip(/^All 4$/)).toHaveAttribute('aria-pressed', 'true');
    await hand.click(await chip(/^To review 1$/));
    await waitFor(() => expect(address()).toContain('show=review'));
    expect(await times()).toEqual(['08:00']);
    await hand.click(await chip(/^Differs 1$/));
    expect(await times()).toEqual(['08:20']);
    await hand.click(await chip(/^Failed 1$/));
    expect(await times()).toEqual(['08:30']);
    await hand.click(await chip(/^Failed 1$/));
    await waitFor(() => expect(address()).not.toContain('show='));
    expect(await times()).toHaveLength(4);
  });

  it('count no request that somebody cancelled as failed', async () => {
    serveDay([
      ...mixed,
      fragment(5, '08:40', { status: 'DOWNLOAD_FAIL', fail_reason: 'cancelled' }),
    ]);
    await open();
    expect(await chip(/^All 5$/)).toBeVisible();
    expect(await chip(/^Failed 1$/)).toBeVisible();
  });

  it('leave the page as it is on the latest day with data, so that it misses no key', async () => {
    server.answer(findBusInfo, ({ query }) =>
      busInfo({
        ...{ gps_trackable: false, latest_day: '2026-03-09' },
        date: query.get('date') ?? TODAY,
      }),
    );
    serveDay(mixed);
    const { hand, address } = await open();
    const shown = await list();
    await hand.click(await chip(/^Failed 1$/));
    await hand.keyboard('{ArrowDown}{ArrowDown}{ArrowUp}');
    await waitFor(() => expect(address()).toContain('fragment=4'));
    expect(await list()).toBe(shown);
    expect(address()).toContain('date=2026-03-09');
  });

  it('say how many are reviewed, to those who may review', async () => {
    serveDay(mixed);
    const { unmount } = await open();
    expect(await screen.findByRole('progressbar', { name: 'Reviewed 1 of 4' })).toBeVisible();
    unmount();
    await open('/bus/7', { user: { ...owner, can_edit: false } });
    await list();
    expect(screen.queryByRole('progressbar')).not.toBeInTheDocument();
    expect(screen.queryByRole('button', { name: /^To review/ })).not.toBeInTheDocument();
  });

  it('keep a row that is reviewed meanwhile, until another filter is chosen', async () => {
    serveDay(mixed);
    server.answer(markReviewed, () => {
      const more = { max_objects_count: 6, reviewed_at: at('12:00'), reviewed_by: 'me' };
      const reviewed = fragment(1, '08:00', more);
      serveDay([reviewed, ...mixed.slice(1)]);
      return reviewed;
    });
    const { hand } = await open('/bus/7?show=review&fragment=1');
    expect(await times()).toEqual(['08:00']);
    await hand.keyboard('{Enter}');
    await chip(/^To review 0$/);
    expect(await times()).toEqual(['08:00']);
    expect(within(await list()).getByText('✓ reviewed')).toBeVisible();
    await hand.click(await chip(/^All 4$/));
    await hand.click(await chip(/^To review 0$/));
    expect(await screen.findByRole('heading', { name: 'Nothing to review' })).toBeVisible();
    await hand.click(screen.getByRole('button', { name: 'Show all fragments' }));
    expect(await times()).toHaveLength(4);
  });

  it('always show the current fragment, and the keys go on among those that pass', async () => {
    serveDay(mixed);
    const { hand, address } = await open('/bus/7?show=error&fragment=2');
    expect(await times()).toEqual(['08:10', '08:30']);
    await hand.keyboard('{ArrowDown}');
    await waitFor(() => expect(address()).toContain('fragment=4'));
    expect(await times()).toEqual(['08:30']);
  });

  it('leave Enter to the current fragment after a press', async () => {
    serveDay(mixed);
    server.answer(markReviewed, () => fragment(1, '08:00', { reviewed_at: at('12:00') }));
    const { hand } = await open('/bus/7?fragment=1');
    await hand.click(await chip(/^To review 1$/));
    await hand.keyboard('{Enter}');
    await waitFor(() => expect(server.asked(markReviewed)).toHaveLength(1));
    expect(await chip(/^To review/)).toHaveAttribute('aria-pressed', 'true');
  });

  it('are in the sheet of a phone once it is drawn up', async () => {
    serveDay(mixed);
    const { hand } = await open('/bus/7', { device: 'phone' });
    await screen.findByRole('region', { name: '4 fragments' });
    expect(screen.queryByRole('button', { name: /^All/ })).not.toBeInTheDocument();
    screen.getByRole('button', { name: 'List of fragments: higher, lower' }).focus();
    await hand.keyboard('{ArrowUp}');
    await hand.click(await chip(/^Failed 1$/));
    expect(await screen.findByRole('region', { name: '1 fragment' })).toBeVisible();
  });
});
