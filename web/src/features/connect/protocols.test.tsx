// Equipment that is there already: the page says where it sends, and what has arrived from it.
import { findUnitPorts } from '@ridewatch/contract/admin-unit-ports';
import { type AdminUnit, findUnit, listUnits } from '@ridewatch/contract/admin-units';
import { type Arrivals, findArrivals } from '@ridewatch/contract/first-steps';
import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { madePorts, madeUnit } from '../../test/admin-unit.ts';
import { NOW } from '../../test/browser.ts';
import { admin, page } from '../../test/made.ts';
import { freshServer, openScreen } from '../../test/open.tsx';
import type { FakeServer } from '../../test/server.ts';

const unit: AdminUnit = {
  ...{ ...madeUnit, id: 3, device_id: 'egts-133552', bus: { id: 7, name: 'A 001' } },
  ...{ protocol: 'egts', protocol_id: '133552' },
};
const silence: Arrivals = {
  ...{ last_seen_at: null, position: null, counted_at: null },
  ...{ refused_at: null, unknown_refused_at: null, clock_offset_ms: null },
};
const minute = (after: number): string => new Date(Date.parse(NOW) + after * 60_000).toISOString();
const fixAt = (after: number) => ({
  position: { at: minute(after), latitude: 55.7558, longitude: 37.6173 },
});
const askAgain = () => vi.advanceTimersByTimeAsync(2_000);

let server: FakeServer;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'], shouldAdvanceTime: true });
  server = freshServer();
  server.answer(listUnits, page([unit]));
  server.answer(findUnit, unit);
  server.answer(findUnitPorts, madePorts);
  server.answer(findArrivals, silence);
});
afterEach(() => void vi.useRealTimers());

describe('a unit of another protocol', () => {
  it('is given address and number in place of a credential, and what it sends arrives', async () => {
    await openScreen(server, '/connect?unit=3', { user: admin });
    const title = 'Enter the address and the number in the unit (EGTS)';
    const heading = await screen.findByRole('heading', { name: `1. ${title}` });
    const part = within(heading.closest('section') ?? document.body);
    expect(await part.findByText('bus.example')).toBeVisible();
    expect(part.getByText('20332')).toBeVisible();
    expect(part.getByText('133552')).toBeVisible();
    expect(screen.queryByRole('button', { name: /credential/ })).not.toBeInTheDocument();
    expect(screen.getByText(/^The unit sends by EGTS to a port of the server/)).toBeVisible();
    expect(screen.queryByText(/sends its data here by HTTP/)).not.toBeInTheDocument();
    expect(part.getByRole('link', { name: /^Help on EGTS/ })).toHaveAttribute(
      'href',
      '/help/connect-egts',
    );
    expect(part.getByRole('link', { name: /full description/ })).toHaveAttribute(
      'href',
      '/help/egts',
    );
    expect(screen.getByText(/all passengers count as adults/)).toBeVisible();
    await waitFor(() => expect(screen.getAllByText('Waiting…')).toHaveLength(2));
    await waitFor(() => expect(server.asked(findArrivals).length).toBeGreaterThan(1));
    // It kept the position for a while, as terminals without a network do.
    server.answer(findArrivals, { ...silence, ...fixAt(-20), last_seen_at: minute(1) });
    await askAgain();
    expect(await screen.findByText(/^Arrived at .*: 55\.75580, 37\.61730$/)).toBeVisible();
    server.answer(findArrivals, { ...silence, ...fixAt(1), counted_at: minute(1) });
    await askAgain();
    expect(await screen.findByText(/^Counted at /)).toBeVisible();
    expect(screen.getByRole('link', { name: 'Open the bus A 001' })).toBeVisible();
  });

  it('that was heard without a position says so, and what was there before is no arrival', async () => {
    server.answer(findArrivals, { ...silence, ...fixAt(-60) });
    await openScreen(server, '/connect?unit=3', { user: admin });
    expect(await screen.findByText(/^the last ones at /)).toBeVisible();
    await waitFor(() => expect(server.asked(findArrivals).length).toBeGreaterThan(1));
    server.answer(findArrivals, { ...silence, ...fixAt(-60), last_seen_at: minute(1) });
    await askAgain();
    expect(await screen.findByText(/was heard, but sent no position/)).toBeVisible();
    expect(screen.getAllByText('Waiting…')).toHaveLength(2);
  });
});

describe('equipment that is there already', () => {
  const part = async () =>
    within(await screen.findByRole('region', { name: 'Equipment with EGTS, JT/T 808 or OsmAnd' }));

  it('has an address for each protocol, before there is any unit', async () => {
    server.answer(listUnits, page([]));
    const { hand } = await openScreen(server, '/connect', { user: admin });
    const own = await part();
    for (const name of ['EGTS', 'JT/T 808', 'OsmAnd']) await hand.click(own.getByText(name));
    expect(await own.findByText('20332')).toBeVisible();
    expect(own.getByText('20808')).toBeVisible();
    expect(own.getByText('https://bus.example/unit/osmand')).toBeVisible();
    expect(own.getByRole('link', { name: 'Unknown units' })).toHaveAttribute(
      'href',
      '/admin/unknown_units',
    );
    expect(own.getByRole('link', { name: 'How to set it up' })).toHaveAttribute(
      'href',
      '/help/connect#protocols',
    );
  });

  it('says which port is off, and to integrators nothing of unknown units', async () => {
    const protocols = madePorts.protocols.map((one) => ({ ...one, port: null }));
    server.answer(findUnitPorts, { public_url: null, protocols });
    await openScreen(server, '/connect', {
      user: { ...admin, role: 'INTEGRATOR' },
    });
    const own = await part();
    expect(await own.findByText(/JT808_PORT = 0/)).toBeInTheDocument();
    expect(own.getAllByText('switched off')).toHaveLength(2);
    // Only administrators take unknown units.
    expect(own.queryByRole('link', { name: 'Unknown units' })).not.toBeInTheDocument();
  });
});
