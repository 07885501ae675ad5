// A table while it is loaded, and its secrets, which the answer has once: nothing closes over them without a question.
import { listAdminBuses } from '@ridewatch/contract/admin-buses';
import {
  checkImport,
  type ImportCheck,
  listImports,
  runImport,
  undoImport,
} from '@ridewatch/contract/admin-import';
import { act, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { NOW } from '../../../test/browser.ts';
import { page } from '../../../test/made.ts';
import { answerFleet, madeBus, openSection } from '../../../test/made-admin.ts';
import { freshServer } from '../../../test/open.tsx';
import { noteSavedFiles } from '../../../test/saved-files.ts';
import { type FakeServer, refusal } from '../../../test/server.ts';
import type { ReadAnswer } from './read-table.ts';

const check: ImportCheck = {
  ...{ rows: 1, adds: 1, changes: 0, faulty: 0, states: ['new'] },
  ...{ faults: [], fault_cells: 0, changed: [], changed_cells: 0, routes: [] },
};
const loaded = {
  ...{ created: 1, changed: 0, import_id: 7, check, links: [] },
  credentials: [{ device_id: 'RW-1', bus: 'А 1', credential: 'rwu_secret' }],
};
/** The table of the file that is chosen. */
let table: Extract<ReadAnswer, { table: unknown }>['table'];

/** Reads each file as the table above: jsdom has no workers. */
class TableWorker {
  onmessage: ((event: { data: ReadAnswer }) => void) | undefined;
  postMessage(): void {
    this.onmessage?.({ data: { table } });
  }
  terminate(): void {}
}

let server: FakeServer;
let answerLoad: (answer: typeof loaded | Response) => void;
beforeEach(() => {
  server = freshServer();
  table = { sheet: null, heading: 1, names: ['Bus', 'Customer'], rows: [['А 1', 'Анна']] };
  answerFleet(server);
  vi.stubGlobal('Worker', TableWorker);
  server.answer(listAdminBuses, page([madeBus]));
  server.answer(listImports, { items: [] });
  server.answer(checkImport, check);
  const answer = new Promise<typeof loaded | Response>((resolve) => {
    answerLoad = resolve;
  });
  server.answer(runImport, () => answer);
});

type Hand = Awaited<ReturnType<typeof openSection>>['hand'];
/** Chooses a file in the section of buses. */
async function chooseFile(hand: Hand) {
  await hand.click(await screen.findByRole('button', { name: 'Load a table' }));
  const dialog = within(await screen.findByRole('dialog'));
  const file = new File(['Bus,Customer'], 'fleet.csv');
  Object.assign(file, { arrayBuffer: async () => new ArrayBuffer(0) });
  await hand.upload(await dialog.findByLabelText(/^A table/, { selector: 'input' }), file);
  return dialog;
}
/** Opens a table, whose bus is then loaded with a press. */
async function choose() {
  // Back has somewhere to go.
  history.pushState(null, '', '/admin');
  const opened = await openSection(server, 'buses');
  const dialog = await chooseFile(opened.hand);
  const load = await dialog.findByRole('button', { name: 'Load 1 bus' });
  await waitFor(() => expect(load).toBeEnabled());
  return { ...opened, dialog, load };
}
/** Whether the page asks before it unloads. */
const asksBeforeUnload = () =>
  !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
/** Presses Back; settles once the page has heard of it. */
const goBack = () =>
  act(
    () =>
      new Promise((resolve) => {
        window.addEventListener('popstate', resolve, { once: true });
        history.back();
      }),
  );

describe('a table that is being loaded', () => {
  it('stays open until the server has answered, whatever is pressed', async () => {
    const { hand, dialog, load } = await choose();
    expect(asksBeforeUnload()).toBe(false);
    await hand.click(load);
    expect(load).toBeDisabled();
    expect(dialog.getByRole('table').closest('[inert]')).not.toBeNull();
    expect(dialog.getByRole('button', { name: 'Close' })).toBeDisabled();
    expect(dialog.getByRole('button', { name: 'Cancel' })).toBeDisabled();
    expect(asksBeforeUnload()).toBe(true);
    await hand.keyboard('{Escape}');
    await goBack();
    answerLoad(loaded);
    expect(await dialog.findByText(/Credential of 1 unit/)).toBeVisible();
  });

  it('says after a lost answer that it may have been loaded, and where it is undone', async () => {
    server.answer(undoImport, { undone: true, obstacles: [] });
    const { hand, dialog, load } = await choose();
    await hand.click(load);
    server.answer(listImports, {
      items: [
        {
          ...{ id: 7, at: NOW, user: 'admin', file: 'fleet.csv', created: 1, changed: 0 },
          undone_at: null,
        },
      ],
    });
    answerLoad(new Response('<html>', { status: 502 }));
    const alert = await dialog.findByRole('alert');
    expect(alert).toHaveTextContent('the server may still be loading the table');
    expect(alert).toHaveTextContent('Loaded in the last 24 hours');
    const row = await dialog.findByRole('listitem');
    expect(row).toHaveTextContent('fleet.csv');
    const checks = server.asked(checkImport).length;
    await hand.click(within(row).getByRole('button', { name: 'Undo the load' }));
    const sure = screen.getAllByRole('dialog').at(-1) ?? document.body;
    await hand.click(within(sure).getByRole('button', { name: 'Undo the load' }));
    await waitFor(() => expect(server.asked(checkImport)).toHaveLength(checks + 1));
    expect(dialog.queryByRole('alert')).toBeNull();
    expect(load).toBeEnabled();
  });

  it('looks after a lost answer whether it is loaded by now, and checks the table anew', async () => {
    const toFake = ['Date', 'setInterval', 'clearInterval'] as const;
    vi.useFakeTimers({ toFake: [...toFake], now: new Date(NOW), shouldAdvanceTime: true });
    const { hand, dialog, load } = await choose();
    const checks = () => server.asked(checkImport).length;
    const before = checks();
    await hand.click(load);
    answerLoad(new Response('<html>', { status: 504 }));
    expect(await dialog.findByText(/^Nothing so far/)).toBeVisible();
    await waitFor(() => expect(checks()).toBe(before + 1));

    const row = { id: 7, at: NOW, user: 'admin', file: 'fleet.csv', created: 1, changed: 0 };
    server.answer(listImports, { items: [{ ...row, undone_at: null }] });
    server.answer(checkImport, { ...check, adds: 0, states: ['same'] });
    await act(() => vi.advanceTimersByTimeAsync(5_000));
    expect(await dialog.findByRole('listitem')).toHaveTextContent('fleet.csv');
    expect(await dialog.findByText(/there is nothing to load/)).toBeVisible();
    expect(dialog.getByRole('button', { name: /^Load / })).toBeDisabled();
    expect(checks()).toBe(before + 2);

    await act(() => vi.advanceTimersByTimeAsync(10 * 60_000));
    const asked = server.asked(listImports).length;
    await act(() => vi.advanceTimersByTimeAsync(60_000));
    expect(server.asked(listImports)).toHaveLength(asked);
  });

  it('is not loaded again while the server may still be loading it, and says why', async () => {
    const toFake = ['Date', 'setInterval', 'clearInterval'] as const;
    vi.useFakeTimers({ toFake: [...toFake], now: new Date(NOW), shouldAdvanceTime: true });
    const { hand, dialog, load } = await choose();
    await hand.click(load);
    answerLoad(new Response('<html>', { status: 504 }));
    expect(await dialog.findByText(/may still be loading: “Load” waits/)).toBeVisible();
    expect(load).toBeDisabled();
    const checks = server.asked(checkImport).length;
    await act(() => vi.advanceTimersByTimeAsync(9 * 60_000));
    expect(load).toBeDisabled();

    await act(() => vi.advanceTimersByTimeAsync(2 * 60_000));
    await waitFor(() => expect(load).toBeEnabled());
    expect(server.asked(checkImport)).toHaveLength(checks + 1);
    expect(dialog.queryByText(/“Load” waits/)).toBeNull();
    server.answer(runImport, refusal('conflict', { field: 'file' }));
    await hand.click(load);
    await waitFor(() => expect(server.asked(runImport)).toHaveLength(2));
    await waitFor(() => expect(load).toBeEnabled());
    expect(dialog.getByRole('alert')).toHaveTextContent('The answer was lost');
  });

  it('keeps saying that it may have been loaded until a load of it is answered', async () => {
    const { hand, dialog, load } = await choose();
    await hand.click(load);
    // The server says itself that it is not loading any more.
    answerLoad(refusal('unavailable'));
    await dialog.findByRole('alert');
    await waitFor(() => expect(load).toBeEnabled());
    const press = async (answer: typeof loaded | Response, times: number) => {
      server.answer(runImport, answer);
      await hand.click(load);
      await waitFor(() => expect(server.asked(runImport)).toHaveLength(times));
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
    server.hang(listImports);
    const { hand, dialog, load } = await choose();
    await hand.click(load);
    answerLoad(new Response('<html>', { status: 504 }));
    await dialog.findByRole('heading', { name: 'Loaded in the last 24 hours' });
    expect(dialog.queryByText(/^Nothing so far/)).toBeNull();
  });

  it('says nothing of the kind when the server refuses it', async () => {
    const { hand, dialog, load } = await choose();
    await hand.click(load);
    answerLoad(Response.json({ error: 'conflict', message: 'Taken.' }, { status: 409 }));
    await waitFor(() => expect(load).toBeEnabled());
    expect(dialog.queryByRole('alert')).toBeNull();
    expect(asksBeforeUnload()).toBe(false);
  });
});

describe('the credentials of a loaded table', () => {
  it('are asked about before the dialog or the page closes, until they are saved', async () => {
    const files = noteSavedFiles();
    const { hand, dialog, load } = await choose();
    await hand.click(load);
    answerLoad(loaded);
    const save = { name: 'Download the credentials' };
    await dialog.findByRole('button', save);
    expect(asksBeforeUnload()).toBe(true);
    await hand.keyboard('{Escape}');
    expect(await dialog.findByRole('button', { name: 'Close without the file' })).toBeVisible();
    await hand.click(dialog.getByRole('button', { name: 'Stay' }));
    await hand.click(dialog.getByRole('button', save));
    expect(files).toHaveLength(1);
    expect(asksBeforeUnload()).toBe(false);
    await hand.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });
});

describe('the columns of a table', () => {
  it('are remembered by their headings as the user has chosen them, once the table is loaded', async () => {
    table = { ...table, names: ['Борт', 'Чей'] };
    const { hand } = await openSection(server, 'buses');
    const dialog = await chooseFile(hand);
    const columnOf = (letter: string) =>
      screen.findByRole('combobox', { name: `What column ${letter} has` });
    expect(await columnOf('A')).toHaveValue('');
    await hand.selectOptions(await columnOf('A'), 'name');
    await hand.selectOptions(await columnOf('B'), 'client');
    const load = await dialog.findByRole('button', { name: 'Load 1 bus' });
    await waitFor(() => expect(load).toBeEnabled());
    answerLoad({ ...loaded, credentials: [] });
    await hand.click(load);
    await screen.findByText(/^Done/);
    await hand.click(screen.getAllByRole('button', { name: 'Close' })[0] as HTMLElement);

    table = { ...table, names: ['чей ', 'Борт'], rows: [['Анна', 'А 2']] };
    await chooseFile(hand);
    expect(await columnOf('A')).toHaveValue('client');
    expect(await columnOf('B')).toHaveValue('name');
  });
});

describe('a table with more remarks than are named', () => {
  const rows = ['А 1', 'А 2', 'А 3', 'А 4'].map((name) => [name, 'Анна']);
  const cell = { cell: 'A2', row: 0, column: 0, value: 'А 1' };
  const fault = { ...cell, reason: 'several' as const, least: null, most: null, words: [] };
  const open = async (found: Partial<ImportCheck>) => {
    table = { ...table, rows };
    server.answer(checkImport, { ...check, rows: 4, adds: 0, ...found });
    const { hand } = await openSection(server, 'buses');
    return { hand, dialog: await chooseFile(hand) };
  };

  it('says how many errors it has, and leaves out all rows with errors', async () => {
    const { hand, dialog } = await open({
      ...{ faulty: 2, changes: 1, states: ['faulty', 'same', 'changed', 'faulty'] },
      ...{ faults: [fault], fault_cells: 1234 },
    });
    expect(await dialog.findByText(/^The first 1 of 1 234 errors are shown/)).toHaveTextContent(
      'and are in “Errors as CSV”. “Leave out rows with errors” leaves out all rows with errors.',
    );
    await hand.click(dialog.getByRole('checkbox', { name: 'Only rows with remarks' }));
    expect(dialog.getByText(/of 3 are shown/)).toBeVisible();
    await hand.click(dialog.getByRole('button', { name: 'Leave out rows with errors' }));
    await waitFor(() =>
      expect(server.asked(checkImport).at(-1)?.body).toMatchObject({
        rows: [[], ['А 2', 'Анна'], ['А 3', 'Анна'], []],
      }),
    );
  });

  it('says how many cells it changes', async () => {
    const { dialog } = await open({
      ...{ changes: 4, states: ['changed', 'changed', 'changed', 'changed'] },
      ...{ changed: [{ ...cell, before: 'А 0' }], changed_cells: 1234 },
    });
    expect(await dialog.findByText('The first 1 of 1 234 changed cells are marked.')).toBeVisible();
    expect(dialog.queryByText(/errors are shown/)).not.toBeInTheDocument();
  });

  it('says nothing of the kind when all are named', async () => {
    const { dialog } = await open({
      ...{ faulty: 1, states: ['faulty', 'same', 'same', 'same'] },
      ...{ faults: [fault], fault_cells: 1 },
    });
    expect(await dialog.findByText('1 of 1')).toBeVisible();
    expect(dialog.queryByText(/The first/)).not.toBeInTheDocument();
  });
});
