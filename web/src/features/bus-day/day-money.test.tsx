import { findBusInfo, listBuses } from '@ridewatch/contract/buses';
import { findCalculationParts } from '@ridewatch/contract/calculation';
import { listCalculationChanges } from '@ridewatch/contract/calculation-history';
import type { Calculation } from '@ridewatch/contract/day-calculation';
import { listDayFragments } from '@ridewatch/contract/fragments';
import { listDayLaps } from '@ridewatch/contract/laps';
import { screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { at, bus, busInfo, busList, dayFragments, fragment, page } from '../../test/made.ts';
import { calculation, calculationParts } from '../../test/made-calculation.ts';
import { freshServer, openScreen } from '../../test/open.tsx';
import type { FakeServer } from '../../test/server.ts';

let server: FakeServer;
/** The calculation that the server stores. */
let stored: Calculation;
beforeEach(() => {
  server = freshServer();
  stored = calculation();
  server.answer(findBusInfo, busInfo({ gps_trackable: true, bus_calculation: true }));
  server.answer(listBuses, busList([bus(7)]));
  const noLaps = { ...page([]), timezone: 'Europe/Moscow', pending: false, failure: null };
  server.answer(listDayLaps, noLaps);
  server.answer(listCalculationChanges, { ...page([]), created: null });
  const fragments = [fragment(1, '08:10'), fragment(2, '09:10')];
  server.answer(listDayFragments, () => dayFragments(fragments, { calculation: stored }));
  server.answer(findCalculationParts, () => calculationParts({ calculation: stored }));
});

describe('the money in the strip of a day', () => {
  it('is total, salary and what is to be handed in, without a further request', async () => {
    await openScreen(server, '/bus/7');
    const money = await screen.findByRole('button', { name: /To hand in/ });
    expect(money).toHaveTextContent('Revenue540,00 ₽Salary 18 %97,20 ₽To hand in442,80 ₽');
    expect(server.asked(findCalculationParts)).toHaveLength(0);
  });

  it('names whom the fare multiplies, and the shift where one cuts the day', async () => {
    await openScreen(server, '/bus/7');
    const money = await screen.findByRole('button', { name: /To hand in/ });
    expect(money).toHaveTextContent('CountEntered');
    expect(money).not.toHaveTextContent('Shift');
    stored = calculation({ shift_start: at('06:10'), calculation_event: 'EXITED' });
    await openScreen(server, '/bus/7');
    const cut = await screen.findByRole('button', { name: /To hand in/ });
    expect(cut).toHaveTextContent('Shift06:10–24:00CountExited');
  });

  it('says by what it is reckoned, and that it is being calculated until it has followed people', async () => {
    stored = calculation({ type_calculation: 'CALCULATION', total_error: '12.00', pending: true });
    await openScreen(server, '/bus/7');
    const money = await screen.findByRole('button', { name: /To hand in/ });
    expect(money).toHaveTextContent('Fareby the price table');
    expect(money).toHaveTextContent('calculating…540,00 ₽');
    stored = { ...stored, pending: false, total: '585.00' };
    await waitFor(() => expect(money).toHaveTextContent('Revenue585,00 ₽'));
    expect(money).not.toHaveTextContent('calculating');
  });

  it('is not there for a bus without a calculator', async () => {
    server.answer(listDayFragments, dayFragments([fragment(1, '08:10')]));
    await openScreen(server, '/bus/7?money=laps');
    await screen.findByRole('region', { name: '1 fragment' });
    expect(screen.queryByText('To hand in')).not.toBeInTheDocument();
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  });

  it('opens the calculator, which Esc and Back close', async () => {
    const { hand, address } = await openScreen(server, '/bus/7');
    await hand.click(await screen.findByRole('button', { name: /To hand in/ }));
    await screen.findByRole('dialog', { name: "The day's calculation" });
    expect(address()).toContain('money=laps');
    await hand.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    expect(screen.getByRole('button', { name: /To hand in/ })).toHaveFocus();
  });
});
