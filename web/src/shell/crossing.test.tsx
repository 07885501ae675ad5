// The window becomes narrower or wider than a phone's while somebody works: a tablet is turned, a window is resized.
import { listSessions } from '@ridewatch/contract/account';
import { listCustomers } from '@ridewatch/contract/admin-customers';
import { listImports } from '@ridewatch/contract/admin-import-undo';
import { listApiKeys } from '@ridewatch/contract/api-keys';
import { findNotifications } from '@ridewatch/contract/notifications';
import { findSecondFactor } from '@ridewatch/contract/second-factor';
import { act, screen } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { resizeTo } from '../test/browser.ts';
import { page } from '../test/made.ts';
import { answerFleet, madeCustomer, openDrawer, openSection } from '../test/made-admin.ts';
import { notifications } from '../test/made-notifications.ts';
import { freshServer, openScreen } from '../test/open.tsx';
import type { FakeServer } from '../test/server.ts';

let server: FakeServer;
beforeEach(() => {
  server = freshServer();
  server.answer(findNotifications, notifications());
});

const turnTo = async (device: 'phone' | 'desktop') => {
  await act(async () => resizeTo(device));
  const name = device === 'phone' ? 'Events' : 'Notifications';
  await screen.findByRole('button', { name, hidden: true });
};

describe('a window that becomes a phone’s, and wide again', () => {
  it('keeps what is typed on a screen, and the focus', async () => {
    server.answer(findSecondFactor, { since: null, recovery_codes_left: 0, required: false });
    server.answer(listSessions, { items: [], total: 0 });
    server.answer(listApiKeys, page([]));
    const { hand } = await openScreen(server, '/account');
    const field = await screen.findByLabelText('Current password');
    await hand.type(field, 'typed');
    await turnTo('phone');
    expect(field).toBeVisible();
    expect(field).toHaveValue('typed');
    expect(field).toHaveFocus();
    await turnTo('desktop');
    expect(field).toBeVisible();
    expect(field).toHaveValue('typed');
  });

  it('keeps what is typed into the form of a row, which a phone shows without the table', async () => {
    answerFleet(server);
    const { press, write } = await openDrawer(server, 'buses', '12');
    await press('Edit');
    await write('Seats', '31');
    await turnTo('phone');
    expect(screen.getByLabelText('Seats')).toHaveValue('31');
    expect(screen.queryByRole('table')).not.toBeInTheDocument();
    await turnTo('desktop');
    expect(screen.getByLabelText('Seats')).toHaveValue('31');
    expect(screen.getByRole('table')).toBeVisible();
  });

  it('keeps the rows that are chosen, and what is typed of a change of all of them', async () => {
    server.answer(listCustomers, page([madeCustomer]));
    const { hand } = await openSection(server, 'customers');
    await hand.click(await screen.findByRole('checkbox', { name: 'Choose all rows' }));
    await hand.click(await screen.findByRole('button', { name: 'Retention' }));
    const [field] = await screen.findAllByRole('textbox', { name: /Video/ });
    await hand.type(field as HTMLElement, '30');
    await turnTo('phone');
    expect(field).toBeVisible();
    expect(field).toHaveValue('30');
  });

  it('keeps a table that is being loaded beside a drawer', async () => {
    answerFleet(server);
    server.answer(listImports, { items: [] });
    const { hand } = await openDrawer(server, 'buses', '12');
    await hand.click(screen.getByRole('button', { name: 'Load a table' }));
    const dialog = await screen.findByRole('dialog');
    await turnTo('phone');
    expect(dialog).toBeVisible();
    expect(screen.getByRole('dialog')).toBe(dialog);
  });

  it('keeps what is typed of a new row', async () => {
    answerFleet(server);
    const { write } = await openDrawer(server, 'buses', 'new');
    await write('Name', 'А 472 КМ');
    await turnTo('phone');
    expect(screen.getByLabelText('Name')).toHaveValue('А 472 КМ');
  });
});
