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
  vi.useFakeTimers({
    toFake: ['Date', 'setInterval', 'clearInterval'],
    now: new Date(NOW),
    shouldAdvanceTime: true,
  });
  server = freshServer();
  server.answer(listUnits, page([unit]));
  server.answer(findUnit, unit);
  server.answer(findUnitPorts, madePorts);
  server.answer(findArrivals, silence);
});
afterEach(() => void vi.useRealTimers());

describe('a server that takes data from certain addresses only', () => {
  const limited = (more: object) => ({
    ...madePorts,
    protocols: madePorts.protocols.map((one) => ({ ...one, is_limited: true, ...more })),
  });

  it('says so, for a unit that it refuses looks as one that does not send', async () => {
    server.answer(findUnitPorts, limited({}));
    await openScreen(server, '/connect?unit=3', { user: admin });
    expect(await screen.findByText(/only from the addresses in EGTS_FROM/)).toBeVisible();
    expect(screen.queryByText(/refused last/)).not.toBeInTheDocument();
  });

  it('says so before there is any unit, beside the address of the protocol', async () => {
    server.answer(listUnits, page([]));
    server.answer(findUnitPorts, limited({ last_refused: { address: '203.0.113.9', at: NOW } }));
    const { hand } = await openScreen(server, '/connect', { user: admin });
    await hand.click(await screen.findByText('EGTS'));
    const said = await screen.findByText(/only from the addresses in EGTS_FROM/);
    expect(said).toHaveTextContent(/refused last: 203\.0\.113\.9, at /);
    expect(screen.queryByText(/JT808_FROM/)).not.toBeInTheDocument();
  });

  it('says which address it refused last, and when', async () => {
    server.answer(findUnitPorts, limited({ last_refused: { address: '203.0.113.9', at: NOW } }));
    await openScreen(server, '/connect?unit=3', { user: admin });
    expect(await screen.findByText(/refused last: 203\.0\.113\.9, at /)).toBeVisible();
  });

  it('names the next one, too', async () => {
    server.answer(findUnitPorts, limited({ last_refused: { address: '203.0.113.9', at: NOW } }));
    await openScreen(server, '/connect?unit=3', { user: admin });
    await screen.findByText(/refused last: 203\.0\.113\.9, at /);
    const last_refused = { address: '203.0.113.7', at: minute(1) };
    server.answer(findUnitPorts, limited({ last_refused }));
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await screen.findByText(/refused last: 203\.0\.113\.7, at /)).toBeVisible();
  });

  it('speaks of unknown units to administrators alone, who see them', async () => {
    server.answer(findUnitPorts, limited({}));
    const { unmount } = await openScreen(server, '/connect?unit=3', { user: admin });
    const said = /any other is refused, and does not appear under “Unknown units” either\.$/;
    expect((await screen.findByText(/only from the addresses in/)).textContent?.trim()).toMatch(
      said,
    );
    unmount();
    await openScreen(server, '/connect?unit=3', { user: { ...admin, role: 'INTEGRATOR' } });
    const plain = (await screen.findByText(/only from the addresses in/)).textContent?.trim();
    expect(plain).toMatch(/A unit at any other is refused\.$/);
  });

  it('is asked for refused addresses until everything has arrived', async () => {
    server.answer(findUnitPorts, limited({}));
    await openScreen(server, '/connect?unit=3', { user: admin });
    await waitFor(() => expect(server.asked(findArrivals).length).toBeGreaterThan(1));
    server.answer(findArrivals, { ...silence, ...fixAt(1), counted_at: minute(1) });
    await askAgain();
    await screen.findByText(/^Counted at /);
    const reads = server.asked(findUnitPorts).length;
    await vi.advanceTimersByTimeAsync(30_000);
    expect(server.asked(findUnitPorts)).toHaveLength(reads);
  });

  it('is not, if it takes data from any address', async () => {
    await openScreen(server, '/connect?unit=3', { user: admin });
    await waitFor(() => expect(server.asked(findArrivals).length).toBeGreaterThan(1));
    const reads = server.asked(findUnitPorts).length;
    await vi.advanceTimersByTimeAsync(30_000);
    expect(server.asked(findUnitPorts)).toHaveLength(reads);
  });
});

describe('a terminal of JT/T 808', () => {
  it('is told which port of its video is closed, and what fails', async () => {
    const own = { protocol: 'jt808', protocol_id: '13912345678' } as const;
    server.answer(findUnit, { ...unit, ...own });
    server.answer(findUnitPorts, {
      ...madePorts,
      closed_video_ports: [{ listener: 'ftp', port: 20_021, reason: 'taken' as const }],
    });
    await openScreen(server, '/connect?unit=3', { user: admin });
    const heading = await screen.findByRole('heading', { name: /^1\. / });
    expect(
      await within(heading.closest('section') ?? document.body).findByText(
        'Port 20021 (FTP) is closed now: another program has it. Recordings of JT/T 808 registrars do not arrive. Setting: FTP_PORT.',
      ),
    ).toBeVisible();
  });
});

describe('a terminal of JT/T 808 on a server without ports for its video', () => {
  it.each([
    [
      'en_US',
      'No live video of JT/T 808 registrars. The port is switched off on the server: JT1078_PORT = 0.',
    ],
    ['ru_RU', 'Записи регистраторов JT/T 808 не приходят. Порт выключен на сервере: FTP_PORT = 0.'],
  ] as const)('is told in %s what does not come', async (language, said) => {
    server.answer(findUnit, { ...unit, protocol: 'jt808', protocol_id: '13912345678' });
    server.answer(findUnitPorts, { ...madePorts, off_video_ports: ['jt1078', 'ftp'] });
    await openScreen(server, '/connect?unit=3', { user: admin, language });
    const heading = await screen.findByRole('heading', { name: /^1\. / });
    const shown = await within(heading.closest('section') ?? document.body).findByText(said);
    expect(shown).toBeVisible();
    expect(shown.textContent).toMatch(/_PORT\u00a0=\u00a00\.$/);
  });
});

describe('a unit of another protocol', () => {
  it.each([
    ['http://127.0.0.1:8080', /^Only the server itself knows the address 127\.0\.0\.1\./],
    // The page is open by the name localhost.
    [null, /^Only the server itself knows the address http:\/\/localhost/],
  ])(
    'is warned once of an address that only the server itself knows: %s',
    async (public_url, said) => {
      server.answer(findUnitPorts, { ...madePorts, public_url });
      const { hand } = await openScreen(server, '/connect?unit=3', { user: admin });
      await screen.findByRole('heading', { name: /^1\. / });
      for (const name of ['JT/T 808', 'OsmAnd']) await hand.click(screen.getByText(name));
      expect(await screen.findByText(said)).toBeVisible();
      expect(screen.getAllByText(/Only the server itself knows/)).toHaveLength(1);
    },
  );

  it('is told that a name is a name', async () => {
    server.answer(findUnitPorts, { ...madePorts, public_url: 'http://localhost:8080' });
    await openScreen(server, '/connect?unit=3', { user: admin, language: 'ru_RU' });
    const said = await screen.findAllByText(/знает только сам сервер/);
    expect(said[0]).toHaveTextContent(/^Имя localhost /);
  });

  it.each([
    ['en_US', 'the last ones on 09.03.2026 at 23:59:59 Moscow time'],
    ['ru_RU', 'последние — 09.03.2026 в 23:59:59 МСК'],
  ] as const)(
    'has the date beside times of another day in Moscow, in %s',
    async (language, said) => {
      vi.setSystemTime(new Date('2026-03-09T21:00:00Z'));
      const at = '2026-03-09T20:59:59Z';
      server.answer(findArrivals, {
        ...silence,
        position: { at, latitude: 55.7, longitude: 37.6 },
      });
      await openScreen(server, '/connect?unit=3', { user: admin, language });
      expect(await screen.findByText(said)).toBeVisible();
    },
  );

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
    // The page itself is open by a name that only the server knows, and the public address is another one.
    expect(screen.queryByText(/Only the server itself knows/)).not.toBeInTheDocument();
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

  it('that does not arrive is looked for where the reader may look', async () => {
    const { unmount } = await openScreen(server, '/connect?unit=3', { user: admin });
    expect(await screen.findByText(/^The unit is under “Unknown units”\?/)).toBeInTheDocument();
    unmount();
    await openScreen(server, '/connect?unit=3', { user: { ...admin, role: 'INTEGRATOR' } });
    expect(await screen.findByText(/^An administrator sees the unit under/)).toBeInTheDocument();
  });

  it('that is in no bus yet says so of its passengers', async () => {
    server.answer(findUnit, { ...unit, bus: null });
    await openScreen(server, '/connect?unit=3', { user: admin });
    await waitFor(() => expect(server.asked(findArrivals).length).toBeGreaterThan(1));
    server.answer(findArrivals, { ...silence, ...fixAt(1), counted_at: minute(1) });
    await askAgain();
    expect(await screen.findByText(/^Arrived at .*, not counted yet: .* no bus$/)).toBeVisible();
    expect(screen.queryByText('Waiting…')).not.toBeInTheDocument();
  });

  it('that was heard without a position says so, and what was there before is no arrival', async () => {
    server.answer(findArrivals, { ...silence, ...fixAt(-60) });
    await openScreen(server, '/connect?unit=3', { user: admin });
    expect(await screen.findByText(/^the last ones at /)).toBeVisible();
    await waitFor(() => expect(server.asked(findArrivals).length).toBeGreaterThan(1));
    server.answer(findArrivals, { ...silence, ...fixAt(-60), last_seen_at: minute(1) });
    await askAgain();
    // A unit that sends a position a minute sends other requests between them.
    expect(screen.queryByText(/sent no position/)).not.toBeInTheDocument();
    vi.setSystemTime(Date.now() + 3 * 60_000);
    await askAgain();
    expect(await screen.findByText(/was heard, but sent no position for 3 minutes/)).toBeVisible();
    expect(screen.getAllByText('Waiting…')).toHaveLength(2);
  });
});

describe('a unit whose port is not open', () => {
  const portsWith = (own: { port?: null; closed?: 'taken' }) => ({
    ...madePorts,
    protocols: madePorts.protocols.map((one) => ({ ...one, ...own })),
  });

  it.each([
    ['en_US', { port: null }, /^Nothing to wait for yet: the port of EGTS is switched off/],
    ['en_US', { closed: 'taken' }, /^Nothing to wait for yet: the port of EGTS is closed/],
    ['ru_RU', { port: null }, /^Ждать пока нечего: порт для EGTS выключен/],
    ['ru_RU', { closed: 'taken' }, /^Ждать пока нечего: порт для EGTS закрыт/],
  ] as const)('is not waited for, in %s: %j', async (language, own, said) => {
    server.answer(findUnitPorts, portsWith(own));
    await openScreen(server, '/connect?unit=3', { user: admin, language });
    expect(await screen.findByText(said)).toBeVisible();
    expect(screen.queryByText(/^(Waiting…|Ждём…)$/)).not.toBeInTheDocument();
    expect(screen.queryByText(/^(Nothing arrives|Ничего не приходит)\?$/)).not.toBeInTheDocument();
    expect(
      screen.getByRole('heading', { name: /^2\. (Data of the unit|Данные прибора)$/ }),
    ).toBeVisible();
  });

  it('still has its last data of before', async () => {
    server.answer(findUnitPorts, portsWith({ port: null }));
    server.answer(findArrivals, { ...silence, ...fixAt(-60) });
    await openScreen(server, '/connect?unit=3', { user: admin });
    expect(await screen.findByText('the last ones at 14:00:00 Moscow time')).toBeVisible();
  });

  it('is waited for once the port has opened', async () => {
    server.answer(findUnitPorts, portsWith({ closed: 'taken' }));
    await openScreen(server, '/connect?unit=3', { user: admin });
    await screen.findByText(/^Nothing to wait for yet/);
    server.answer(findUnitPorts, madePorts);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await screen.findAllByText('Waiting…')).toHaveLength(2);
    expect(screen.queryByText(/^Nothing to wait for yet/)).not.toBeInTheDocument();
  });

  it('is told the setting in one piece', async () => {
    server.answer(findUnitPorts, { ...portsWith({ port: null }), off_video_ports: [] });
    await openScreen(server, '/connect?unit=3', { user: admin });
    const [said] = await screen.findAllByText(/EGTS_PORT = 0/);
    expect(said?.textContent).toContain('EGTS_PORT\u00a0=\u00a00');
  });
});

describe('a phone with OsmAnd', () => {
  it('is waited for without a port of its own', async () => {
    server.answer(findUnit, { ...unit, protocol: 'osmand', protocol_id: 'f00d' });
    await openScreen(server, '/connect?unit=3', { user: admin });
    await waitFor(() => expect(server.asked(findUnitPorts).length).toBeGreaterThan(0));
    expect(await screen.findAllByText('Waiting…')).toHaveLength(2);
    expect(screen.queryByText(/^Nothing to wait for yet/)).not.toBeInTheDocument();
  });

  it.each([
    [
      'en_US',
      'Enter the address and the identifier in the unit (OsmAnd)',
      /its identifier and the/,
    ],
    ['ru_RU', 'Впишите в прибор адрес и идентификатор (OsmAnd)', /идентификатор в приборе и здесь/],
  ] as const)('has an identifier in %s, not a number', async (language, title, differs) => {
    server.answer(findUnit, { ...unit, protocol: 'osmand', protocol_id: 'f00d' });
    await openScreen(server, '/connect?unit=3', { user: admin, language });
    expect(await screen.findByRole('heading', { name: `1. ${title}` })).toBeVisible();
    expect(screen.getByText(differs)).toBeInTheDocument();
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
    server.answer(findUnitPorts, { ...madePorts, public_url: null, protocols });
    await openScreen(server, '/connect', {
      user: { ...admin, role: 'INTEGRATOR' },
    });
    const own = await part();
    expect(await own.findByText(/JT808_PORT = 0/)).toBeInTheDocument();
    expect(own.getAllByText('switched off')).toHaveLength(2);
    // Only administrators take unknown units.
    expect(own.queryByRole('link', { name: 'Unknown units' })).not.toBeInTheDocument();
  });

  it.each([
    [['egts'], /^.*With JT\/T 808, enter .* EGTS is switched off on the server\. OsmAnd/],
    [['egts', 'jt808'], /either\. EGTS and JT\/T 808 are switched off on the server\. OsmAnd/],
  ])('is invited to send by protocols that are on, alone: %j are off', async (off, said) => {
    const protocols = madePorts.protocols.map((one) =>
      off.includes(one.protocol) ? { ...one, port: null } : one,
    );
    server.answer(findUnitPorts, { ...madePorts, protocols });
    await openScreen(server, '/connect', { user: admin });
    expect(await (await part()).findByText(said)).toBeVisible();
  });

  it('needs an administrator for a phone, as nobody else chooses a protocol in the form', async () => {
    const { unmount } = await openScreen(server, '/connect', { user: admin });
    const chooses = /choose the protocol OsmAnd in its form/;
    expect((await part()).getByText(chooses)).toBeInTheDocument();
    unmount();
    await openScreen(server, '/connect', { user: { ...admin, role: 'INTEGRATOR' } });
    const own = await part();
    expect(own.getByText(/^First ask an administrator for a unit/)).toBeInTheDocument();
    expect(own.queryByText(chooses)).not.toBeInTheDocument();
  });
});
