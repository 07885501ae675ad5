import { describeApi } from '@ridewatch/contract/api-description';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { freshServer, openScreen } from '../../test/open.tsx';
import type { FakeServer } from '../../test/server.ts';

let server: FakeServer;
beforeEach(() => {
  server = freshServer();
});
const menu = () => screen.findByRole('navigation', { name: 'Help' });
const find = () => screen.findByRole('searchbox', { name: 'Search the help' });
const entries = async () =>
  within(await menu())
    .getAllByRole('link')
    .map(({ textContent }) => textContent);

describe('the help', () => {
  it('has a page for each screen, in the language of the user', async () => {
    await openScreen(server, '/help/bus-gps');
    expect(await screen.findByRole('heading', { name: 'Bus: GPS and laps' })).toBeVisible();
    expect(await entries()).toContain('Statistics');
    await openScreen(server, '/help/bus-gps', { language: 'ru_RU' });
    expect(await screen.findByRole('heading', { name: 'Автобус: GPS и круги' })).toBeVisible();
  });

  it('finds the pages that have every word of a query', async () => {
    const { hand, address } = await openScreen(server, '/help');
    await screen.findByRole('heading', { name: 'How to use the help' });
    await hand.type(await find(), 'Imbalance');
    await waitFor(async () => expect(await entries()).not.toContain('News'));
    expect(await entries()).toContain('Bus: GPS and laps');
    expect(address()).toContain('q=Imbalance');
    await hand.type(await find(), ' zzz');
    expect(await screen.findByText('Nothing found')).toBeVisible();
  });

  it('leads from page to page', async () => {
    const { hand, address } = await openScreen(server, '/help/home');
    await hand.click(await screen.findByRole('link', { name: 'first steps' }));
    await waitFor(() => expect(address()).toMatch(/\/help\/connect$/));
    expect(
      await screen.findByRole('heading', { name: 'First steps, and connecting a unit' }),
    ).toBeVisible();
  });

  it('says that a page does not exist', async () => {
    await openScreen(server, '/help/nothing');
    expect(await screen.findByText('There is no such page')).toBeVisible();
  });

  it('shows the unit interface', async () => {
    await openScreen(server, '/help/unit-interface');
    expect(
      await screen.findByRole('heading', { name: 'The unit interface, version 1' }),
    ).toBeVisible();
    expect(screen.getByRole('columnheader', { name: 'reason' })).toBeVisible();
  });
});

describe('the calls of the API', () => {
  const operation = {
    summary: 'The bus list',
    security: [{ user: [] }],
    parameters: [{ name: 'date', in: 'query', required: false, schema: { type: 'string' } }],
    responses: { 200: { description: 'Success' }, 401: { description: 'unauthorized' } },
  };
  const described = {
    paths: {
      '/api/bus_list': { get: operation },
      '/unit/v1/batches': { post: { ...operation, summary: 'Batch', security: [{ unit: [] }] } },
    },
    components: { schemas: { Error: { properties: { error: { type: 'string' } } } } },
  };

  it('are listed by who may call, and found by path, summary and parameter', async () => {
    server.answer(describeApi, described);
    const { hand } = await openScreen(server, '/help/api');
    expect(await screen.findByText('2 calls')).toBeVisible();
    expect(screen.getByRole('heading', { name: 'On-board units' })).toBeVisible();
    await hand.type(
      screen.getByRole('searchbox', { name: 'Path, method or a word of the description' }),
      'get list',
    );
    expect(await screen.findByText('1 call')).toBeVisible();
    await hand.click(screen.getByText('/api/bus_list'));
    expect(await screen.findByText('unauthorized')).toBeVisible();
  });

  it('say that they could not be loaded, with a retry', async () => {
    server.refuse(describeApi, 'internal');
    await openScreen(server, '/help/api');
    expect(await screen.findByRole('button', { name: 'Try again' })).toBeVisible();
  });
});
