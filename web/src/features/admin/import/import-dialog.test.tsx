// A table while it is loaded, and its secrets, which the answer has once: nothing closes over them without a question.
import { checkImport, type ImportCheck } from '@ridewatch/contract/admin-import';
import { findAdminOverview } from '@ridewatch/contract/admin-sections';
import { screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  asksBeforeUnload,
  check,
  chooseFile,
  chooseTable,
  goBack,
  loaded,
  startTable,
  type TestTable,
} from '../../../test/loaded-table.ts';
import { admin } from '../../../test/made.ts';
import { openSection } from '../../../test/made-admin.ts';
import { openScreen } from '../../../test/open.tsx';
import { noteSavedFiles } from '../../../test/saved-files.ts';

let made: TestTable;
beforeEach(() => {
  made = startTable();
});

describe('a table that is being loaded', () => {
  it('stays open until the server has answered, whatever is pressed', async () => {
    const { hand, dialog, load } = await chooseTable(made.server);
    expect(asksBeforeUnload()).toBe(false);
    await hand.click(load);
    expect(load).toBeDisabled();
    expect(dialog.getByRole('table').closest('[inert]')).not.toBeNull();
    expect(dialog.getByRole('button', { name: 'Close' })).toBeDisabled();
    expect(dialog.getByRole('button', { name: 'Cancel' })).toBeDisabled();
    expect(asksBeforeUnload()).toBe(true);
    await hand.keyboard('{Escape}');
    await goBack();
    made.answerLoad(loaded);
    expect(await dialog.findByText(/Credential of 1 unit/)).toBeVisible();
  });

  it('says nothing of the kind when the server refuses it', async () => {
    const { hand, dialog, load } = await chooseTable(made.server);
    await hand.click(load);
    made.answerLoad(Response.json({ error: 'conflict', message: 'Taken.' }, { status: 409 }));
    await waitFor(() => expect(load).toBeEnabled());
    expect(dialog.queryByRole('alert')).toBeNull();
    expect(asksBeforeUnload()).toBe(false);
  });
});

describe('the credentials of a loaded table', () => {
  it('are asked about before the dialog or the page closes, until they are saved', async () => {
    const files = noteSavedFiles();
    const { hand, dialog, load } = await chooseTable(made.server);
    await hand.click(load);
    made.answerLoad(loaded);
    const save = { name: 'Download the credential' };
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
  it('are remembered by their headings as the user has chosen them, once they were checked', async () => {
    made.table = { ...made.table, names: ['Борт', 'Чей'] };
    const { hand } = await openSection(made.server, 'buses');
    const dialog = await chooseFile(hand);
    const columnOf = (letter: string) =>
      screen.findByRole('combobox', { name: `What column ${letter} has` });
    expect(await columnOf('A')).toHaveValue('');
    await hand.selectOptions(await columnOf('A'), 'name');
    await hand.selectOptions(await columnOf('B'), 'client');
    const load = await dialog.findByRole('button', { name: 'Load 1 bus' });
    await waitFor(() => expect(load).toBeEnabled());
    await hand.click(dialog.getByRole('button', { name: 'Cancel' }));
    await hand.click(await dialog.findByRole('button', { name: 'Close the table' }));

    made.table = { ...made.table, names: ['чей ', 'Борт'], rows: [['Анна', 'А 2']] };
    await chooseFile(hand);
    expect(await columnOf('A')).toHaveValue('client');
    expect(await columnOf('B')).toHaveValue('name');
  });

  it('that have no heading are shown as such, with their cells, and are nothing at first', async () => {
    made.table = { ...made.table, rows: [['А 1', 'Анна', 'RW-9', '22']] };
    const { hand } = await openSection(made.server, 'buses');
    const dialog = await chooseFile(hand);
    const unit = await dialog.findByRole('combobox', { name: 'What column C has' });
    expect(unit).toHaveValue('');
    expect(dialog.getByText('C · no heading')).toBeVisible();
    expect(dialog.getByRole('cell', { name: '22' })).toBeVisible();
    await hand.selectOptions(unit, 'device_id');
    await waitFor(() =>
      expect(made.server.asked(checkImport).at(-1)?.body).toMatchObject({
        columns: ['name', 'client', 'device_id', null],
      }),
    );
  });

  it('stand below a title, which the dialog says', async () => {
    const rows = [[], ['Bus', 'Customer'], ['А 1', 'Анна']];
    made.table = { ...made.table, names: ['Fleet of 2026'], rows };
    const { hand } = await openSection(made.server, 'buses');
    const dialog = await chooseFile(hand);
    expect(await dialog.findByText('fleet.csv · headings in row 3')).toBeVisible();
    await dialog.findByRole('button', { name: 'Load 1 bus' });
    expect(made.server.asked(checkImport).at(-1)?.body).toMatchObject({
      ...{ heading: 3, columns: ['name', 'client'], rows: [['А 1', 'Анна']] },
    });
    expect(dialog.getByRole('rowheader', { name: '4' })).toBeVisible();
  });

  it('that were only guessed are guessed anew for another table', async () => {
    made.table = { ...made.table, names: ['Номер', 'Название'] };
    const { hand } = await openSection(made.server, 'buses');
    const dialog = await chooseFile(hand);
    const columnOf = (letter: string) =>
      screen.findByRole('combobox', { name: `What column ${letter} has` });
    expect(await columnOf('B')).toHaveValue('');
    await dialog.findByRole('button', { name: 'Load 1 bus' });
    await hand.click(dialog.getByRole('button', { name: 'Cancel' }));

    made.table = { ...made.table, names: ['Название'], rows: [['А 2']] };
    await chooseFile(hand);
    expect(await columnOf('A')).toHaveValue('name');
  });
});

describe('a table with more remarks than are named', () => {
  const rows = ['А 1', 'А 2', 'А 3', 'А 4'].map((name) => [name, 'Анна']);
  const cell = { cell: 'A2', row: 0, column: 0, value: 'А 1' };
  const fault = { ...cell, reason: 'several' as const, least: null, most: null, words: [] };
  const open = async (found: Partial<ImportCheck>) => {
    made.table = { ...made.table, rows };
    made.server.answer(checkImport, { ...check, rows: 4, adds: 0, ...found });
    const { hand } = await openSection(made.server, 'buses');
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
    expect(dialog.getByText(/of 3 (is|are) shown/)).toBeVisible();
    await hand.click(dialog.getByRole('button', { name: 'Leave out rows with errors' }));
    await waitFor(() =>
      expect(made.server.asked(checkImport).at(-1)?.body).toMatchObject({
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

describe('a table of buses', () => {
  const open = async (found: Partial<ImportCheck>, names: string[], ...rows: string[][]) => {
    made.table = { ...made.table, names, rows };
    made.server.answer(checkImport, { ...check, rows: rows.length, ...found });
    const { hand } = await openSection(made.server, 'buses');
    return { hand, dialog: await chooseFile(hand) };
  };

  it('shows which units and routes it creates besides', async () => {
    const { hand, dialog } = await open(
      {
        ...{ adds: 2, changes: 1, states: ['new', 'same', 'new', 'changed'], units: [0, 3] },
        routes: [{ cell: 'B4', row: 2, column: 1, value: 'м7' }],
        changed: [{ cell: 'C5', row: 3, column: 2, value: 'RW-4', before: '' }],
      },
      ...[
        ['Bus', 'Route', 'Unit'],
        ['А 1', '', 'RW-1'],
        ['А 2', '', 'RW-2'],
        ['А 3', 'м7', ''],
        ['А 4', '', 'RW-4'],
      ],
    );
    const status = await dialog.findByText('new units');
    expect(status.closest('[role=status]')).toHaveTextContent('1 new route2 new units');
    const markedIn = () =>
      dialog.getAllByRole('cell').flatMap((cell) => (cell.matches('[data-new]') ? [cell] : []));
    expect(markedIn().map(({ textContent }) => textContent)).toEqual([
      ...['RW-1new', 'м7new', 'RW-4new'],
    ]);
    // The unit of a new bus is no remark: it is as new as its bus.
    await hand.click(dialog.getByRole('checkbox', { name: 'Only rows with remarks' }));
    expect(markedIn().map(({ textContent }) => textContent)).toEqual(['м7new', 'RW-4new']);
  });

  it('that matches what is there has nothing to load, and says so without noughts', async () => {
    const { dialog } = await open({ adds: 0, states: ['same'] }, ['Bus'], ['А 1']);
    expect(
      await dialog.findByText('The table matches what is there: there is nothing to load.'),
    ).toBeVisible();
    expect(dialog.getByRole('button', { name: 'Load' })).toBeDisabled();
    expect(dialog.getByText('stays as it is').closest('[role=status]')).toHaveTextContent(
      /^1 row1 stays as it is$/,
    );
  });

  it('whose rows were all left out has nothing to load', async () => {
    const { dialog } = await open({ rows: 0, adds: 0, states: ['blank'] }, ['Bus'], ['А 1']);
    expect(await dialog.findByText('No rows are left: there is nothing to load.')).toBeVisible();
    expect(dialog.getByRole('button', { name: 'Load' })).toBeDisabled();
    expect(dialog.queryByText(/^0/)).toBeNull();
  });
});

describe('a cell with a line break', () => {
  it('is mended by one press: its field has a space instead', async () => {
    const fault = { cell: 'A2', row: 0, column: 0, value: 'А\n1', least: null, most: null };
    made.table = { ...made.table, rows: [['А\n1', 'Анна']] };
    made.server.answer(checkImport, {
      ...{ ...check, adds: 0, faulty: 1, states: ['faulty'], fault_cells: 1 },
      faults: [{ ...fault, reason: 'line_break', words: [] }],
    });
    const { hand } = await openSection(made.server, 'buses');
    const dialog = await chooseFile(hand);
    const field = await dialog.findByRole('textbox', { name: 'Cell A2: has a line break' });
    expect(field).toHaveValue('А 1');
    await hand.click(field);
    await hand.keyboard('{Enter}');
    await waitFor(() =>
      expect(made.server.asked(checkImport).at(-1)?.body).toMatchObject({
        rows: [['А 1', 'Анна']],
      }),
    );
  });
});

describe('a table that would write more rows than are written at once', () => {
  it('says what to do, and keeps as many as are written at once', async () => {
    const all = 5002;
    made.table = { ...made.table, rows: Array.from({ length: all }, (_, at) => [`А ${at}`]) };
    const states = made.table.rows.map((_, at) => (at === 0 ? ('same' as const) : 'new'));
    made.server.answer(checkImport, { ...check, rows: all, adds: all - 1, states });
    const { hand } = await openSection(made.server, 'buses');
    const dialog = await chooseFile(hand);
    const alert = await dialog.findByRole('alert');
    expect(alert).toHaveTextContent(
      'At most 5 000 new and changed rows are written at once, and here are 5 001. Load the first 5 000, then the same file again',
    );
    expect(dialog.getByRole('button', { name: /^Load / })).toBeDisabled();
    made.server.answer(checkImport, { ...check, rows: all - 1, adds: all - 2, states });
    await hand.click(dialog.getByRole('button', { name: /^Keep the first 5.000$/ }));
    await waitFor(() => expect(made.server.asked(checkImport)).toHaveLength(2));
    const kept = made.table.rows.map((row, at) => (at === all - 1 ? [] : row));
    expect(made.server.asked(checkImport).at(-1)?.body).toMatchObject({ rows: kept });
    await waitFor(() => expect(dialog.getByRole('button', { name: /^Load / })).toBeEnabled());
  });
});

describe('on a phone', () => {
  it('the actions beside the load are below one button', async () => {
    made.server.answer(findAdminOverview, {
      ...{
        sections: [{ section: 'buses', count: 1 }],
        clients: [],
        video_off: null,
        closed_ports: [],
      },
    });
    const cell = { cell: 'A2', row: 0, column: 0, value: 'А 1', least: null, most: null };
    const faults = [{ ...cell, reason: 'unknown' as const, words: [] }];
    const found = { ...check, adds: 0, faulty: 1, states: ['faulty' as const], faults };
    made.server.answer(checkImport, { ...found, fault_cells: 1 });
    const { hand } = await openScreen(made.server, '/admin/buses/', {
      ...{ user: admin, device: 'phone' },
    });
    const dialog = await chooseFile(hand);
    const drop = { name: 'Leave out rows with errors' };
    const more = await dialog.findByRole('button', { name: 'More' });
    expect(dialog.queryByRole('button', drop)).toBeNull();
    expect(screen.queryByRole('button', { name: 'Template' })).toBeNull();
    await hand.click(more);
    await screen.findByRole('button', { name: 'Template' });
    await hand.click(screen.getByRole('button', drop));
    await waitFor(() =>
      expect(made.server.asked(checkImport).at(-1)?.body).toMatchObject({ rows: [[]] }),
    );
    expect(screen.queryByRole('button', drop)).toBeNull();
  });
});
