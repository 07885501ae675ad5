// Tables of administration: saved as files, loaded, and undone for a day.
import { listAdminBuses } from '@ridewatch/contract/admin-buses';
import { exportTable } from '@ridewatch/contract/admin-import';
import { listImports, undoImport } from '@ridewatch/contract/admin-import-undo';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import { NOW } from '../../test/browser.ts';
import { page } from '../../test/made.ts';
import { answerFleet, madeBus, openSection } from '../../test/made-admin.ts';
import { freshServer } from '../../test/open.tsx';
import type { FakeServer } from '../../test/server.ts';

let server: FakeServer;
beforeEach(() => {
  server = freshServer();
  answerFleet(server);
  server.answer(listAdminBuses, page([madeBus]));
  server.answer(listImports, {
    items: [
      {
        ...{ id: 7, at: NOW, user: 'admin', file: 'парк.xlsx', created: 2, changed: 1 },
        undone_at: null,
      },
      {
        ...{ id: 6, at: NOW, user: 'anna', file: 'старый.csv', created: 1, changed: 0 },
        undone_at: NOW,
      },
    ],
  });
});

it('a loaded table is undone after a question, and says what is in the way', async () => {
  server.answer(undoImport, {
    undone: false,
    obstacles: [
      { name: 'А 1', reasons: ['records', 'laps'] },
      { name: 'А 2', reasons: ['changed'] },
      { name: 'А 3', reasons: ['cameras'] },
    ],
  });
  const { hand } = await openSection(server, 'buses');
  await hand.click(await screen.findByRole('button', { name: 'Load a table' }));
  const rows = await screen.findAllByRole('listitem');
  expect(rows[1]?.textContent).toContain('undone');
  const [own = document.body] = rows.filter((row) => row.textContent?.includes('парк.xlsx'));
  expect(own.textContent).toContain('№ 7');
  expect(own.textContent).toContain('added 2, changed 1');
  await hand.click(within(own).getByRole('button', { name: 'Undo the load' }));
  expect(server.asked(undoImport)).toEqual([]);
  const sure = screen.getAllByRole('dialog').at(-1) ?? document.body;
  expect(within(sure).getByRole('button', { name: 'Keep it' })).toBeVisible();
  expect(within(sure).queryByRole('button', { name: 'Cancel' })).toBeNull();
  const undo = within(sure).getByRole('button', { name: 'Undo the load' });
  expect(undo.dataset.kind).toBe('danger');
  // The question dims the dialog below it, too.
  expect(document.querySelectorAll('[class*="ground"]')).toHaveLength(2);
  await hand.click(undo);
  const alert = await within(own).findByRole('alert');
  expect(alert.textContent).toBe(
    'It cannot be undone: А 1 has records, has laps; А 2 was changed since; А 3 has cameras.',
  );
  expect(server.asked(undoImport)[0]?.params).toEqual({ importId: '7' });
});

it('loaded tables that cannot be read are said to be so, with a retry', async () => {
  server.refuse(listImports, 'internal');
  const { hand } = await openSection(server, 'buses');
  await hand.click(await screen.findByRole('button', { name: 'Load a table' }));
  const dialog = within(await screen.findByRole('dialog'));
  const said = await dialog.findByText(/: Loaded in the last 24 hours/);
  server.answer(listImports, { items: [] });
  await hand.click(within(said).getByRole('button', { name: 'Try again' }));
  await waitFor(() => expect(said).not.toBeInTheDocument());
});

it('the objects of a section are saved in the language of the user', async () => {
  server.refuse(exportTable, 'unavailable');
  const { hand } = await openSection(server, 'buses');
  await hand.click(await screen.findByRole('button', { name: 'Download XLSX' }));
  await waitFor(() => expect(server.asked(exportTable)).toHaveLength(1));
  const [asked] = server.asked(exportTable);
  expect(asked?.params).toEqual({ kind: 'buses' });
  expect(asked?.query.toString()).toBe('format=xlsx&language=en_US');
});
