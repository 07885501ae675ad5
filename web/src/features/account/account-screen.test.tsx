import {
  changePassword,
  endAllSessions,
  endSession,
  listSessions,
} from '@ridewatch/contract/account';
import { type ApiKey, createApiKey, listApiKeys, revokeApiKey } from '@ridewatch/contract/api-keys';
import {
  beginSecondFactor,
  confirmSecondFactor,
  findSecondFactor,
  removeSecondFactor,
  renewRecoveryCodes,
} from '@ridewatch/contract/second-factor';
import { act, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { at, owner, page } from '../../test/made.ts';
import { freshServer, openScreen } from '../../test/open.tsx';
import type { FakeServer } from '../../test/server.ts';

let server: FakeServer;
const off = { since: null, recovery_codes_left: 0, required: false };
const on = { since: at('12:00'), recovery_codes_left: 9, required: false };
const codes = Array.from({ length: 10 }, (_, index) => `aaaa-bbbb-cccc-ddd${index}`);
beforeEach(() => {
  server = freshServer();
  server.answer(listSessions, { items: [], total: 0 });
  server.answer(findSecondFactor, off);
  server.answer(listApiKeys, page([]));
});
const open = (more: Parameters<typeof openScreen>[2] = {}) => openScreen(server, '/account', more);
const part = async (name: string) => within(await screen.findByRole('region', { name }));

describe('the heading of an account', () => {
  it('has the login, and the name and surname of the customer', async () => {
    await open();
    expect(await screen.findByText('owner1 · Иван Петров')).toBeVisible();
  });
});

describe('the password of an account', () => {
  it('is changed with the current one', async () => {
    server.answer(changePassword, undefined as never);
    const { hand } = await open({ device: 'phone' });
    const password = await part('Password');
    await hand.click(password.getByRole('button', { name: 'Save' }));
    expect(password.getByText('Please fill this in')).toBeVisible();
    expect(password.getByText('Please input a new password')).toBeVisible();
    await hand.type(password.getByLabelText('New password'), 'short');
    expect(password.getByLabelText('New password')).toBeInvalid();
    await hand.clear(password.getByLabelText('New password'));
    expect(server.asked(changePassword)).toHaveLength(0);
    await hand.type(password.getByLabelText('Current password'), 'old');
    await hand.type(password.getByLabelText('New password'), 'longer than ten');
    await hand.type(password.getByLabelText('Once more'), 'longer than tem');
    await hand.click(password.getByRole('button', { name: 'Save' }));
    expect(password.getByText('The passwords differ')).toBeVisible();
    expect(server.asked(changePassword)).toHaveLength(0);
    await hand.clear(password.getByLabelText('Once more'));
    await hand.type(password.getByLabelText('Once more'), 'longer than ten');
    await hand.click(password.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('Password changed, other sessions are closed')).toBeVisible();
    expect(server.asked(changePassword)[0]?.body).toEqual({
      old_password: 'old',
      new_password: 'longer than ten',
    });
  });

  it('stays, and says so, when the current one is wrong', async () => {
    server.refuse(changePassword, 'wrong_password');
    const { hand } = await open();
    const password = await part('Password');
    await hand.type(password.getByLabelText('Current password'), 'old');
    await hand.type(password.getByLabelText('New password'), 'longer than ten');
    await hand.type(password.getByLabelText('Once more'), 'longer than ten{Enter}');
    expect(await screen.findByText('The current password is wrong')).toBeVisible();
  });
});

describe('the sessions of an account', () => {
  const session = {
    id: '0b5f0c1e-8f1a-4b0e-9f5e-000000000001',
    created_at: at('08:00'),
    last_used_at: at('14:00'),
    address: '10.0.0.1',
    user_agent: 'Mozilla/5.0 (Windows NT 10.0) Firefox/140.0',
    current: true,
  };

  it('are listed, and end one by one or all', async () => {
    const other = { ...session, id: '0b5f0c1e-8f1a-4b0e-9f5e-000000000002', current: false };
    server.answer(listSessions, { items: [session, other], total: 2 });
    server.answer(endSession, undefined as never);
    server.answer(endAllSessions, undefined as never);
    const { hand } = await open();
    const sessions = await part('My sessions');
    expect(await sessions.findByText(/this session/)).toBeVisible();
    expect(sessions.getAllByText(/10.03.2026 14:00 MSK/)).toHaveLength(2);
    await hand.click(sessions.getByRole('button', { name: 'End session' }));
    await waitFor(() => expect(server.asked(endSession)[0]?.params.sessionId).toBe(other.id));
    const everywhere = sessions.getByRole('button', { name: 'Sign out everywhere' });
    await hand.click(everywhere);
    const dialog = within(await screen.findByRole('dialog', { name: 'Sign out everywhere?' }));
    expect(dialog.getByText(/All 2 sessions end, this one too/)).toBeVisible();
    await hand.click(dialog.getByRole('button', { name: 'Cancel' }));
    expect(server.asked(endAllSessions)).toHaveLength(0);
    await hand.click(everywhere);
    await hand.click(await screen.findByRole('button', { name: 'End the sessions' }));
    expect(await screen.findByRole('heading', { name: 'Sign in' })).toBeVisible();
    expect(server.asked(endAllSessions)).toHaveLength(1);
  });

  it('each have their device and their place, which is a network address', async () => {
    const phone = {
      ...{ ...session, id: '0b5f0c1e-8f1a-4b0e-9f5e-000000000003', current: false },
      address: '2001:db8::7',
      user_agent: 'Mozilla/5.0 (Linux; Android 15; Pixel 9) Chrome/141.0.0.0 Mobile Safari/537.36',
    };
    const program = {
      ...{ ...session, id: '0b5f0c1e-8f1a-4b0e-9f5e-000000000004', current: false },
      ...{ address: '192.0.2.7', user_agent: 'curl/8.5.0' },
    };
    server.answer(listSessions, { items: [session, phone, program], total: 3 });
    await open();
    const sessions = await part('My sessions');
    const rows = (await sessions.findAllByRole('listitem')).map(({ textContent }) => textContent);
    expect(rows).toEqual([
      expect.stringMatching(/^Firefox, Windows · this session10\.0\.0\.1 · /),
      expect.stringMatching(/^Chrome, Android2001:db8::7 · /),
      expect.stringMatching(/^curl\/8\.5\.0192\.0\.2\.7 · /),
    ]);
  });

  it.each([
    ['en_US', 'My sessions', /^The latest 2 of 137 are shown\.$/, /^All 137 sessions end/],
    ['ru_RU', 'Мои сеансы', /^Показаны последние 2 из 137\.$/, /^Завершатся .* 137 сеансов, /],
  ] as const)(
    'say that there are more than the list has, in %s',
    async (language, title, said, all) => {
      const other = { ...session, id: '0b5f0c1e-8f1a-4b0e-9f5e-000000000002', current: false };
      server.answer(listSessions, { items: [session, other], total: 137 });
      const { hand } = await open({ language });
      const sessions = await part(title);
      expect(await sessions.findByText(said)).toBeVisible();
      const everywhere = /^(Sign out everywhere|Выйти на всех устройствах)$/;
      await hand.click(sessions.getByRole('button', { name: everywhere }));
      expect(await screen.findByText(all)).toBeVisible();
    },
  );

  it('say nothing of more where there are none', async () => {
    server.answer(listSessions, { items: [session], total: 1 });
    await open();
    const sessions = await part('My sessions');
    expect(await sessions.findByText(/this session/)).toBeVisible();
    expect(sessions.queryByText(/are shown/)).not.toBeInTheDocument();
  });

  it('are not shown in a view as another user, which the part says', async () => {
    await open({ user: { ...owner, viewed_by: 'admin' } });
    const sessions = await part('My sessions');
    expect(sessions.getByText('A view as another user does not show them.')).toBeVisible();
    expect(sessions.queryByRole('list')).not.toBeInTheDocument();
    expect(sessions.queryByRole('button')).not.toBeInTheDocument();
  });

  it('say that they could not be loaded', async () => {
    server.refuse(listSessions, 'internal');
    await open();
    const sessions = await part('My sessions');
    expect(await sessions.findByRole('alert')).toHaveTextContent('Could not load: My sessions');
  });
});

describe('two-factor sign-in', () => {
  it('is turned on by the password and a code of the app, and shows recovery codes once', async () => {
    server.answer(beginSecondFactor, {
      secret: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ',
      address: 'otpauth://totp/Ridewatch:owner1?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ',
    });
    server.answer(confirmSecondFactor, { recovery_codes: codes });
    const { hand } = await open();
    const factor = await part('Two-factor sign-in');
    await hand.click(await factor.findByRole('button', { name: 'Turn on' }));
    await hand.click(factor.getByRole('button', { name: 'Next' }));
    expect(factor.getByText('Please fill this in')).toBeVisible();
    await hand.type(factor.getByLabelText('Password'), 'secret{Enter}');
    const qr = await factor.findByRole('img', { name: 'QR code for an authenticator app' });
    expect(qr.querySelector('path')?.getAttribute('d')).toMatch(/^M0 0h1v1h-1z/);
    expect(factor.getByText('GEZD GNBV GY3T QOJQ GEZD GNBV GY3T QOJQ')).toBeVisible();
    server.answer(findSecondFactor, { ...on, recovery_codes_left: 10, required: false });
    await hand.type(factor.getByLabelText('Code from the app'), '123456{Enter}');
    expect(await factor.findByText('aaaa-bbbb-cccc-ddd9')).toBeVisible();
    expect(factor.getAllByRole('listitem')).toHaveLength(10);
    await hand.click(factor.getByRole('button', { name: 'I have saved them' }));
    expect(factor.queryByText('aaaa-bbbb-cccc-ddd9')).not.toBeInTheDocument();
    expect(await factor.findByText(/On since 10.03.2026 12:00/)).toBeVisible();
  });

  it.each([
    ['Enter in the password', '{Enter}'],
    ['Enter on the button', '{Tab}{Enter}'],
  ])('goes on in the field of the code after %s', async (_, keys) => {
    const address = 'otpauth://totp/a?secret=GEZD';
    server.answer(beginSecondFactor, { secret: 'GEZD', address });
    const { hand } = await open();
    const factor = await part('Two-factor sign-in');
    await hand.click(await factor.findByRole('button', { name: 'Turn on' }));
    await hand.type(factor.getByLabelText('Password'), `secret${keys}`);
    expect(await factor.findByLabelText('Code from the app')).toHaveFocus();
  });

  it('leaves the focus of somebody who pressed the button with a finger', async () => {
    const address = 'otpauth://totp/a?secret=GEZD';
    server.answer(beginSecondFactor, { secret: 'GEZD', address });
    const { hand } = await open();
    const factor = await part('Two-factor sign-in');
    await hand.click(await factor.findByRole('button', { name: 'Turn on' }));
    await hand.type(factor.getByLabelText('Password'), 'secret');
    await hand.click(factor.getByRole('button', { name: 'Next' }));
    expect(await factor.findByLabelText('Code from the app')).not.toHaveFocus();
  });

  it('says that a code does not fit, and keeps the secret', async () => {
    const address = 'otpauth://totp/a?secret=GEZD';
    server.answer(beginSecondFactor, { secret: 'GEZD', address });
    server.refuse(confirmSecondFactor, 'wrong_code');
    const { hand } = await open();
    const factor = await part('Two-factor sign-in');
    await hand.click(await factor.findByRole('button', { name: 'Turn on' }));
    await hand.type(factor.getByLabelText('Password'), 'secret{Enter}');
    await hand.type(await factor.findByLabelText('Code from the app'), '111111{Enter}');
    expect(await factor.findByText('The code is wrong, or was used already')).toBeVisible();
    expect(factor.getByText('GEZD')).toBeVisible();
  });

  it('gives new recovery codes, and is turned off, by password and code', async () => {
    server.answer(findSecondFactor, on);
    server.answer(renewRecoveryCodes, { recovery_codes: codes });
    server.answer(removeSecondFactor, undefined as never);
    const { hand } = await open();
    const factor = await part('Two-factor sign-in');
    expect(await factor.findByText('recovery codes left: 9')).toBeVisible();
    await hand.click(factor.getByRole('button', { name: 'New recovery codes' }));
    await hand.type(factor.getByLabelText('Password'), 'secret');
    await hand.type(factor.getByLabelText('Code'), '123456{Enter}');
    await hand.click(await factor.findByRole('button', { name: 'I have saved them' }));
    await hand.click(factor.getByRole('button', { name: 'Turn off' }));
    server.answer(findSecondFactor, off);
    await hand.type(factor.getByLabelText('Password'), 'secret');
    await hand.type(factor.getByLabelText('Code'), codes[0] ?? '');
    await hand.click(factor.getByRole('button', { name: 'Turn off' }));
    expect(await screen.findByText('Two-factor sign-in is off')).toBeVisible();
    expect(await factor.findByRole('button', { name: 'Turn on' })).toBeVisible();
    expect(server.asked(removeSecondFactor)[0]?.body).toEqual({
      password: 'secret',
      code: codes[0],
    });
  });
});

describe('the account in a view as another user', () => {
  it('changes nothing, and says why; the look of the page is still one’s own', async () => {
    server.answer(findSecondFactor, on);
    const { hand } = await open({ user: { ...owner, viewed_by: 'admin' } });
    const password = await part('Password');
    for (const label of ['Current password', 'New password', 'Once more'])
      expect(password.getByLabelText(label)).toBeDisabled();
    const factor = await part('Two-factor sign-in');
    const keys = await part('API keys');
    const writing = [
      password.getByRole('button', { name: 'Save' }),
      await factor.findByRole('button', { name: 'New recovery codes' }),
      factor.getByRole('button', { name: 'Turn off' }),
      keys.getByRole('button', { name: 'New key' }),
    ];
    for (const button of writing) {
      expect(button).toBeDisabled();
      expect(button).toHaveAttribute('title', 'You view as another user: nothing can be changed');
    }
    await hand.click(screen.getByRole('button', { name: 'Русский' }));
    expect(await screen.findByRole('heading', { name: 'Учётная запись' })).toBeVisible();
  });
});

describe('the appearance', () => {
  it('is switched on the account screen, too', async () => {
    const { hand } = await open();
    const look = await part('Appearance');
    await hand.click(look.getByRole('button', { name: 'Русский' }));
    expect(await screen.findByRole('heading', { name: 'Учётная запись' })).toBeVisible();
  });
});

describe('the API keys of an account', () => {
  const key: ApiKey = {
    id: 7,
    name: 'Табло',
    client: { id: 20, name: 'Иван' },
    scopes: ['buses', 'positions'],
    created_by: { id: 20, name: 'owner1' },
    created_at: at('08:00'),
    expires_at: null,
    last_used_at: at('09:30'),
  };

  it('are made once by a double press', async () => {
    server.answer(listApiKeys, page([]));
    server.answer(createApiKey, { key, secret: 'rwk_secret' });
    const { hand } = await open();
    const keys = await part('API keys');
    await hand.click(await keys.findByRole('button', { name: 'New key' }));
    await hand.type(keys.getByLabelText('Name'), 'Табло');
    await hand.click(keys.getByLabelText('Buses and routes'));
    const create = keys.getByRole('button', { name: 'Create the key' });
    act(() => {
      create.click();
      create.click();
    });
    expect(await keys.findByText('rwk_secret')).toBeVisible();
    expect(server.asked(createApiKey)).toHaveLength(1);
  });

  it('are made with scopes, shown once, and revoked', async () => {
    server.answer(listApiKeys, page([]));
    server.answer(createApiKey, { key, secret: 'rwk_secret' });
    server.answer(revokeApiKey, undefined as never);
    const { hand } = await open();
    const keys = await part('API keys');
    expect(await keys.findByText('No keys')).toBeVisible();
    await hand.click(keys.getByRole('button', { name: 'New key' }));
    await hand.click(keys.getByRole('button', { name: 'Create the key' }));
    expect(keys.getByText('Please fill this in')).toBeVisible();
    expect(keys.getByText('Choose at least one')).toBeVisible();
    await hand.type(keys.getByLabelText('Name'), 'Табло');
    await hand.click(keys.getByLabelText('Buses and routes'));
    await hand.click(keys.getByLabelText('Positions and laps'));
    server.answer(listApiKeys, page([key]));
    await hand.click(keys.getByRole('button', { name: 'Create the key' }));
    expect(await keys.findByText('rwk_secret')).toBeVisible();
    expect(server.asked(createApiKey)[0]?.body).toEqual({
      client_id: 20,
      name: 'Табло',
      scopes: ['buses', 'positions'],
      last_day: null,
    });
    expect(await keys.findByText(/Last request: 10.03.2026 09:30/)).toBeVisible();
    await hand.click(keys.getByRole('button', { name: 'Revoke: Табло' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Revoke: Табло' }));
    await hand.click(dialog.getByRole('button', { name: 'Revoke' }));
    expect(await screen.findByText('The key is revoked')).toBeVisible();
    expect(server.asked(revokeApiKey)[0]?.params.keyId).toBe('7');
  });

  it('are not shown to who may not edit', async () => {
    await open({ user: { ...owner, can_edit: false } });
    await part('Password');
    expect(screen.queryByRole('region', { name: 'API keys' })).not.toBeInTheDocument();
    expect(server.asked(listApiKeys)).toHaveLength(0);
  });
});
