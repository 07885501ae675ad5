// A refusal about one's own account is said once: at its field, or in the list.
import { changePassword, endSession, listSessions } from '@ridewatch/contract/account';
import { listApiKeys } from '@ridewatch/contract/api-keys';
import { findSecondFactor, removeSecondFactor } from '@ridewatch/contract/second-factor';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { at, page } from '../../test/made.ts';
import { freshServer, openScreen } from '../../test/open.tsx';
import type { FakeServer } from '../../test/server.ts';
import { currentToasts } from '../../ui/toast-store.ts';

let server: FakeServer;
const session = {
  id: '0b5f0c1e-8f1a-4b0e-9f5e-000000000001',
  created_at: at('08:00'),
  last_used_at: at('14:00'),
  address: '10.0.0.1',
  user_agent: 'Mozilla/5.0 (Windows NT 10.0) Chrome/140.0 YaBrowser/25.8 Safari/537.36',
  current: true,
};
const other = { ...session, id: '0b5f0c1e-8f1a-4b0e-9f5e-000000000002', current: false };
beforeEach(() => {
  server = freshServer();
  server.answer(listSessions, { items: [session, other], total: 2 });
  server.answer(findSecondFactor, {
    ...{ since: at('12:00'), recovery_codes_left: 9, required: false },
  });
  server.answer(listApiKeys, page([]));
});
const part = async (name: string) => within(await screen.findByRole('region', { name }));

describe('a refused password or code is said at its field, and nowhere else', () => {
  it.each([
    ['wrong_password', 'Current password'],
    ['weak_password', 'New password'],
  ] as const)('when the password is changed (%s)', async (error, field) => {
    server.refuse(changePassword, error);
    const { hand } = await openScreen(server, '/account');
    const password = await part('Password');
    await hand.type(password.getByLabelText('Current password'), 'old');
    await hand.type(password.getByLabelText('New password'), 'longer than ten');
    await hand.type(password.getByLabelText('Once more'), 'longer than ten{Enter}');
    await waitFor(() => expect(password.getByLabelText(field)).toBeInvalid());
    await expectOneMessage(hand);
  });

  it.each([
    ['wrong_password', 'The current password is wrong'],
    ['wrong_code', 'The code is wrong, or was used already'],
  ] as const)('when two-factor sign-in is turned off (%s)', async (error, said) => {
    server.refuse(removeSecondFactor, error);
    const { hand } = await openScreen(server, '/account');
    const factor = await part('Two-factor sign-in');
    await hand.click(await factor.findByRole('button', { name: 'Turn off' }));
    await hand.type(factor.getByLabelText('Password'), 'secret');
    await hand.type(factor.getByLabelText('Code'), '123456{Enter}');
    expect(await factor.findByText(said)).toBeVisible();
    await expectOneMessage(hand);
  });

  /** A failure that comes later has a toast, before which that of an earlier one would stand. */
  async function expectOneMessage(hand: Awaited<ReturnType<typeof openScreen>>['hand']) {
    server.refuse(endSession, 'internal', 'Out of order.');
    const sessions = await part('My sessions');
    await hand.click(sessions.getByRole('button', { name: 'End session' }));
    await screen.findByText('500: Out of order.');
    expect(currentToasts().map(({ text }) => text)).toEqual(['500: Out of order.']);
  }
});

describe('the sessions of an account', () => {
  it('that ended meanwhile leave the list without a failure', async () => {
    server.answer(endSession, () => {
      server.answer(listSessions, { items: [session], total: 1 });
      return Response.json({ error: 'not_found', message: 'There is none.' }, { status: 404 });
    });
    const { hand } = await openScreen(server, '/account');
    const sessions = await part('My sessions');
    await hand.click(await sessions.findByRole('button', { name: 'End session' }));
    await waitFor(() => expect(sessions.getAllByRole('listitem')).toHaveLength(1));
    expect(currentToasts()).toEqual([]);
  });

  it.each([
    ['en_US', 'My sessions', 'Yandex Browser, Windows', 'Unknown program'],
    ['ru_RU', 'Мои сеансы', 'Яндекс Браузер, Windows', 'Неизвестная программа'],
  ] as const)(
    'name their programs in %s, also one that does not name itself',
    async (language, title, yandex, unknown) => {
      const nameless = { ...other, user_agent: '' };
      server.answer(listSessions, { items: [session, nameless], total: 2 });
      await openScreen(server, '/account', { language });
      const sessions = await part(title);
      expect(await sessions.findByText(new RegExp(`^${yandex}`))).toBeVisible();
      expect(sessions.getByText(unknown)).toBeVisible();
    },
  );
});
