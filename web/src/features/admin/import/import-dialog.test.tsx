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
import type { FakeServer } from '../../../test/server.ts';
import type { ReadAnswer } from './read-table.ts';

const check: ImportCheck = {
  ...{ rows: 1, adds: 1, changes: 0, faulty: 0, states: ['new'] },
  ...{ faults: [], changed: [], routes: [] },
};
const loaded = {
  ...{ created: 1, changed: 0, import_id: 7, check, links: [] },
  credentials: [{ device_id: 'RW-1', bus: 'А 1', credential: 'rwu_secret' }],
};
const read: ReadAnswer = {
  table: { sheet: null, heading: 1, names: ['Bus', 'Customer'], rows: [['А 1', 'Анна']] },
};

/** Reads each file as the table above: jsdom has no workers. */
class TableWorker {
  onmessage: ((event: { data: ReadAnswer }) => void) | undefined;
  postMessage(): void {
    this.onmessage?.({ data: read });
  }
  terminate(): void {}
}

let server: FakeServer;
let answerLoad: (answer: typeof loaded | Response) => void;
beforeEach(() => {
  server = freshServer();
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

/** Opens a table, whose bus is then loaded with a press. */
async function choose() {
  // Back has somewhere to go.
  history.pushState(null, '', '/admin');
  const opened = await openSection(server, 'buses');
  const { hand } = opened;
  await hand.click(await screen.findByRole('button', { name: 'Load a table' }));
  const dialog = within(await screen.findByRole('dialog'));
  const file = new File(['Bus,Customer'], 'fleet.csv');
  Object.assign(file, { arrayBuffer: async () => new ArrayBuffer(0) });
  await hand.upload(await dialog.findByLabelText(/^A table/, { selector: 'input' }), file);
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
    expect(alert).toHaveTextContent('the table may have been loaded');
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
