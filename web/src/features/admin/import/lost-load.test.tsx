// The answer to a load is lost: the page finds out whether the server has loaded the table.
import { checkImport, runImport } from '@ridewatch/contract/admin-import';
import { listImports, undoImport } from '@ridewatch/contract/admin-import-undo';
import { act, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { queryClient } from '../../../calls/api.ts';
import { NOW } from '../../../test/browser.ts';
import {
  check,
  chooseTable,
  loaded,
  loadedTable,
  startTable,
  type TestTable,
} from '../../../test/loaded-table.ts';
import { refusal } from '../../../test/server.ts';

let made: TestTable;
beforeEach(() => {
  made = startTable();
});

/** Undoes a table of the list. @param named what its row says */
async function undo({ hand, dialog }: Awaited<ReturnType<typeof chooseTable>>, named: RegExp) {
  const rows = await dialog.findAllByRole('listitem');
  const row = rows.find(({ textContent }) => named.test(textContent ?? '')) ?? document.body;
  const checks = made.server.asked(checkImport).length;
  await hand.click(within(row).getByRole('button', { name: 'Undo the load' }));
  const sure = screen.getAllByRole('dialog').at(-1) ?? document.body;
  await hand.click(within(sure).getByRole('button', { name: 'Undo the load' }));
  await waitFor(() => expect(made.server.asked(checkImport).length).toBeGreaterThan(checks));
}

describe('a table whose answer was lost', () => {
  it('may have been loaded, the page says, and where it is undone', async () => {
    const { hand, dialog, load } = await chooseTable(made.server);
    await hand.click(load);
    made.answerLoad(new Response('<html>', { status: 502 }));
    const alert = await dialog.findByRole('alert');
    expect(alert).toHaveTextContent('the server may still be loading the table');
    expect(alert).toHaveTextContent('Loaded in the last 24 hours');
  });

  it('is found among the loaded ones, and nothing but its own undoing clears what is said of it', async () => {
    made.server.answer(undoImport, { undone: true, obstacles: [] });
    const former = [loadedTable(4, 'fleet.csv')];
    made.server.answer(listImports, { items: former });
    const opened = await chooseTable(made.server);
    const { hand, dialog, load } = opened;
    await hand.click(load);
    const others = [loadedTable(5, 'other.csv'), { ...loadedTable(6, 'fleet.csv'), user: 'anna' }];
    made.server.answer(listImports, { items: [...others, ...former] });
    made.answerLoad(new Response('<html>', { status: 502 }));
    await waitFor(() => expect(dialog.getAllByRole('listitem')).toHaveLength(3));
    // Another table; one of another user; one of the same name that was loaded before.
    for (const named of [/№ 5/, /№ 6/, /№ 4/]) {
      await undo(opened, named);
      expect(dialog.getByRole('alert')).toHaveTextContent('the server may still be loading');
      expect(load).toBeDisabled();
    }

    made.server.answer(listImports, { items: [loadedTable(7, 'fleet.csv'), ...others] });
    await act(() => queryClient.refetchQueries());
    const alert = await dialog.findByText(/the table is loaded: № 7/);
    await waitFor(() => expect(load).toBeEnabled());
    await undo(opened, /№ 5/);
    expect(alert).toBeVisible();
    await undo(opened, /№ 7/);
    expect(dialog.queryByRole('alert')).toBeNull();
    expect(load).toBeEnabled();
  });

  it('needs no more words once somebody has undone it', async () => {
    const { hand, dialog, load } = await chooseTable(made.server);
    await hand.click(load);
    made.server.answer(listImports, {
      items: [{ ...loadedTable(7, 'fleet.csv'), undone_at: NOW }],
    });
    made.answerLoad(new Response('<html>', { status: 502 }));
    await waitFor(() => expect(load).toBeEnabled());
    expect(dialog.queryByRole('alert')).toBeNull();
  });

  it('looks after a lost answer whether it is loaded by now, and checks the table anew', async () => {
    const toFake = ['Date', 'setInterval', 'clearInterval'] as const;
    vi.useFakeTimers({ toFake: [...toFake], now: new Date(NOW), shouldAdvanceTime: true });
    const { hand, dialog, load } = await chooseTable(made.server);
    const checks = () => made.server.asked(checkImport).length;
    const before = checks();
    await hand.click(load);
    made.answerLoad(new Response('<html>', { status: 504 }));
    expect(await dialog.findByText(/^Nothing so far/)).toBeVisible();
    await waitFor(() => expect(checks()).toBe(before + 1));

    made.server.answer(listImports, { items: [loadedTable(7, 'fleet.csv')] });
    made.server.answer(checkImport, { ...check, adds: 0, states: ['same'] });
    await act(() => vi.advanceTimersByTimeAsync(5_000));
    expect(await dialog.findByRole('listitem')).toHaveTextContent('fleet.csv');
    expect(await dialog.findByText(/there is nothing to load/)).toBeVisible();
    expect(dialog.getByRole('button', { name: 'Load' })).toBeDisabled();
    expect(checks()).toBe(before + 2);

    await act(() => vi.advanceTimersByTimeAsync(10 * 60_000));
    const asked = made.server.asked(listImports).length;
    await act(() => vi.advanceTimersByTimeAsync(60_000));
    expect(made.server.asked(listImports)).toHaveLength(asked);
  });

  it('is not loaded again while the server may still be loading it, and says why', async () => {
    const toFake = ['Date', 'setInterval', 'clearInterval'] as const;
    vi.useFakeTimers({ toFake: [...toFake], now: new Date(NOW), shouldAdvanceTime: true });
    const { hand, dialog, load } = await chooseTable(made.server);
    await hand.click(load);
    made.answerLoad(new Response('<html>', { status: 504 }));
    expect(await dialog.findByText(/may still be loading: “Load” waits/)).toBeVisible();
    expect(load).toBeDisabled();
    const checks = made.server.asked(checkImport).length;
    await act(() => vi.advanceTimersByTimeAsync(9 * 60_000));
    expect(load).toBeDisabled();

    await act(() => vi.advanceTimersByTimeAsync(2 * 60_000));
    await waitFor(() => expect(load).toBeEnabled());
    expect(made.server.asked(checkImport)).toHaveLength(checks + 1);
    expect(dialog.queryByText(/“Load” waits/)).toBeNull();
    made.server.answer(runImport, refusal('conflict', { field: 'file' }));
    await hand.click(load);
    await waitFor(() => expect(made.server.asked(runImport)).toHaveLength(2));
    await waitFor(() => expect(load).toBeEnabled());
    expect(dialog.getByRole('alert')).toHaveTextContent('The answer was lost');
  });

  it('keeps saying that it may have been loaded until a load of it is answered', async () => {
    const { hand, dialog, load } = await chooseTable(made.server);
    await hand.click(load);
    // The server says itself that it is not loading any more.
    made.answerLoad(refusal('unavailable'));
    await dialog.findByRole('alert');
    await waitFor(() => expect(load).toBeEnabled());
    const press = async (answer: typeof loaded | Response, times: number) => {
      made.server.answer(runImport, answer);
      await hand.click(load);
      await waitFor(() => expect(made.server.asked(runImport)).toHaveLength(times));
    };
    await press(refusal('conflict', { field: 'file' }), 2);
    await waitFor(() => expect(load).toBeEnabled());
    expect(dialog.getByRole('alert')).toHaveTextContent('The answer was lost');
    const same = { ...check, adds: 0, states: ['same' as const] };
    await press({ ...loaded, created: 0, import_id: null as never, check: same }, 3);
    expect(await dialog.findByText(/there is nothing to load/)).toBeVisible();
    expect(dialog.getByRole('alert')).toHaveTextContent('The answer was lost');
  });

  it('is not called absent from the loaded ones before their list is read', async () => {
    made.server.hang(listImports);
    const { hand, dialog, load } = await chooseTable(made.server);
    await hand.click(load);
    made.answerLoad(new Response('<html>', { status: 504 }));
    await dialog.findByRole('heading', { name: 'Loaded in the last 24 hours' });
    expect(dialog.queryByText(/^Nothing so far/)).toBeNull();
  });
});
