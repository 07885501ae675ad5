import { listSessions } from '@ridewatch/contract/account';
import { listApiKeys } from '@ridewatch/contract/api-keys';
import { findSecondFactor, renewRecoveryCodes } from '@ridewatch/contract/second-factor';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { at, page } from '../../test/made.ts';
import { freshServer, openScreen } from '../../test/open.tsx';
import { noteSavedFiles } from '../../test/saved-files.ts';
import type { FakeServer } from '../../test/server.ts';

const CODE = 'aaaa-bbbb-cccc-dddd';
let server: FakeServer;
beforeEach(() => {
  server = freshServer();
  server.answer(listSessions, { items: [], total: 0 });
  server.answer(listApiKeys, page([]));
  server.answer(findSecondFactor, { since: at('12:00'), recovery_codes_left: 9, required: false });
  server.answer(renewRecoveryCodes, { recovery_codes: [CODE] });
});

async function show() {
  const { hand, address } = await openScreen(server, '/account');
  const factor = within(await screen.findByRole('region', { name: 'Two-factor sign-in' }));
  await hand.click(await factor.findByRole('button', { name: 'New recovery codes' }));
  await hand.type(factor.getByLabelText('Password'), 'secret');
  await hand.type(factor.getByLabelText('Code'), '123456{Enter}');
  await screen.findByText(CODE);
  const leave = () => hand.click(screen.getByRole('link', { name: 'News' }));
  return { hand, address, leave };
}

/** Whether the browser asks when the page is closed. */
function isClosingAsked(): boolean {
  return !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
}

describe('recovery codes that are shown this once', () => {
  it('are asked about when the page is left or closed and nobody has saved them', async () => {
    const { hand, address, leave } = await show();
    expect(isClosingAsked()).toBe(true);
    await leave();
    const question = within(await screen.findByRole('dialog', { name: 'The codes are not saved' }));
    await hand.click(question.getByRole('button', { name: 'Stay' }));
    expect(screen.getByText(CODE)).toBeVisible();
    await leave();
    await hand.click(await screen.findByRole('button', { name: 'Leave without them' }));
    await waitFor(() => expect(address()).toMatch(/\/news$/));
  });

  it.each(['Copy the codes', 'Save as a file', 'I have saved them'])(
    'are not asked about after “%s”',
    async (name) => {
      noteSavedFiles();
      const { hand, address, leave } = await show();
      await hand.click(screen.getByRole('button', { name }));
      await waitFor(() => expect(isClosingAsked()).toBe(false));
      await leave();
      await waitFor(() => expect(address()).toMatch(/\/news$/));
    },
  );
});
