import { logout, me } from '@ridewatch/contract/auth';
import { listBuses } from '@ridewatch/contract/buses';
import { beginSecondFactor, confirmSecondFactor } from '@ridewatch/contract/second-factor';
import { act, screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { keyOf, queryClient } from '../../calls/api.ts';
import { busList, owner } from '../../test/made.ts';
import { freshServer, openScreen } from '../../test/open.tsx';
import { type FakeServer, refusal } from '../../test/server.ts';

const bound = { ...owner, must_set_up_second_factor: true };
let server: FakeServer;
beforeEach(() => {
  server = freshServer();
  server.answer(listBuses, busList([]));
  server.answer(beginSecondFactor, { secret: 'ABCDABCD', address: 'otpauth://totp/x?secret=A' });
  server.answer(confirmSecondFactor, { recovery_codes: ['aaaa-bbbb-cccc-dddd'] });
});

/** As other pages do every minute, and this one when it is shown again. */
const readUserAgain = () =>
  act(() => queryClient.refetchQueries({ queryKey: keyOf(me, {}), exact: true }));
const title = () => screen.findByRole('heading', { name: 'Set up two-factor sign-in' });

describe('a user whose role needs a second factor', () => {
  it('sets it up first, writes the recovery codes down, and comes to the wanted page', async () => {
    const { hand, address } = await openScreen(server, '/buses?q=472', { user: bound });
    expect(await title()).toBeVisible();
    await hand.type(await screen.findByLabelText('Password'), 'secret{Enter}');
    await hand.type(await screen.findByLabelText('Code from the app'), '123456{Enter}');
    expect(await screen.findByText('aaaa-bbbb-cccc-dddd')).toBeVisible();
    server.answer(me, owner);
    await hand.click(screen.getByRole('button', { name: 'I have saved them' }));
    await waitFor(() => expect(address()).toContain('/buses?q=472'));
    expect(await screen.findByRole('heading', { name: 'No buses yet' })).toBeVisible();
  });

  it('is led there by the first refusal, when the rule is newer than its session', async () => {
    server.answer(listBuses, () => {
      server.answer(me, bound);
      return refusal('second_factor_required');
    });
    const { address } = await openScreen(server, '/buses', { user: owner });
    expect(await title()).toBeVisible();
    await waitFor(() => expect(queryClient.getQueryData(keyOf(me, {}))).toEqual(bound));
    expect(address()).toMatch(/\/second-factor$/);
    expect(screen.queryByText('Your role needs two-factor sign-in')).not.toBeInTheDocument();
  });

  it('comes back from there when the page learned of the rule by reading its user again', async () => {
    const { hand, address } = await openScreen(server, '/buses', { user: owner });
    await screen.findByRole('heading', { name: 'No buses yet' });
    server.answer(me, bound);
    await readUserAgain();
    await hand.type(await screen.findByLabelText('Password'), 'secret{Enter}');
    await hand.type(await screen.findByLabelText('Code from the app'), '123456{Enter}');
    server.answer(me, owner);
    await hand.click(await screen.findByRole('button', { name: 'I have saved them' }));
    expect(await screen.findByRole('heading', { name: 'No buses yet' })).toBeVisible();
    expect(address()).toMatch(/\/buses$/);
  });

  it('goes on when another tab has set it up', async () => {
    const { address } = await openScreen(server, '/buses', { user: bound });
    await title();
    server.answer(me, owner);
    await readUserAgain();
    await waitFor(() => expect(address()).toContain('/buses'));
  });

  it('may sign out instead', async () => {
    server.answer(logout, undefined as never);
    const { hand, address } = await openScreen(server, '/buses', { user: bound });
    await title();
    await hand.click(await screen.findByRole('button', { name: 'Sign out' }));
    await waitFor(() => expect(address()).toMatch(/\/login$/));
  });
});
