import { findFirstSteps, type FirstSteps as Steps } from '@ridewatch/contract/first-steps';
import { findHome } from '@ridewatch/contract/home';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { admin, owner } from '../../../test/made.ts';
import { home } from '../../../test/made-home.ts';
import { freshServer, openScreen } from '../../../test/open.tsx';
import type { FakeServer } from '../../../test/server.ts';

const nothing: Steps = {
  customer: null,
  bus: null,
  unit: null,
  unfinished_unit: null,
  camera: null,
  has_position: false,
  has_count: false,
  closed_ports: [],
  off_protocols: [],
};
const named = (name: string) => ({ id: 7, name });
const begun: Steps = {
  ...nothing,
  customer: named('North'),
  bus: named('A 001'),
  unit: named('RW'),
};
const title = () => screen.findByRole('region', { name: 'First steps' });

let server: FakeServer;
beforeEach(() => {
  server = freshServer();
  const none = { now: 0, before: 0 };
  const buses = { moving: 0, standing: 0, silent: 0, off: 0 };
  server.answer(findHome, home({ buses, entered: none, exited: none }));
});

describe('the first steps of a new installation', () => {
  it('begin with the first customer', async () => {
    server.answer(findFirstSteps, nothing);
    await openScreen(server, '/', { user: admin });
    expect(await title()).toHaveTextContent('0 of 6 done');
    expect(screen.getByRole('link', { name: 'Create: Customer' })).toHaveAttribute(
      'href',
      '/admin/customers/new',
    );
  });

  it('lead to the unit that is there, and say what is done', async () => {
    server.answer(findFirstSteps, begun);
    await openScreen(server, '/', { user: admin });
    expect(await title()).toHaveTextContent('3 of 6 done');
    expect(screen.queryByRole('link', { name: 'Create: Bus' })).not.toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Connect: First passenger' })).toHaveAttribute(
      'href',
      '/connect?unit=7',
    );
  });

  it('lead to a unit that is there without a bus, and put it into the only one', async () => {
    server.answer(findFirstSteps, {
      ...{ ...begun, unit: null, unfinished_unit: { id: 7, name: 'RW', lacks: 'bus' } },
    });
    await openScreen(server, '/', { user: admin });
    expect(await screen.findByRole('link', { name: 'Put into the bus: RW' })).toHaveAttribute(
      'href',
      '/admin/units/7?edit=7',
    );
    expect(screen.queryByRole('link', { name: /^Create: Unit/ })).not.toBeInTheDocument();
  });

  it('lead to a page of the help for each protocol, and say which port is closed', async () => {
    const closed_ports = [{ listener: 'jt808', port: 20_808, reason: 'taken' as const }];
    server.answer(findFirstSteps, { ...nothing, closed_ports });
    await openScreen(server, '/', { user: admin });
    await title();
    expect(screen.getByRole('alert')).toHaveTextContent(
      /^Port 20808 \(JT\/T 808\) is closed now: another program has it\..* tell the person/,
    );
    const pages = ['EGTS', 'JT/T 808', 'OsmAnd'].map((name) =>
      screen.getByRole('link', { name }).getAttribute('href'),
    );
    expect(pages).toEqual(['/help/connect-egts', '/help/connect-jt808', '/help/connect-osmand']);
  });

  it('offer no protocol that is switched off', async () => {
    server.answer(findFirstSteps, { ...nothing, off_protocols: ['egts'] });
    await openScreen(server, '/', { user: admin });
    const card = within(await title());
    expect(card.getByRole('link', { name: 'JT/T 808' })).toBeVisible();
    expect(card.queryByRole('link', { name: 'EGTS' })).not.toBeInTheDocument();
  });

  it('go when they are done, and are for administrators', async () => {
    const done = { ...begun, camera: named('Door'), has_position: true, has_count: true };
    server.answer(findFirstSteps, done);
    await openScreen(server, '/', { user: admin });
    await waitFor(() => expect(server.asked(findFirstSteps)).toHaveLength(1));
    expect(screen.queryByRole('region', { name: 'First steps' })).not.toBeInTheDocument();
    await openScreen(server, '/', { user: owner });
    expect(server.asked(findFirstSteps)).toHaveLength(1);
  });

  it('say that they could not be loaded', async () => {
    server.refuse(findFirstSteps, 'internal');
    await openScreen(server, '/', { user: admin });
    expect(await title()).toHaveTextContent('first steps');
    expect(screen.getByRole('button', { name: 'Try again' })).toBeVisible();
  });
});
