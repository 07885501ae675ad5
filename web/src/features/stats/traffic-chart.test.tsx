import { listBuses } from '@ridewatch/contract/buses';
import { findPassengerTraffic } from '@ridewatch/contract/stats';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import { bus, busList, busRoute } from '../../test/made.ts';
import { seriesOf, traffic, trafficRow } from '../../test/made-stats.ts';
import { freshServer, openScreen } from '../../test/open.tsx';
import type { FakeServer } from '../../test/server.ts';

let server: FakeServer;
beforeEach(() => {
  server = freshServer();
  server.answer(listBuses, busList([bus(1, { group: busRoute(5) })]));
});

/** The running week: today is its second day. */
const WEEK = '/stats?period=week&from=2026-03-09&by=route&buses=all';
const chart = () => screen.findByRole('slider', { name: 'Chart' });
const note = (area: Element) => area.querySelector('[role="status"]');

/** Makes so many series, all with a figure on both days of the week that have passed. */
function answerSeries(count: number): void {
  const ids = Array.from({ length: count }, (_, at) => at + 1);
  const rows = ids.flatMap((id) => [
    trafficRow(id, '2026-03-09', id),
    trafficRow(id, '2026-03-10', id),
    trafficRow(id, '2026-03-02', 2 * id),
    trafficRow(id, '2026-03-03', 2 * id),
    trafficRow(id, '2026-03-08', 2 * id),
  ]);
  server.answer(findPassengerTraffic, traffic(rows, { series: seriesOf(ids) }));
}

it('is read and opened with the keyboard alone', async () => {
  server.answer(
    findPassengerTraffic,
    traffic([trafficRow(5, '2026-03-09', 10), trafficRow(6, '2026-03-10', 20)]),
  );
  const { hand, address } = await openScreen(server, WEEK);
  const area = await chart();
  area.focus();
  await hand.keyboard('{Home}{ArrowRight}');
  expect(area).toHaveAttribute('aria-valuetext', 'Tu, 10.03.2026: 20');
  expect(note(area)).toHaveTextContent('Route 6 20,00');
  await hand.keyboard('{ArrowLeft}');
  expect(area).toHaveAttribute('aria-valuetext', 'Mo, 09.03.2026: 10');
  await hand.keyboard('{Escape}');
  expect(note(area)).toBeNull();
  await hand.keyboard('{End}{Home}{ArrowRight}{Enter}');
  await waitFor(() => expect(address()).toContain('period=date&from=2026-03-10'));
});

it('says beside a tick what the compared one brought', async () => {
  answerSeries(2);
  await openScreen(server, `${WEEK}&with=before`);
  const area = await chart();
  await waitFor(() => expect(area.querySelectorAll('[data-before]')).toHaveLength(2));
  fireEvent.pointerMove(area, { clientX: 100, clientY: 100, pointerType: 'mouse' });
  expect(note(area)).toHaveTextContent('Shown 3,00Before 6,00');
});

it('draws at most two lines for each of hundreds of series, and the compared range of few only', async () => {
  answerSeries(200);
  await openScreen(server, `${WEEK}&with=before`);
  const area = await chart();
  await screen.findByText(/compared with 02.03.2026/);
  expect(area.querySelectorAll('g > path').length).toBeLessThanOrEqual(400);
  expect(area.querySelectorAll('[data-before]')).toHaveLength(0);
});

it('has a bar with its name for each series of one day, and a mark of the compared day', async () => {
  answerSeries(2);
  await openScreen(server, '/stats?period=date&from=2026-03-09&by=route&buses=all&with=before');
  const area = await chart();
  expect(area).toHaveTextContent('Route 2Route 1');
  await waitFor(() => expect(area.querySelectorAll('line[data-before]')).toHaveLength(2));
});

it('says that all series are hidden, and nothing of a tick then', async () => {
  answerSeries(2);
  await openScreen(server, `${WEEK}&off=1.2`);
  const area = await chart();
  expect(area).toHaveTextContent('All series are hidden.');
  fireEvent.pointerMove(area, { clientX: 100, clientY: 100, pointerType: 'mouse' });
  expect(note(area)).toBeNull();
});

it('has room beside it for figures of millions', async () => {
  const rows = [trafficRow(5, '2026-03-09', 1), trafficRow(5, '2026-03-10', 1)];
  const rich = rows.map((row) => ({ ...row, fare: '52849337.00' }));
  server.answer(findPassengerTraffic, traffic(rich));
  await openScreen(server, `${WEEK}&key=fare`);
  const area = await chart();
  const label = [...area.querySelectorAll('text')].find(
    (one) => one.textContent?.replace(/\s/g, '') === '60000000',
  );
  // A figure of 11 px is at most 7 px wide.
  expect(Number(label?.getAttribute('x'))).toBeGreaterThan(10 * 7);
});

it('lights up the name of the line under the pointer, and a name lights up its line', async () => {
  server.answer(
    findPassengerTraffic,
    traffic([
      trafficRow(5, '2026-03-09', 10),
      trafficRow(5, '2026-03-10', 10),
      trafficRow(6, '2026-03-09', 100),
      trafficRow(6, '2026-03-10', 100),
    ]),
  );
  const { hand } = await openScreen(server, WEEK);
  const area = await chart();
  const row = (name: RegExp) => screen.getByRole('button', { name, pressed: true });
  const lit = () =>
    [/^Route 5/, /^Route 6/].map((name) => row(name).getAttribute('data-lit') !== null);
  const axis = area.querySelectorAll('svg path[d^="M"]');
  expect(axis.length).toBeGreaterThan(0);
  // The scale goes from 0 to 100 over the height of the chart: the upper line is near its top.
  fireEvent.pointerMove(area, { clientX: 100, clientY: 16 });
  expect(lit()).toEqual([false, true]);
  fireEvent.pointerMove(area, { clientX: 100, clientY: 150 });
  expect(lit()).toEqual([false, false]);
  fireEvent.pointerLeave(area);
  await hand.hover(row(/^Route 5/));
  expect(lit()).toEqual([true, false]);
});
