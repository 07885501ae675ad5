// API keys in the administration: their form, their drawer, and how they end.
import { type ApiKey, findApiKey, listApiKeys, revokeApiKey } from '@ridewatch/contract/api-keys';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { NOW } from '../../test/browser.ts';
import { page } from '../../test/made.ts';
import { anna, openDrawer } from '../../test/made-admin.ts';
import { freshServer } from '../../test/open.tsx';
import type { FakeServer } from '../../test/server.ts';
import { currentToasts } from '../../ui/toast-store.ts';

const key: ApiKey = {
  ...{ id: 8, name: 'Табло', client: anna, scopes: ['buses'] },
  ...{ created_by: { id: 1, name: 'admin' } },
  ...{ created_at: NOW, expires_at: null, last_used_at: null },
};

let server: FakeServer;
beforeEach(() => {
  server = freshServer();
  server.answer(listApiKeys, page([key]));
  server.answer(findApiKey, key);
});

describe('an API key', () => {
  it('is revoked with a word of it, and the list is shown without it', async () => {
    server.answer(revokeApiKey, () => {
      server.answer(listApiKeys, page([]));
      server.refuse(findApiKey, 'not_found');
      return undefined;
    });
    const { press, confirm, address } = await openDrawer(server, 'keys', '8');
    await press('Revoke');
    await confirm('Revoke');
    await waitFor(() => expect(address()).toMatch(/\/admin\/keys$/));
    expect(await screen.findByRole('heading', { name: 'Nothing here yet' })).toBeVisible();
    expect(currentToasts()).toMatchObject([{ kind: 'done', text: 'The key is revoked' }]);
  });

  it('has its name over its drawer, and its access below', async () => {
    const { drawer } = await openDrawer(server, 'keys', '8');
    await drawer.findByRole('button', { name: 'Revoke' });
    const titles = drawer.getAllByRole('heading');
    expect(titles.map(({ textContent }) => textContent)).toEqual(['Табло', 'Access']);
  });

  it('is said to read what its customer sees, not what the administrator does', async () => {
    const { drawer } = await openDrawer(server, 'keys', '8');
    expect(await drawer.findByText(/can read what its customer sees/)).toBeVisible();
  });
});

describe('the drawer of an API key', () => {
  it('leads to the description of the calls', async () => {
    const { drawer } = await openDrawer(server, 'keys', '8');
    const link = await drawer.findByRole('link', { name: 'API calls' });
    expect(link).toHaveAttribute('href', '/help/api');
  });
});

describe('the form of a new API key', () => {
  it('begins in its first field, whose list stays closed', async () => {
    const { field } = await openDrawer(server, 'keys', 'new');
    expect(await field('Customer')).toHaveFocus();
    expect(screen.queryByRole('option')).not.toBeInTheDocument();
  });

  it('has what it may read under one heading', async () => {
    const { drawer } = await openDrawer(server, 'keys', 'new');
    const scopes = within(await drawer.findByRole('group', { name: 'What it may read' }));
    expect(scopes.getAllByRole('checkbox')).toHaveLength(6);
  });
});
