// Escape in a drawer after its section's filters were used: their lists stay in the page when they are closed.
import { screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import { answerFleet, madeUser, openSection } from '../../test/made-admin.ts';
import { freshServer } from '../../test/open.tsx';
import type { FakeServer } from '../../test/server.ts';

let server: FakeServer;
beforeEach(() => {
  server = freshServer();
  answerFleet(server);
});

it('closes the drawer', async () => {
  const { address, hand } = await openSection(server, 'users');
  (await screen.findByRole('combobox', { name: /^Role/ })).focus();
  await hand.keyboard('{Enter}');
  await screen.findByRole('listbox');
  await hand.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('listbox')).not.toBeInTheDocument());
  const link = await screen.findByRole('link', { name: madeUser.login });
  link.focus();
  await hand.keyboard('{Enter}');
  await waitFor(() => expect(address()).toMatch(/\/admin\/users\/9$/));
  await hand.keyboard('{Escape}');
  await waitFor(() => expect(address()).toMatch(/\/admin\/users$/));
});
