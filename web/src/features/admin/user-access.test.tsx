// How a user gets in again: a link for a new password, which can go by mail.
import { findUser, listUsers } from '@ridewatch/contract/admin-users';
import { publicSettings } from '@ridewatch/contract/auth';
import { type LinkMail, makePasswordLink } from '@ridewatch/contract/password-links';
import { waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { NOW } from '../../test/browser.ts';
import { page } from '../../test/made.ts';
import { answerFleet, madeUser, openDrawer } from '../../test/made-admin.ts';
import { freshServer } from '../../test/open.tsx';
import { type FakeServer, refusal, settings } from '../../test/server.ts';

let server: FakeServer;
beforeEach(() => {
  server = freshServer();
  answerFleet(server);
});

/** Opens a user and presses for a link, with an address in the field unless it is undefined. */
async function makeLink(address?: string) {
  const opened = await openDrawer(server, 'users', '9');
  if (address !== undefined) await opened.write('Send by mail', address);
  await opened.press('Make a link');
  return opened;
}
const answerLink = (mail: LinkMail) =>
  server.answer(makePasswordLink, { path: '/new-password#secret', expires_at: NOW, mail });
const asked = () => server.asked(makePasswordLink).map(({ body }) => body);

describe('the link for a new password', () => {
  it.each([
    ['sent', 'The mail was sent.'],
    ['failed', 'The mail could not be sent: pass the link on yourself.'],
    ['unavailable', 'This installation sends no mail: pass the link on yourself.'],
  ] as const)(
    'goes to the address in the field; when it is %s that is said',
    async (mail, said) => {
      answerLink(mail);
      const { drawer } = await makeLink(' petrov@example.org ');
      expect(await drawer.findByText(`${location.origin}/new-password#secret`)).toBeVisible();
      expect(drawer.getByText(new RegExp(said.replace('.', '\\.')))).toBeVisible();
      expect(asked()).toEqual([{ mail_to: 'petrov@example.org' }]);
    },
  );

  it('is copied whole by the button beside it', async () => {
    answerLink('none');
    const { drawer, press } = await makeLink();
    const shown = await drawer.findByText(/#secret$/);
    await press(`Copy ${shown.textContent}`);
    expect(await drawer.findByRole('button', { name: 'Copied' })).toBeVisible();
    const copied = await navigator.clipboard.readText();
    expect(copied).toBe(`${location.origin}/new-password#secret`);
  });

  it('without an address is only shown, and nothing is said of a mail', async () => {
    answerLink('none');
    const { drawer } = await makeLink();
    expect(await drawer.findByText(/#secret$/)).toBeVisible();
    expect(drawer.queryByText(/mail (was|could)|sends no mail/)).not.toBeInTheDocument();
    expect(asked()).toEqual([{ mail_to: null }]);
  });

  it('is passed on by hand, as the page says, where the installation sends no mail', async () => {
    server.answer(publicSettings, { ...settings, mail_available: false });
    const byMail = { ...madeUser, login: 'petrov@example.org' };
    server.answer(listUsers, page([byMail]));
    server.answer(findUser, byMail);
    answerLink('none');
    const { drawer, press } = await openDrawer(server, 'users', '9');
    expect(
      await drawer.findByText('This installation sends no mail: pass the link on yourself.'),
    ).toBeVisible();
    expect(drawer.queryByLabelText('Send by mail')).not.toBeInTheDocument();
    await press('Make a link');
    expect(await drawer.findByText(/#secret$/)).toBeVisible();
    expect(asked()).toEqual([{ mail_to: null }]);
  });

  it('begins with the login when that is a mail address', async () => {
    const byMail = { ...madeUser, login: 'petrov@example.org' };
    server.answer(listUsers, page([byMail]));
    server.answer(findUser, byMail);
    answerLink('sent');
    const { field } = await makeLink();
    expect(await field('Send by mail')).toHaveValue('petrov@example.org');
    await waitFor(() => expect(asked()).toEqual([{ mail_to: 'petrov@example.org' }]));
  });

  it('is not made for an address that the server does not take, and the field says so', async () => {
    server.answer(makePasswordLink, refusal('invalid_request', { field: 'mail_to' }));
    const { drawer, field } = await makeLink('petrov');
    await waitFor(async () => expect(await field('Send by mail')).toBeInvalid());
    expect(drawer.queryByText(/#secret/)).not.toBeInTheDocument();
  });
});
