import {
  type AuditRow,
  exportAudit,
  findAuditRow,
  listAudit,
  MOST_AUDIT_ROWS,
} from '@ridewatch/contract/admin-audit';
import { findAdminOverview } from '@ridewatch/contract/admin-sections';
import { type AdminUser, listUsers } from '@ridewatch/contract/admin-users';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { NOW } from '../../test/browser.ts';
import { admin, page } from '../../test/made.ts';
import { freshServer, openScreen } from '../../test/open.tsx';
import type { FakeServer } from '../../test/server.ts';

const user = (id: number, login: string): AdminUser => ({
  ...{ id, login, role: 'CUSTOMER', client: { id: 1, name: 'Иван' }, enabled: true },
  ...{ can_edit: false, last_used_at: null, created_at: NOW, second_factor: false, openid: false },
});
const row: AuditRow = {
  ...{ id: 1, at: NOW, user: { id: 2, name: 'petrov' }, unit: null, action: 'set_bus' },
  ...{ object_type: 'workplace', object_id: '12', object_name: 'А 472 КМ', names: {} },
  ...{ before: null, after: null, request_id: null, import_id: null, address: null },
};

let server: FakeServer;
beforeEach(() => {
  server = freshServer();
  server.answer(findAdminOverview, {
    sections: [{ section: 'audit', count: null }],
    clients: [{ id: 1, name: 'Иван' }],
    video_off: null,
    closed_ports: [],
  });
  server.answer(listUsers, page([user(2, 'petrov'), user(3, 'sidorov')]));
  server.answer(listAudit, { ...page([row]), actions: [], object_types: [] });
  server.refuse(exportAudit, 'unavailable');
});
const asked = () => {
  const { query } = server.asked(listAudit).at(-1) ?? {};
  return ['userId', 'action', 'kind'].map((key) => query?.get(key));
};

describe('the filters of the audit log', () => {
  it.each([
    ['ru_RU', 'Кто', 'Действие', 'вхо', 'вход', 'Сбросить фильтры'],
    ['en_US', 'Who', 'Action', 'sign-i', 'sign-in', 'Reset the filters'],
  ] as const)('find the commands of a user and those of a name, in %s', async (...texts) => {
    const [language, who, action, part, name, reset] = texts;
    const { hand, address } = await openScreen(server, '/admin/audit', { user: admin, language });
    await hand.type(await screen.findByRole('combobox', { name: who }), 'petr');
    await hand.click(await screen.findByRole('option', { name: 'petrov' }));
    await waitFor(() => expect(asked()).toEqual(['2', null, 'change']));
    await hand.type(screen.getByRole('combobox', { name: action }), part);
    await hand.click(await screen.findByRole('option', { name }));
    // A sign-in is no change: the action decides.
    await waitFor(() => expect(asked()).toEqual(['2', 'sign_in', null]));
    expect(address()).toContain('who=2');
    expect(address()).toContain('action=sign_in');
    await hand.click(screen.getByRole('button', { name: reset }));
    await waitFor(() => expect(address()).not.toMatch(/who|action/));
    expect(screen.getByRole('combobox', { name: who })).toHaveValue('');
  });

  it('hold for the file, too, and an address has them', async () => {
    const { hand } = await openScreen(server, '/admin/audit?who=3&action=sign_out', {
      user: admin,
    });
    expect(await screen.findByRole('combobox', { name: 'Action' })).toHaveValue('sign-out');
    await waitFor(() =>
      expect(screen.getByRole('combobox', { name: 'Who' })).toHaveValue('sidorov'),
    );
    await hand.click(screen.getByRole('button', { name: 'Download CSV' }));
    await waitFor(() => expect(server.asked(exportAudit)).toHaveLength(1));
    const query = server.asked(exportAudit)[0]?.query;
    const sent = ['userId', 'action', 'kind'].map((key) => query?.get(key));
    expect(sent).toEqual(['3', 'sign_out', null]);
  });

  it('say of as many rows as the log counts that there may be more', async () => {
    server.answer(listAudit, {
      ...{ ...page([row]), total: MOST_AUDIT_ROWS },
      ...{ actions: [], object_types: [] },
    });
    await openScreen(server, '/admin/audit?kind=all', { user: admin });
    expect(await screen.findByText(/^10.000 or more found$/)).toBeVisible();
  });

  it('leave room for the name of the log on phones: its formats are behind one button', async () => {
    const { hand } = await openScreen(server, '/admin/audit', { user: admin, device: 'phone' });
    const more = await screen.findByRole('button', { name: 'Download' });
    expect(screen.queryByRole('button', { name: 'Download CSV' })).toBeNull();
    await hand.click(more);
    await hand.click(await screen.findByRole('button', { name: 'Download CSV' }));
    await waitFor(() => expect(server.asked(exportAudit)).toHaveLength(1));
  });
});

describe('a loaded table in the audit log', () => {
  it.each(['import', 'undo_import', 'create_bus'])(
    'has a number that leads from %s to all of its commands',
    async (action) => {
      const made = { ...row, action, object_id: null, object_name: null, import_id: 7 };
      server.answer(listAudit, { ...page([made]), actions: [], object_types: [] });
      server.answer(findAuditRow, made);
      const { hand, address } = await openScreen(server, '/admin/audit/1', { user: admin });
      const drawer = within(await screen.findByRole('complementary'));
      await hand.click(await drawer.findByRole('link', { name: '№ 7' }));
      await waitFor(() => expect(address()).toMatch(/\/admin\/audit\?import=(%22)?7/));
      await waitFor(() => expect(server.asked(listAudit).at(-1)?.query.get('importId')).toBe('7'));
      await hand.click(await screen.findByRole('button', { name: 'Reset the filters' }));
      await waitFor(() => expect(address()).not.toContain('import'));
    },
  );

  it('says how many routes it created where it created some', async () => {
    const of = (routes: number): AuditRow => ({
      ...{ ...row, id: routes + 1, action: 'import', object_id: null, object_name: null },
      ...{ import_id: 7, after: { file: `${routes}.csv`, created: 1, changed: 0, routes } },
    });
    server.answer(listAudit, { ...page([of(0), of(2)]), actions: [], object_types: [] });
    await openScreen(server, '/admin/audit', { user: admin });
    expect(await screen.findByText(/2\.csv.*Routes: 2/)).toBeVisible();
    expect(screen.getByText(/0\.csv/)).not.toHaveTextContent('Routes');
  });
});
