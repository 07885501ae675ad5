import {
  type AttentionSettings,
  findAttentionSettings,
  setAttentionSettings,
  testAttentionChannel,
} from '@ridewatch/contract/attention';
import { findHome } from '@ridewatch/contract/home';
import { screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { admin, owner } from '../../test/made.ts';
import { home } from '../../test/made-home.ts';
import { freshServer, openScreen } from '../../test/open.tsx';
import { type FakeServer, refusal } from '../../test/server.ts';

let server: FakeServer;
const calm = { waiting: 0, sent: 0, failed: 0, last_error: null };
const stored = (more: Partial<AttentionSettings> = {}): AttentionSettings => ({
  client_id: 20,
  silent_minutes: 10,
  camera_minutes: 60,
  imbalance_percent: 10,
  sent_kinds: ['silent_bus', 'camera_offline'],
  quiet_hours: null,
  timezone: 'Europe/Moscow',
  webhook_url: null,
  has_webhook: more.webhook_url !== undefined,
  mail_to: [],
  language: 'ru_RU',
  mail_available: true,
  webhook: calm,
  mail: calm,
  ...more,
});
const hook = 'https://example.org/hook';
beforeEach(() => {
  server = freshServer();
  server.answer(findAttentionSettings, stored());
});
const open = (more: Parameters<typeof openScreen>[2] = {}, address = '/alerts') =>
  openScreen(server, address, more);
const save = () => screen.findByRole('button', { name: 'Save' });
const changed = () => server.asked(setAttentionSettings)[0]?.body;

describe('the settings of alerts', () => {
  it("are the customer's own, and what was changed is stored by the button", async () => {
    server.answer(setAttentionSettings, {
      ...stored({ silent_minutes: 15 }),
      webhook_secret: null,
    });
    const { hand } = await open();
    const silent = await screen.findByLabelText('A bus is silent, minutes');
    expect(server.asked(findAttentionSettings)[0]?.query.get('clientId')).toBe('20');
    await hand.clear(silent);
    await hand.type(silent, '15');
    await hand.click(screen.getByLabelText('A camera is offline'));
    await hand.click(screen.getByLabelText('Entered and exited differ'));
    await hand.click(screen.getByLabelText('No messages at night'));
    await hand.type(
      screen.getByLabelText('Addresses, one per line'),
      'a@example.org b@example.org',
    );
    expect(changed()).toBeUndefined();
    await hand.click(await save());
    await waitFor(() =>
      expect(changed()).toEqual({
        silent_minutes: 15,
        sent_kinds: ['silent_bus', 'imbalance'],
        quiet_hours: { from: '22:00', to: '06:00' },
        mail_to: ['a@example.org', 'b@example.org'],
        seen: {
          ...{ silent_minutes: 10, sent_kinds: ['silent_bus', 'camera_offline'] },
          ...{ quiet_hours: null, mail_to: [] },
        },
        new_secret: false,
      }),
    );
  });

  it('say that they could not be loaded, and are read again when the user asks', async () => {
    server.refuse(findAttentionSettings, 'internal');
    const { hand } = await open();
    const failed = { name: 'The settings of alerts could not be loaded' };
    expect(await screen.findByRole('heading', failed)).toBeVisible();
    server.answer(findAttentionSettings, stored());
    await hand.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByLabelText('A bus is silent, minutes')).toBeVisible();
    expect(screen.queryByRole('heading', failed)).not.toBeInTheDocument();
  });

  it('with a mistake are not sent, and say what is wrong', async () => {
    const { hand } = await open();
    const fill = async (label: string, value: string) => {
      const field = await screen.findByLabelText(label);
      await hand.clear(field);
      await hand.type(field, value);
    };
    await fill('A bus is silent, minutes', '4');
    await fill('Time zone of the quiet hours', 'Mars');
    await fill('Address', 'example.org');
    await fill('Addresses, one per line', 'nobody');
    await hand.click(await save());
    expect(
      await screen.findByText('There is no such zone; for instance Europe/Moscow'),
    ).toBeVisible();
    expect(screen.getByText('An address begins with https:// or http://')).toBeVisible();
    expect(screen.getByText('These must be mail addresses, 20 at most')).toBeVisible();
    expect(screen.getByLabelText('A bus is silent, minutes')).toHaveAccessibleDescription(/5/);
    expect(changed()).toBeUndefined();
    const paste = async (label: string, value: string) => {
      const field = screen.getByLabelText(label);
      await hand.clear(field);
      await hand.click(field);
      await hand.paste(value);
    };
    await paste('Address', `${hook}/${'x'.repeat(1_000)}`);
    await paste('Addresses, one per line', `${'x'.repeat(255)}@example.org`);
    expect(screen.getByText('At most 1000 characters')).toBeVisible();
    expect(screen.getByText('At most 255 characters')).toBeVisible();
    await hand.click(await save());
    expect(changed()).toBeUndefined();
  });

  it('show a new signing key once', async () => {
    const { hand } = await open();
    await hand.type(await screen.findByLabelText('Address'), hook);
    const answer = { ...stored({ webhook_url: hook }), webhook_secret: 'key-of-signatures' };
    server.answer(setAttentionSettings, answer);
    server.answer(findAttentionSettings, stored({ webhook_url: hook }));
    await hand.click(await save());
    expect(await screen.findByText('key-of-signatures')).toBeVisible();
    expect(screen.getByText('It is shown only once: store it at the receiver.')).toBeVisible();
    expect(await screen.findByLabelText('Change the signing key')).not.toBeChecked();
  });

  it('that somebody else has changed are filled in, beside what was typed, and saved when asked again', async () => {
    server.answer(setAttentionSettings, ({ body }) =>
      body.seen?.silent_minutes === 10
        ? refusal('conflict', { field: 'seen.silent_minutes' })
        : {
            ...stored({ silent_minutes: 15, mail_to: ['b@example.org'] }),
            webhook_secret: null,
          },
    );
    const { hand } = await open();
    const silent = await screen.findByLabelText('A bus is silent, minutes');
    await hand.clear(silent);
    await hand.type(silent, '15');
    server.answer(
      findAttentionSettings,
      stored({ silent_minutes: 20, mail_to: ['b@example.org'] }),
    );
    await hand.click(await save());
    expect(await screen.findByText(/Somebody else has changed the settings/)).toBeVisible();
    expect(await screen.findByDisplayValue('b@example.org')).toBe(
      screen.getByLabelText('Addresses, one per line'),
    );
    expect(silent).toHaveValue('15');
    await hand.click(await save());
    expect(await screen.findByText('The settings of alerts are stored')).toBeVisible();
    expect(server.asked(setAttentionSettings)[1]?.body).toMatchObject({
      ...{ silent_minutes: 15, seen: { silent_minutes: 20 } },
    });
    expect(screen.queryByText(/Somebody else/)).not.toBeInTheDocument();
  });

  it('that are typed while others are saved stay', async () => {
    let answer: () => void = () => undefined;
    server.answer(setAttentionSettings, async () => {
      await new Promise<void>((resolve) => {
        answer = resolve;
      });
      return { ...stored({ silent_minutes: 15 }), webhook_secret: null };
    });
    const { hand } = await open();
    const silent = await screen.findByLabelText('A bus is silent, minutes');
    await hand.clear(silent);
    await hand.type(silent, '15');
    await hand.click(await save());
    await waitFor(() => expect(changed()).toBeDefined());
    await hand.type(screen.getByLabelText('Addresses, one per line'), 'c@example.org');
    answer();
    expect(await screen.findByText('The settings of alerts are stored')).toBeVisible();
    expect(screen.getByLabelText('Addresses, one per line')).toHaveValue('c@example.org');
    expect(silent).toHaveValue('15');
  });

  it('say how sending goes, and send a test that says how it went', async () => {
    const state = { waiting: 1, sent: 7, failed: 2, last_error: 'the answer was 503' };
    server.answer(findAttentionSettings, stored({ webhook_url: hook, webhook: state }));
    server.answer(testAttentionChannel, { error: 'no answer within 10 s' });
    const { hand } = await open();
    expect(await screen.findByText('In 7 days 7 sent, 2 failed, 1 waiting.')).toBeVisible();
    expect(screen.getByText('Last error: the answer was 503')).toBeVisible();
    await hand.click(screen.getByRole('button', { name: 'Send a test message' }));
    expect(
      await screen.findByText('The test message was not delivered: no answer within 10 s'),
    ).toBeVisible();
    expect(server.asked(testAttentionChannel)[0]?.body).toEqual({ channel: 'webhook' });
  });

  it.each([
    ['the answer was 500', 'Пробное сообщение не дошло: сервер ответил 500'],
    [
      'connect ECONNREFUSED 192.0.2.1:443',
      'Пробное сообщение не дошло: сервер не принимает соединений',
    ],
    ['what nobody foresaw', 'Пробное сообщение не дошло: what nobody foresaw'],
  ])('say in Russian why a test was not taken: %s', async (error, said) => {
    server.answer(findAttentionSettings, stored({ webhook_url: hook }));
    server.answer(testAttentionChannel, { error });
    const { hand } = await openScreen(server, '/alerts', { language: 'ru_RU' });
    await hand.click(await screen.findByRole('button', { name: 'Отправить пробное сообщение' }));
    expect(await screen.findByText(said)).toBeVisible();
  });

  it('say that a test must wait when another one was just sent', async () => {
    server.answer(findAttentionSettings, stored({ webhook_url: hook }));
    server.refuse(testAttentionChannel, 'too_many_attempts');
    const { hand } = await open();
    await hand.click(await screen.findByRole('button', { name: 'Send a test message' }));
    expect(await screen.findByText(/A test can be sent once in 10 s/)).toBeVisible();
  });

  it.each([
    ['the installation', '/alerts', null],
    ['a customer', '/alerts?customer=21', '21'],
  ])('of %s are for administrators, as the address says', async (_name, address, id) => {
    const customers = [20, 21].map((one) => ({
      ...{ id: one, name: `Customer ${one}`, surname: null, buses: 1 },
    }));
    server.answer(findHome, home({ customers }));
    server.answer(findAttentionSettings, stored({ client_id: id === null ? null : Number(id) }));
    await open({ user: admin }, address);
    expect(await screen.findByLabelText('A bus is silent')).toBeVisible();
    expect(server.asked(findAttentionSettings).at(-1)?.query.get('clientId')).toBe(id);
    expect(screen.queryAllByLabelText("The server's disk is full")).toHaveLength(
      id === null ? 1 : 0,
    );
  });

  it('are only shown to who may not edit', async () => {
    server.answer(findAttentionSettings, stored({ has_webhook: true }));
    await open({ user: { ...owner, can_edit: false } });
    expect(await screen.findByText(/Users with the edit right/)).toBeVisible();
    expect(await save()).toBeDisabled();
    expect(screen.getByText(/There is an address/)).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Send a test message' })).toBeNull();
  });

  it('are in the menu of the user', async () => {
    const { hand } = await openScreen(server, '/news');
    await hand.click(await screen.findByRole('button', { name: 'User menu: owner1' }));
    expect(await screen.findByRole('link', { name: 'Alerts' })).toHaveAttribute('href', '/alerts');
  });
});
