import { checkImport, type ImportCheck } from '@ridewatch/contract/admin-import';
import { act, renderHook, waitFor } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import { freshServer } from '../../../test/open.tsx';
import { type FakeServer, refusal } from '../../../test/server.ts';
import { type EditedTable, useCheck } from './use-check.ts';

const tableOf = (name: string): EditedTable => ({
  ...{ kind: 'customers', heading: 1, names: ['Customer'], columns: ['name'], rows: [[name]] },
});
const check: ImportCheck = {
  ...{ rows: 1, adds: 1, changes: 0, faulty: 0, states: ['new'] },
  ...{ faults: [], fault_cells: 0, changed: [], changed_cells: 0, routes: [], units: [] },
};

let server: FakeServer;
beforeEach(() => {
  server = freshServer();
});

const good = () => Response.json(check);
const bad = () => refusal('unavailable');

it.each([
  ['succeeds', good, () => Response.json({ ...check, adds: 9 })],
  ['fails', bad, bad],
])(
  'a check that was tried again and %s late says nothing of a table that was changed meanwhile',
  async (_, own, late) => {
    let answerLate = () => {};
    const isLate = new Promise<void>((resolve) => {
      answerLate = resolve;
    });
    const replies = [bad, () => isLate.then(late), own];
    server.answer(checkImport, () => replies.shift()?.() ?? refusal('not_found'));
    const { result, rerender } = renderHook(useCheck, { initialProps: tableOf('Анна') });
    await waitFor(() => expect(result.current.isFailed).toBe(true));
    act(() => result.current.retry());
    expect(result.current.isChecking).toBe(true);
    rerender(tableOf('Иван'));
    await waitFor(() => expect(result.current.isChecking).toBe(false));
    const { check: said, isFailed, isOfTable } = result.current;
    await act(async () => {
      answerLate();
      await isLate;
    });
    expect(result.current).toMatchObject({ check: said, isFailed, isOfTable, isChecking: false });
  },
);

it('a check that fails is tried again, and may fail again', async () => {
  server.refuse(checkImport, 'unavailable');
  const { result } = renderHook(useCheck, { initialProps: tableOf('Анна') });
  await waitFor(() => expect(result.current.isFailed).toBe(true));
  act(() => result.current.retry());
  expect(result.current).toMatchObject({ isChecking: true, isFailed: false });
  await waitFor(() => expect(result.current.isFailed).toBe(true));
  server.answer(checkImport, check);
  act(() => result.current.retry());
  await waitFor(() => expect(result.current.isOfTable).toBe(true));
});
