import { findBusInfo, listBuses } from '@ridewatch/contract/buses';
import {
  findCalculation,
  findCalculationParts,
  recalculateCalculation,
  saveCalculation,
  setGroupCalculation,
} from '@ridewatch/contract/calculation';
import {
  type CalculationChange,
  listCalculationChanges,
} from '@ridewatch/contract/calculation-history';
import type { Calculation } from '@ridewatch/contract/day-calculation';
import { listDayFragments } from '@ridewatch/contract/fragments';
import { listDayLaps } from '@ridewatch/contract/laps';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { at, bus, busInfo, busList, dayFragments, fragment, owner, page } from '../../test/made.ts';
import { calculation, calculationLap, calculationParts } from '../../test/made-calculation.ts';
import { freshServer, openScreen } from '../../test/open.tsx';
import { type FakeServer, refusal } from '../../test/server.ts';

let server: FakeServer;
/** The calculation that the server stores. */
let stored: Calculation;
const serve = (more: Parameters<typeof calculationParts>[0] = {}) => {
  const fragments = [fragment(1, '08:10'), fragment(2, '09:10')];
  server.answer(listDayFragments, () => dayFragments(fragments, { calculation: stored }));
  server.answer(findCalculationParts, () => calculationParts({ ...more, calculation: stored }));
};
beforeEach(() => {
  server = freshServer();
  stored = calculation();
  server.answer(findBusInfo, busInfo({ gps_trackable: true, bus_calculation: true }));
  server.answer(listBuses, busList([bus(7)]));
  const noLaps = { ...page([]), timezone: 'Europe/Moscow', pending: false, failure: null };
  server.answer(listDayLaps, noLaps);
  server.answer(findCalculation, () => stored);
  server.answer(listCalculationChanges, { ...page([]), created: null });
  server.answer(saveCalculation, ({ body }) => {
    const { workplaceId: _, date: __, seen = {}, unanswered = [], ...sent } = body ?? {};
    const known = [seen, ...unanswered].map((one) => new Map(Object.entries(one)));
    const unseen = Object.entries(stored).find(
      ([field, value]) => field in sent && known.every((one) => one.get(field) !== value),
    );
    if (unseen) return refusal('conflict', { field: `seen.${unseen[0]}` });
    const changed = Object.fromEntries(Object.entries(sent));
    stored = { ...stored, ...changed, updated_by: owner.login };
    return stored;
  });
  serve();
});
const saves = () => server.asked(saveCalculation).map(({ body }) => body);

/** Opens the calculator. */
async function open(address = '/bus/7?money=laps', opening?: Parameters<typeof openScreen>[2]) {
  const opened = await openScreen(server, address, opening);
  const dialog = within(await screen.findByRole('dialog', { name: "The day's calculation" }));
  return { ...opened, dialog };
}

describe('a value of the calculator', () => {
  it('is saved after a pause with what the user saw, and says so', async () => {
    const { hand, dialog } = await open();
    const fare = dialog.getByRole('textbox', { name: 'Fare' });
    await hand.clear(fare);
    await hand.type(fare, '46,5');
    expect(await dialog.findByText(/Saved at/)).toBeVisible();
    expect(saves()).toEqual([expect.objectContaining({ fare: '46.50', seen: { fare: '45.00' } })]);
    expect(fare).toHaveValue('46,50');
  });

  it('is not saved while it is what the server has', async () => {
    const { hand, dialog } = await open();
    const fare = dialog.getByRole('textbox', { name: 'Fare' });
    await hand.clear(fare);
    await hand.type(fare, '45');
    const salary = dialog.getByRole('textbox', { name: 'Salary' });
    await hand.clear(salary);
    await hand.type(salary, '20{Enter}');
    await dialog.findByText(/Saved at/);
    expect(saves()).toEqual([expect.objectContaining({ salary_percent: '20.00' })]);
    expect(saves()[0]).not.toHaveProperty('fare');
  });

  it('says its limit, and is not sent beyond it', async () => {
    const { hand, dialog } = await open();
    const salary = dialog.getByRole('textbox', { name: 'Salary' });
    await hand.clear(salary);
    await hand.type(salary, '101{Enter}');
    expect(await dialog.findByText('100 at most')).toBeVisible();
    expect(salary).toHaveAttribute('aria-invalid', 'true');
    expect(saves()).toEqual([]);
  });

  it('stays typed while the server cannot be reached, and says that it is not saved', async () => {
    const { hand, dialog } = await open();
    server.setLink(false);
    const fare = dialog.getByRole('textbox', { name: 'Fare' });
    await hand.clear(fare);
    await hand.type(fare, '50{Enter}');
    expect(await dialog.findByText(/Not saved: no connection/)).toBeVisible();
    expect(fare).toHaveValue('50');
    server.setLink(true);
  });

  it('of the event is saved when it is pressed', async () => {
    const { hand, dialog } = await open();
    await hand.click(dialog.getByRole('button', { name: 'Exited' }));
    await waitFor(() => expect(saves()).toHaveLength(1));
    expect(saves()[0]).toMatchObject({ calculation_event: 'EXITED' });
  });

  it('of the shift reads the fragments and totals of the day again', async () => {
    const { hand, dialog } = await open();
    const before = server.asked(listDayFragments).length;
    await hand.type(dialog.getByRole('textbox', { name: 'Shift, start' }), '6:10');
    await hand.type(dialog.getByRole('textbox', { name: 'Shift, end' }), '21:40{Enter}');
    await waitFor(() => expect(server.asked(listDayFragments).length).toBeGreaterThan(before));
    expect(saves().at(-1)).toMatchObject({ shift_start: at('06:10'), shift_end: at('21:40') });
  });
});

describe('a calculator that closes', () => {
  it('saves what was typed a moment before', async () => {
    const { hand, dialog } = await open();
    await hand.type(dialog.getByRole('textbox', { name: 'Driver' }), 'Иванов');
    window.dispatchEvent(new Event('pagehide'));
    await waitFor(() => expect(stored.driver).toBe('Иванов'));
  });

  it('saves it beside a save that has no answer yet', async () => {
    const { hand, dialog } = await open();
    server.hang(saveCalculation);
    await hand.type(dialog.getByRole('textbox', { name: 'Driver' }), 'Иванов{Enter}');
    await dialog.findByText('Saving…');
    await hand.type(dialog.getByRole('textbox', { name: 'Handed in' }), '500');
    window.dispatchEvent(new Event('pagehide'));
    await waitFor(() => expect(saves()).toHaveLength(2));
    expect(saves()[1]).toMatchObject({ handed_in: '500.00', seen: { handed_in: null } });
    expect(saves()[1]).not.toHaveProperty('unanswered');
  });

  it('saves it over a save of the same value that has no answer yet, whichever arrives first', async () => {
    const { hand, dialog } = await open();
    server.hang(saveCalculation);
    const driver = dialog.getByRole('textbox', { name: 'Driver' });
    await hand.type(driver, 'Иванов{Enter}');
    await dialog.findByText('Saving…');
    await hand.type(driver, ' И.');
    window.dispatchEvent(new Event('pagehide'));
    await waitFor(() => expect(saves()).toHaveLength(2));
    expect(saves()[1]).toMatchObject({
      ...{ driver: 'Иванов И.', seen: { driver: null }, unanswered: [{ driver: 'Иванов' }] },
    });
  });

  it('saves it after a save that the browser gave up', async () => {
    const { hand, dialog } = await open();
    let giveUp = (_answer: Response) => {};
    server.answer(saveCalculation, () => new Promise((resolve) => (giveUp = resolve)));
    await hand.type(dialog.getByRole('textbox', { name: 'Driver' }), 'Иванов{Enter}');
    await dialog.findByText('Saving…');
    giveUp(Response.error());
    await dialog.findByText(/Not saved/);
    window.dispatchEvent(new Event('pagehide'));
    await waitFor(() => expect(saves()).toHaveLength(2));
    expect(saves()[1]).toMatchObject({ driver: 'Иванов', seen: { driver: null } });
  });
});

describe('two people who edit one day', () => {
  const other = (values: Partial<Calculation>) => {
    stored = { ...stored, ...values, updated_by: 'maria' };
  };

  it('are told what the other stored, and take it', async () => {
    const { hand, dialog } = await open();
    other({ salary_percent: '20.00' });
    const salary = dialog.getByRole('textbox', { name: 'Salary' });
    await hand.clear(salary);
    await hand.type(salary, '15{Enter}');
    expect(await dialog.findByText('maria: 20 %')).toBeVisible();
    await hand.click(dialog.getByRole('button', { name: 'take' }));
    expect(salary).toHaveValue('20');
    expect(stored.salary_percent).toBe('20.00');
  });

  it('are told what the other stored, and keep their own', async () => {
    const { hand, dialog } = await open();
    other({ salary_percent: '20.00' });
    const salary = dialog.getByRole('textbox', { name: 'Salary' });
    await hand.clear(salary);
    await hand.type(salary, '15{Enter}');
    await hand.click(await dialog.findByRole('button', { name: 'keep mine' }));
    await dialog.findByText(/Saved at/);
    expect(stored.salary_percent).toBe('15.00');
  });

  it('both save where they changed different values', async () => {
    const { hand, dialog } = await open();
    other({ cashless: '100.00' });
    const change = { kind: 'value', id: 1, at: at('12:00'), by: 'maria', version: 2 } as const;
    const items: CalculationChange[] = [
      { ...change, field: 'cashless', before: '0.00', after: '100.00', source: 'hand' },
    ];
    server.answer(listCalculationChanges, { ...page(items), created: null });
    const fare = dialog.getByRole('textbox', { name: 'Fare' });
    await hand.clear(fare);
    await hand.type(fare, '50{Enter}');
    await dialog.findByText(/Saved at/);
    expect(stored).toMatchObject({ fare: '50.00', cashless: '100.00' });
    expect(dialog.getByText('Changed by maria, was 0,00 ₽')).toBeVisible();
  });
});

describe('what a figure is made of', () => {
  it('are laps, which lead to the GPS tab, and the people of no lap', async () => {
    serve({
      laps: [calculationLap(1, { corrections: 2, count: 14 })],
      other: { automatic: 1, corrections: 0, count: 1, total: '45.00' },
    });
    const { dialog } = await open();
    const table = within(await dialog.findByRole('table', { name: 'Laps' }));
    const link = table.getByTitle('Lap 1 on the GPS tab');
    expect(link).toHaveAttribute('href', expect.stringMatching(/\/bus\/7\/gps\?.*lap=1/));
    expect(table.getByRole('row', { name: /Outside of laps 1 — 1/ })).toBeVisible();
    expect(table.queryByRole('row', { name: /outside the shift/ })).toBeNull();
  });

  it('says whom the day leaves out of laps that count whole', async () => {
    serve({
      laps: [calculationLap(1, { count: 14 })],
      outside: { automatic: 3, corrections: 0, count: 3 },
    });
    const { dialog } = await open();
    const table = within(await dialog.findByRole('table', { name: 'Laps' }));
    const row = /Of these outside the shift \(laps count whole\) −3 — −3/;
    expect(table.getByRole('row', { name: row })).toBeVisible();
  });

  it('are laps with the stated error and the rides without a price, where prices make the revenue', async () => {
    stored = calculation({ type_calculation: 'CALCULATION', total_error: '12.00', no_price: 3 });
    serve({
      laps: [calculationLap(1, { error: '12.00', no_price: 3 })],
      no_price: [
        {
          ...{ lap_id: 101, number: 1, people: 3 },
          ...{ from_stop_id: 1, from_stop: 'Вокзал', to_stop_id: 2, to_stop: 'Рынок' },
        },
      ],
    });
    const { hand, dialog } = await open();
    await dialog.findByRole('table', { name: 'Laps' });
    expect(dialog.getAllByText(/±.12,00/)).toHaveLength(3);
    await hand.click(dialog.getByRole('button', { name: 'Without a price: 3' }));
    const pairs = within(await dialog.findByRole('table', { name: 'No price' }));
    expect(pairs.getByRole('row', { name: /Вокзал Рынок 3/ })).toBeVisible();
  });

  it('is the percent of a salary, and the correction', async () => {
    const { hand, dialog } = await open();
    await hand.click(dialog.getByRole('button', { name: /^− salary/ }));
    expect(dialog.getByRole('textbox', { name: 'Salary' })).toHaveFocus();
    await hand.click(dialog.getByRole('button', { name: /^− cashless/ }));
    expect(dialog.getByRole('textbox', { name: 'Cashless' })).toHaveFocus();
  });

  it('are hours, which lead to their first fragment', async () => {
    const { hand, dialog, address } = await open('/bus/7?money=hours');
    await hand.click(await dialog.findByRole('button', { name: '08:00–09:00' }));
    await waitFor(() => expect(address()).toContain('fragment=1'));
    expect(screen.queryByRole('dialog', { name: "The day's calculation" })).not.toBeInTheDocument();
    expect(await screen.findByRole('complementary', { name: 'Дверь 1' })).toBeVisible();
  });

  it('are manual corrections, which lead to their fragments', async () => {
    const people = { automatic: 4, corrections: 2, count: 6 };
    const made = { inside: false, at: at('15:00'), by: 'maria', door: 1, camera_id: 2 };
    serve({ corrections: [{ segment_id: 2, time: at('09:10'), ...people, ...made }] });
    const { hand, dialog, address } = await open('/bus/7?money=corrections');
    expect(await dialog.findByText('outside the shift')).toBeVisible();
    await hand.click(dialog.getByRole('button', { name: 'Fragment 09:10:00' }));
    await waitFor(() => expect(address()).toContain('fragment=2'));
  });

  it('could not be loaded, and is loaded when it is asked for again', async () => {
    server.refuse(findCalculationParts, 'internal');
    const { hand, dialog } = await open();
    const alert = await dialog.findByRole('alert');
    // The values of the day's answer can still be edited.
    expect(dialog.getByRole('textbox', { name: 'Fare' })).toHaveValue('45,00');
    serve();
    await hand.click(within(alert).getByRole('button', { name: 'Try again' }));
    expect(await dialog.findByRole('table', { name: 'Laps' })).toBeVisible();
  });

  it('is nothing on a day without a record, which says what it would copy', async () => {
    stored = calculation({ stored: false, copied_from: '2026-03-08', count: 0 });
    serve({ laps: [], hours: [] });
    const { dialog } = await open();
    expect(await dialog.findByText('The day has no laps')).toBeVisible();
    expect(dialog.getByText(/no record yet. It shows the values of 08.03.2026/)).toBeVisible();
  });
});

describe('a whole route', () => {
  const route = { ...{ id: 5, name: '156', client_id: 20, deleted: false }, track: [] };
  const effect = {
    ...{ days: 3, buses: 2, later_buses: 0, first_day: '2026-03-10', last_day: '2026-03-12' },
    ...{ total_before: '540.00', total_after: '600.00', recalculated_days: 0 },
    ...{ salary_before: '97.20', salary_after: '108.00' },
  };
  beforeEach(() => {
    const group = { ...route, type_calculation: 'FIXED' as const };
    server.answer(findBusInfo, busInfo({ bus_calculation: true, group }));
    server.answer(setGroupCalculation, effect);
  });

  async function preview() {
    const { hand, dialog } = await open();
    await hand.click(dialog.getByRole('button', { name: 'Set for the whole route…' }));
    const form = within(await screen.findByRole('dialog', { name: 'Fare of route 156' }));
    await hand.type(form.getByRole('textbox', { name: 'Fare, ₽' }), '50');
    await hand.click(form.getByRole('button', { name: 'What would change' }));
    return { hand, form };
  }

  it('gets a fare from a day on, after a preview of what would change', async () => {
    const { hand, form } = await preview();
    expect(await form.findByText('600,00 ₽')).toBeVisible();
    await hand.click(form.getByRole('button', { name: 'Change 3 days' }));
    await waitFor(() => expect(server.asked(setGroupCalculation)).toHaveLength(2));
    const [first, second] = server.asked(setGroupCalculation).map(({ body }) => body);
    expect(first).toMatchObject({ preview: true, fare: '50.00', group_id: 5 });
    expect(second).toMatchObject({ preview: false, seen_days: 3 });
  });

  it('gets it for the days to come where no day with records changes', async () => {
    server.answer(setGroupCalculation, { ...effect, days: 0, buses: 0, later_buses: 2 });
    const { hand, form } = await preview();
    expect(await form.findByText(/No day with records changes yet/)).toBeVisible();
    await hand.click(form.getByRole('button', { name: 'Set from this day on' }));
    expect(server.asked(setGroupCalculation)[1]?.body).toMatchObject({ seen_days: 0 });
  });

  it('is left with Esc, and the calculator stays', async () => {
    const { hand, dialog } = await open();
    await hand.click(dialog.getByRole('button', { name: 'Set for the whole route…' }));
    const form = await screen.findByRole('dialog', { name: 'Fare of route 156' });
    await hand.type(within(form).getByRole('textbox', { name: 'Fare, ₽' }), '5{Escape}');
    await waitFor(() => expect(form).not.toBeInTheDocument());
    expect(dialog.getByRole('textbox', { name: 'Fare' })).toBeVisible();
  });

  it('is previewed again where the data changed meanwhile', async () => {
    const { hand, form } = await preview();
    server.answer(setGroupCalculation, ({ body }) =>
      body?.preview ? { ...effect, days: 4 } : refusal('conflict'),
    );
    await hand.click(await form.findByRole('button', { name: 'Change 3 days' }));
    expect(await form.findByText(/data changed meanwhile/)).toBeVisible();
    expect(form.getByRole('button', { name: 'Change 4 days' })).toBeVisible();
  });

  it('and a recalculation are only for who may edit', async () => {
    server.answer(recalculateCalculation, undefined);
    const { dialog } = await open('/bus/7?money=laps', { user: { ...owner, can_edit: false } });
    await dialog.findByRole('table', { name: 'Laps' });
    expect(dialog.queryByRole('button', { name: /route/ })).not.toBeInTheDocument();
    expect(dialog.queryByRole('button', { name: 'Recalculate' })).not.toBeInTheDocument();
    expect(dialog.getByRole('textbox', { name: 'Fare' })).toBeEnabled();
  });
});

describe('the calculator of a phone', () => {
  it('is a sheet with the result first', async () => {
    const { hand, dialog } = await open('/bus/7?money=laps', { device: 'phone' });
    expect(dialog.getAllByRole('status')[0]).toHaveTextContent('442,80 ₽');
    expect(dialog.getByRole('button', { name: 'Entered · 12' })).toBeVisible();
    await hand.click(dialog.getByRole('button', { name: 'History' }));
    expect(await dialog.findByRole('region', { name: 'History' })).toBeVisible();
    await hand.click(dialog.getByRole('button', { name: 'Close' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  });
});
