import { findFirstSteps, type FirstSteps as Steps } from '@ridewatch/contract/first-steps';
import { findHome, HOME_REFRESH_MS } from '@ridewatch/contract/home';
import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { NOW } from '../../../test/browser.ts';
import { admin, at, owner } from '../../../test/made.ts';
import { group, home } from '../../../test/made-home.ts';
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

const none = { now: 0, before: 0 };
const buses = { moving: 0, standing: 0, silent: 0, off: 0 };
const empty = home({ buses, entered: none, exited: none });

let server: FakeServer;
beforeEach(() => {
  server = freshServer();
  server.answer(findHome, empty);
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
    // Equipment of other protocols has no credential.
    expect(screen.getByRole('heading', { name: /^Unit in the bus\s?· done$/ })).toBeVisible();
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

  it.each([
    ['en_US', [], /equipment with EGTS, JT\/T 808 or OsmAnd needs none/],
    ['ru_RU', [], /оборудованию с EGTS, JT\/T 808 или OsmAnd ключ не нужен/],
    ['en_US', ['egts'], /equipment with JT\/T 808 or OsmAnd needs none/],
    ['en_US', ['egts', 'jt808'], /equipment with OsmAnd needs none/],
    ['ru_RU', ['egts', 'jt808'], /оборудованию с OsmAnd ключ не нужен/],
  ] as const)(
    'say in %s without %j whose equipment needs no credential',
    async (language, off, said) => {
      server.answer(findFirstSteps, { ...nothing, off_protocols: [...off] });
      await openScreen(server, '/', { user: admin, language });
      expect(await screen.findByText(said)).toBeVisible();
    },
  );

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

describe('an installation without a bus', () => {
  const details = { kind: 'unknown_unit', protocol: 'egts', name: '4021', count: 3 } as const;
  const knocking = { details, since: at('14:20'), workplace: null, camera: null };
  const knocked = {
    ...empty,
    attention: { faulty: group([knocking]), money: group(), line: group() },
  };
  const attention = () => screen.queryByRole('region', { name: 'Needs attention' });

  beforeEach(() => {
    const toFake = ['Date', 'setInterval', 'clearInterval'] as const;
    vi.useFakeTimers({ toFake: [...toFake], now: new Date(NOW), shouldAdvanceTime: true });
    server.answer(findFirstSteps, nothing);
  });
  afterEach(() => {
    // The page ends the timers that it began.
    cleanup();
    vi.useRealTimers();
  });

  it('says below the first steps that an unknown unit knocks, as soon as it is known', async () => {
    await openScreen(server, '/', { user: admin });
    await title();
    expect(attention()).not.toBeInTheDocument();
    server.answer(findHome, knocked);
    await act(() => vi.advanceTimersByTimeAsync(HOME_REFRESH_MS));
    await waitFor(() => expect(attention()).toBeVisible());
    const rows = within(attention() as HTMLElement).getAllByRole('listitem');
    expect(rows).toHaveLength(1);
    expect(rows[0]).toHaveTextContent(/^Unknown units.*3 send, the first one EGTS 4021\. Adopt/);
    expect(screen.getByRole('link', { name: /^Unknown units/ })).toHaveAttribute(
      'href',
      '/admin/unknown_units',
    );
  });

  it('shows nothing that the first steps would push down', async () => {
    server.answer(findHome, knocked);
    server.hang(findFirstSteps);
    await openScreen(server, '/', { user: admin });
    await waitFor(() => expect(server.asked(findFirstSteps)).toHaveLength(1));
    expect(screen.getByRole('heading', { name: /^Today/ })).toBeVisible();
    expect(attention()).not.toBeInTheDocument();
  });

  it('leads to no list of buses', async () => {
    server.answer(findHome, knocked);
    await openScreen(server, '/', { user: admin });
    await waitFor(() => expect(attention()).toBeVisible());
    expect(screen.queryByRole('link', { name: 'to the list' })).not.toBeInTheDocument();
  });
});
