// The guide is open to everybody: people who cannot sign in read there what to do.
import { listClientRoutes } from '@ridewatch/contract/bus-routes';
import { listBuses } from '@ridewatch/contract/buses';
import { findNotifications } from '@ridewatch/contract/notifications';
import { findPasswordLink } from '@ridewatch/contract/password-links';
import { findSecondFactor } from '@ridewatch/contract/second-factor';
import { findSetupLink } from '@ridewatch/contract/setup-links';
import { act, screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { dropSession } from '../core/session.ts';
import { busList, owner } from '../test/made.ts';
import { freshServer, openScreen } from '../test/open.tsx';
import type { FakeServer } from '../test/server.ts';

let server: FakeServer;
beforeEach(() => {
  server = freshServer();
  server.answer(findPasswordLink, { login: 'owner1' });
  server.answer(findSetupLink, undefined as never);
  server.answer(findSecondFactor, { since: null, recovery_codes_left: 0, required: true });
  server.answer(listBuses, busList([]));
});

const bound = { ...owner, must_set_up_second_factor: true };
const chapter = (name: string) => screen.findByRole('heading', { name, level: 1 });

describe('the guide before sign-in', () => {
  it.each([
    ['/login', 'login', null],
    ['/new-password#token', 'new-password', null],
    ['/setup#token', 'setup', null],
    ['/second-factor', 'second-factor', bound],
  ])('has a link on the page %s, which leaves what is typed there', async (at, page, user) => {
    await openScreen(server, at, { user });
    const link = await screen.findByRole('link', { name: 'Help' });
    expect(link).toHaveAttribute('href', `/help/${page}`);
    expect(link).toHaveAttribute('target', '_blank');
  });

  it.each(['desktop', 'phone'] as const)(
    'can be read on a %s, and leads to sign-in',
    async (device) => {
      const { hand, address } = await openScreen(server, '/help/login', { user: null, device });
      expect(await chapter('Signing in')).toBeVisible();
      expect(screen.getByRole('button', { name: 'Русский' })).toBeVisible();
      for (const call of [listClientRoutes, findNotifications]) {
        expect(server.asked(call)).toHaveLength(0);
      }
      await hand.click(screen.getByRole('link', { name: 'Sign in' }));
      expect(await screen.findByRole('textbox', { name: 'Username' })).toBeVisible();
      expect(address()).toMatch(/\/login$/);
    },
  );

  it('has its list and its search on a phone', async () => {
    const { hand } = await openScreen(server, '/help', { user: null, device: 'phone' });
    await hand.type(await screen.findByRole('searchbox'), 'forgot password');
    await hand.click(await screen.findByRole('link', { name: /^Signing in/ }));
    expect(await chapter('Signing in')).toBeVisible();
  });

  it('can be read by a user who has to set up a second factor first, with the way back', async () => {
    const { hand } = await openScreen(server, '/help/second-factor', { user: bound });
    expect(await chapter('Two-factor sign-in that a role needs')).toBeVisible();
    await hand.click(screen.getByRole('link', { name: 'Back' }));
    expect(await screen.findByRole('heading', { name: 'Set up two-factor sign-in' })).toBeVisible();
  });

  it.each(['api', 'unit-interface', 'egts'])('leaves the page %s behind sign-in', async (page) => {
    const { address } = await openScreen(server, `/help/${page}`, { user: null });
    await screen.findByRole('textbox', { name: 'Username' });
    expect(address()).toMatch(/\/login$/);
    expect(sessionStorage.getItem('ridewatch.target')).toBe(`/help/${page}`);
  });

  it('names no page that is behind sign-in', async () => {
    await openScreen(server, '/help/login', { user: null });
    await chapter('Signing in');
    expect(screen.getByRole('link', { name: 'Statistics' })).toBeVisible();
    expect(screen.queryByRole('link', { name: 'API calls' })).not.toBeInTheDocument();
  });
});

describe('the end of a session', () => {
  it('leaves the guide open', async () => {
    const { address } = await openScreen(server, '/help/buses');
    await screen.findByRole('button', { name: 'Notifications' });
    act(() => dropSession('token_expired'));
    expect(await screen.findByRole('link', { name: 'Sign in' })).toBeVisible();
    expect(await chapter('Buses')).toBeVisible();
    expect(address()).toMatch(/\/help\/buses$/);
  });

  it('shows no other screen any more', async () => {
    const { address } = await openScreen(server, '/buses');
    await screen.findByRole('heading', { name: 'No buses yet' });
    act(() => dropSession('token_expired'));
    expect(screen.queryByRole('heading', { name: 'No buses yet' })).not.toBeInTheDocument();
    await waitFor(() => expect(address()).toMatch(/\/login$/));
  });
});
