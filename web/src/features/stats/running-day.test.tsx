// The running day counts only on request, and a running range is compared with as many days as it has.
import { listBuses } from '@ridewatch/contract/buses';
import { findPassengerTraffic } from '@ridewatch/contract/stats';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { bus, busList, busRoute } from '../../test/made.ts';
import { traffic, trafficRow } from '../../test/made-stats.ts';
import { freshServer, openScreen } from '../../test/open.tsx';
import type { FakeServer } from '../../test/server.ts';

let server: FakeServer;
beforeEach(() => {
  server = freshServer();
  server.answer(listBuses, busList([bus(1, { group: busRoute(5) })]));
  server.answer(findPassengerTraffic, traffic([trafficRow(5, '2026-03-09', 10)]));
});
/** The running week: today is its second day. */
const WEEK = '/stats?period=week&from=2026-03-09&by=route&buses=all';
const open = (address: string) => openScreen(server, address);
const table = () => screen.findByRole('region', { name: 'Table' });
const asked = () => server.asked(findPassengerTraffic);

describe('the statistics of a range that runs', () => {
  it('compare a running week with the same days of the week before', async () => {
    await open(`${WEEK}&with=before`);
    await table();
    await waitFor(() => expect(asked()).toHaveLength(2));
    const query = asked().find((one) => one.query.get('dateFrom') === '2026-03-02')?.query;
    expect(Object.fromEntries(query ?? [])).toMatchObject({
      ...{ dateTo: '2026-03-02', comparedFrom: '2026-03-09', comparedTo: '2026-03-15' },
    });
    expect(query?.has('until')).toBe(false);
    expect(await screen.findByText(/compared with 02.03.2026/)).toBeVisible();
    expect(screen.getByText('the running day is not counted')).toBeVisible();
  });

  it('count the running day until now when they are asked to, on both sides', async () => {
    const { hand, address } = await open(`${WEEK}&with=before`);
    await table();
    await hand.click(screen.getByRole('button', { name: 'Until now' }));
    await waitFor(() => expect(address()).toContain('until=now'));
    await waitFor(() => expect(asked()).toHaveLength(4));
    const [own, other] = asked().slice(2);
    expect([own, other].map((one) => one?.query.get('until'))).toEqual(['now', 'now']);
    expect([own, other].map((one) => one?.query.get('dateTo')).sort()).toEqual([
      ...['2026-03-03', '2026-03-15'],
    ]);
    expect(await screen.findByText('the running day until now')).toBeVisible();
  });

  it('of the running day alone are until now', async () => {
    await open('/stats?period=date&from=2026-03-10&by=route&buses=all');
    await waitFor(() => expect(asked()[0]?.query.get('until')).toBe('now'));
  });

  it('grey a comparison with days of which records are arriving', async () => {
    const rows = [trafficRow(5, '2026-03-02', 10), trafficRow(5, '2026-03-09', 17)];
    for (const [from, isPartial] of [
      ['2026-03-02', true],
      ['2026-03-03', false],
    ] as const) {
      const arriving = { from, buses: 1 };
      server.answer(findPassengerTraffic, { ...traffic(rows), arriving });
      await open(`${WEEK}&with=before`);
      const change = await within(await table()).findAllByRole('cell', { name: /^▲\s70\s%$/ });
      for (const cell of change) expect(cell.hasAttribute('data-partial')).toBe(isPartial);
      const said = screen.queryByText(/Until then the comparison is with a part of them/);
      expect(said !== null).toBe(isPartial);
      cleanup();
    }
  });
});
