import { logout, me } from '@ridewatch/contract/auth';
import { findBusInfo, listBuses } from '@ridewatch/contract/buses';
import { act, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { currentSession, dropSession, startView } from '../core/session.ts';
import { admin, at, bus, busInfo, busList, camera, owner, serviceCamera } from '../test/made.ts';
import { freshServer, openScreen } from '../test/open.tsx';
import type { FakeServer } from '../test/server.ts';
import { pagePaths, tabPaths } from './paths.ts';

const viewed = { ...owner, viewed_by: 'admin', viewed_until: at('14:05') };
const SAID = [
  'You see what owner1 sees.',
  'Nothing can be changed.',
  'At 14:05 MSK you are admin again.',
].join(' ');
const tokens = { access_token: 'of-view', refresh_token: 'r', token_type: 'bearer' as const };
let server: FakeServer;
beforeEach(() => {
  server = freshServer();
  server.answer(listBuses, busList([]));
  server.answer(logout, undefined as never);
});
afterEach(() => sessionStorage.clear());

const bar = () => screen.findByRole('complementary', { name: 'View as another user' });

async function open() {
  const visit = await openScreen(server, '/buses', { user: admin });
  server.answer(me, viewed);
  act(() => startView({ ...tokens, expires_in: 900 }, viewed));
  return visit;
}

describe('a view as another user', () => {
  it('is marked by a bar, and ends by its button, back at the user', async () => {
    const { hand, address } = await open();
    const shown = await bar();
    expect(shown).toHaveTextContent(SAID);
    server.answer(me, admin);
    await hand.click(within(shown).getByRole('button', { name: 'Stop viewing' }));
    await waitFor(() => expect(address()).toContain('/admin/users/20'));
    expect(currentSession()?.user.login).toBe('admin');
    expect(server.asked(logout)).toHaveLength(1);
    expect(await screen.findByText('The view has ended: you are yourself again')).toBeVisible();
  });

  it('says in Russian, too, when it ends, and who the viewer is again then', async () => {
    await openScreen(server, '/buses', { user: viewed, language: 'ru_RU' });
    const shown = await screen.findByRole('complementary', {
      name: 'Просмотр от имени пользователя',
    });
    expect(shown).toHaveTextContent(
      'Просмотр как owner1. Менять ничего нельзя. В 14:05 МСК вы снова admin.',
    );
  });

  it('that the server ends leaves the administrator signed in', async () => {
    await open();
    await bar();
    server.answer(me, admin);
    act(() => dropSession('token_expired'));
    await waitFor(() =>
      expect(screen.queryByRole('complementary', { name: 'View as another user' })).toBeNull(),
    );
    expect(currentSession()?.user.login).toBe('admin');
  });
});

const addresses = [...pagePaths, ...tabPaths].map(({ path }) =>
  path.replace('{-$section}/{-$id}', 'users').replace('{-$page}', 'home').replace('$busId', '7'),
);

describe.each(['desktop', 'phone'] as const)('on a %s the bar of a view', (device) => {
  it.each(addresses)('is on %s', async (path) => {
    server.answer(listBuses, busList([bus(7)]));
    const cameras = [camera(1), serviceCamera(9)];
    server.answer(findBusInfo, busInfo({ cameras, gps_trackable: true }));
    const user = { ...viewed, role: 'INTEGRATOR' as const, integrator_clients: [21] };
    const { address } = await openScreen(server, path, { user, device });
    expect(await bar()).toHaveTextContent(SAID);
    expect(new URL(address()).pathname).toBe(path);
  });
});
