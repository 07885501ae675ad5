// A table that the page of a test reads, checks and loads.
import { listAdminBuses } from '@ridewatch/contract/admin-buses';
import { checkImport, type ImportCheck, runImport } from '@ridewatch/contract/admin-import';
import { type LoadedTable, listImports } from '@ridewatch/contract/admin-import-undo';
import { act, screen, waitFor, within } from '@testing-library/react';
import { vi } from 'vitest';
import type { ReadAnswer } from '../features/admin/import/read-table.ts';
import { NOW } from './browser.ts';
import { page } from './made.ts';
import { answerFleet, madeBus, openSection } from './made-admin.ts';
import { freshServer } from './open.tsx';
import type { FakeServer } from './server.ts';

/** The check of a table with a new bus. */
export const check: ImportCheck = {
  ...{ rows: 1, adds: 1, changes: 0, faulty: 0, states: ['new'] },
  ...{ faults: [], fault_cells: 0, changed: [], changed_cells: 0, routes: [], units: [] },
};
/** The answer to its load. */
export const loaded = {
  ...{ created: 1, changed: 0, import_id: 7, check, links: [] },
  credentials: [{ device_id: 'RW-1', bus: 'А 1', credential: 'rwu_secret' }],
};
/** A table that the administrator has loaded. */
export const loadedTable = (id: number, file: string): LoadedTable => ({
  ...{ id, at: NOW, user: 'admin', file, created: 1, changed: 0, undone_at: null },
});

type Table = Extract<ReadAnswer, { table: unknown }>['table'];
type Answer = typeof loaded | Response;

/** The file of a test, and the far end of its calls. */
export interface TestTable {
  readonly server: FakeServer;
  /** The table that is read from each file that is chosen. */
  table: Table;
  /** Answers the load. */
  readonly answerLoad: (answer: Answer) => void;
}

/** Starts a server of buses that loads a table when the test says so. Call it before each test. */
export function startTable(): TestTable {
  const server = freshServer();
  let resolve: (answer: Answer) => void = () => undefined;
  const promise = new Promise<Answer>((then) => {
    resolve = then;
  });
  const made: TestTable = {
    server,
    table: { sheet: null, heading: 1, names: ['Bus', 'Customer'], rows: [['А 1', 'Анна']] },
    answerLoad: (answer) => resolve(answer),
  };
  answerFleet(server);
  // jsdom has no workers.
  vi.stubGlobal(
    'Worker',
    class {
      onmessage: ((event: { data: ReadAnswer }) => void) | undefined;
      postMessage(): void {
        this.onmessage?.({ data: { table: made.table } });
      }
      terminate(): void {}
    },
  );
  server.answer(listAdminBuses, page([madeBus]));
  server.answer(listImports, { items: [] });
  server.answer(checkImport, check);
  server.answer(runImport, () => promise);
  return made;
}

type Hand = Awaited<ReturnType<typeof openSection>>['hand'];
/** Chooses a file in the section of buses. */
export async function chooseFile(hand: Hand) {
  await hand.click(await screen.findByRole('button', { name: 'Load a table' }));
  const dialog = within(await screen.findByRole('dialog'));
  const file = new File(['Bus,Customer'], 'fleet.csv');
  Object.assign(file, { arrayBuffer: async () => new ArrayBuffer(0) });
  await hand.upload(await dialog.findByLabelText(/^A table/, { selector: 'input' }), file);
  return dialog;
}
/** Opens a table, whose bus is then loaded with a press. */
export async function chooseTable(server: FakeServer) {
  // Back has somewhere to go.
  history.pushState(null, '', '/admin');
  const opened = await openSection(server, 'buses');
  const dialog = await chooseFile(opened.hand);
  const load = await dialog.findByRole('button', { name: 'Load 1 bus' });
  await waitFor(() => expectEnabled(load));
  return { ...opened, dialog, load };
}
function expectEnabled(button: HTMLElement): void {
  if (button.matches(':disabled')) throw new Error('the button is disabled');
}
/** Whether the page asks before it unloads. */
export const asksBeforeUnload = () =>
  !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
/** Presses Back; settles once the page has heard of it. */
export const goBack = () =>
  act(
    () =>
      new Promise((resolve) => {
        window.addEventListener('popstate', resolve, { once: true });
        history.back();
      }),
  );
