import { findBusInfo, listBuses } from '@ridewatch/contract/buses';
import { listDayFragments } from '@ridewatch/contract/fragments';
import { screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { readSearch } from '../core/address.ts';
import { TODAY } from '../test/browser.ts';
import { bus, busInfo, busList, dayFragments, fragment } from '../test/made.ts';
import { freshServer, openScreen } from '../test/open.tsx';
import type { FakeServer } from '../test/server.ts';

const YESTERDAY = '2026-03-09';
let server: FakeServer;
beforeEach(() => {
  server = freshServer();
  server.answer(findBusInfo, ({ query }) =>
    busInfo({ gps_trackable: false, date: query.get('date') ?? TODAY }),
  );
  server.answer(listBuses, busList([bus(7)]));
  server.answer(listDayFragments, ({ query }) =>
    dayFragments([fragment(1, '08:00')], { date: query.get('date') ?? TODAY }),
  );
});
const open = async (address: string, list = '1 fragment') => {
  const view = await openScreen(server, address);
  await screen.findByRole('region', { name: list });
  const query = () => Object.fromEntries(new URL(view.address()).searchParams);
  return { ...view, query };
};
const row = () => screen.getByRole('button', { name: /08:00/ });
const camera = () => screen.getByRole('button', { name: 'Дверь 2' });

describe("the address of a bus's page", () => {
  it('names the day of what is chosen within it, also today: the link leads there tomorrow too', async () => {
    const { hand, query } = await open('/bus/7');
    await hand.click(row());
    await waitFor(() => expect(query()).toEqual({ date: TODAY, fragment: '1' }));
  });

  it('goes on to mean today when nothing of the day is chosen any more', async () => {
    const { hand, query } = await open(`/bus/7?date=${TODAY}&fragment=1`);
    await hand.keyboard('{ArrowDown}');
    await waitFor(() => expect(query()).toEqual({}));
  });

  it('keeps another day, whatever is chosen', async () => {
    const { hand, query } = await open(`/bus/7?date=${YESTERDAY}`);
    await hand.click(camera());
    await waitFor(() => expect(query()).toEqual({ date: YESTERDAY, camera: '1' }));
  });

  it('names no day for what holds on every day', async () => {
    const { hand, query } = await open('/bus/7');
    await hand.click(camera());
    await waitFor(() => expect(query()).toEqual({ camera: '1' }));
  });

  it('holds nothing but the keys of its tab', async () => {
    const { query } = await open('/bus/7?camera=1&lap=3&utm_source=mail');
    await waitFor(() => expect(query()).toEqual({ camera: '1' }));
  });

  it('leads back past a fragment in one step, however many were watched', async () => {
    server.answer(listDayFragments, dayFragments([fragment(1, '08:00'), fragment(2, '08:10')]));
    const { hand, query } = await open('/bus/7', '2 fragments');
    await hand.click(row());
    await waitFor(() => expect(query().fragment).toBe('1'));
    await hand.keyboard('{ArrowDown}');
    await waitFor(() => expect(query().fragment).toBe('2'));
    window.history.back();
    await waitFor(() => expect(query().fragment).toBeUndefined());
  });
});

describe('the keys of a screen', () => {
  const keys = { lap: 'ofDay', colour: 'anyDay' } as const;

  it('are picked from an address; others stay out', () => {
    expect(readSearch(keys, { lap: '3', camera: '1' })).toEqual({ lap: '3' });
  });

  it('are text: what is no text is not there', () => {
    expect(readSearch(keys, { lap: 3, colour: undefined })).toEqual({});
  });
});
