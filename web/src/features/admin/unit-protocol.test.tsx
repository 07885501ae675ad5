// The protocol of a unit: the form has the fields of the chosen one, and every place says that its id is weak.
import { findUnitFeed } from '@ridewatch/contract/admin-feed';
import { findAdminOverview } from '@ridewatch/contract/admin-sections';
import { findUnitPorts } from '@ridewatch/contract/admin-unit-ports';
import {
  type AdminUnit,
  createUnit,
  findUnit,
  listUnits,
  updateUnit,
} from '@ridewatch/contract/admin-units';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { madePorts, madeUnit } from '../../test/admin-unit.ts';
import { NOW } from '../../test/browser.ts';
import { admin, page } from '../../test/made.ts';
import { answerFleet, openDrawer, openSection } from '../../test/made-admin.ts';
import { freshServer, openScreen } from '../../test/open.tsx';
import { type FakeServer, refusal } from '../../test/server.ts';

const ID = '0123456789abcdef0123456789abcdef';
const egts: AdminUnit = { ...madeUnit, protocol: 'egts', protocol_id: '133552' };
const jt808: AdminUnit = { ...madeUnit, protocol: 'jt808', protocol_id: '13912345678' };
const phone: AdminUnit = { ...madeUnit, protocol: 'osmand', protocol_id: ID };

const integrator = { ...admin, role: 'INTEGRATOR', client_id: 9 } as const;
const overview = {
  ...{ sections: [{ section: 'units', count: 1 } as const], clients: [] },
  ...{ video_off: null, closed_ports: [] },
};

let server: FakeServer;
beforeEach(() => {
  server = freshServer();
  answerFleet(server);
});
const answer = (unit: AdminUnit) => {
  server.answer(listUnits, page([unit]));
  server.answer(findUnit, unit);
};
const open = async (unit: AdminUnit) => {
  answer(unit);
  server.answer(updateUnit, unit);
  const opened = await openDrawer(server, 'units', '7');
  await opened.press('Edit');
  return opened;
};
const sent = () => server.asked(updateUnit).map(({ body }) => body);
const labels = ['What the door counter sends', 'Door of the counter', 'Unit of speed'];

it('the drawer of a unit that needs no credential offers none', async () => {
  answer({ ...egts, credentials: 0, credential_issued_at: null });
  const { drawer } = await openDrawer(server, 'units', '7');
  expect(await drawer.findByText('EGTS needs no credential.')).toBeVisible();
  expect(drawer.getByRole('heading', { name: 'Connection' })).toBeVisible();
  expect(drawer.queryByRole('heading', { name: 'Credential' })).toBeNull();
  expect(drawer.queryByText(/no valid credential/)).toBeNull();
  expect(drawer.queryByRole('button', { name: /credential/ })).toBeNull();
  expect(drawer.getByRole('link', { name: 'Connect' })).toBeVisible();
});

it('the drawer of a unit that needs no credential ends one that is left of the unit interface', async () => {
  answer(egts);
  const { drawer } = await openDrawer(server, 'units', '7');
  expect(await drawer.findByText(/^1 valid credential/)).toBeVisible();
  expect(drawer.queryByRole('button', { name: 'Replace the credential' })).toBeNull();
  expect(drawer.getByRole('button', { name: 'Revoke all' })).toBeVisible();
});

describe('the drawer of a unit', () => {
  it.each([
    ['egts', { egts_counts: 'cumulative' }, ['What the door counter sends', 'a running total']],
    ['jt808', { jt808_clock_hours: 3 }, ['Clock of the unit', 'UTC+3']],
    ['jt808', { jt808_door: 2 }, ['Door of the counter', 'door 2']],
    ['osmand', { osmand_speed: 'kmh' }, ['Unit of speed', 'km/h']],
  ] as const)(
    'says how one of %s departs from the standard, also to integrators: %o',
    async (protocol, set, said) => {
      answer({ ...madeUnit, protocol, protocol_id: '4021', ...set });
      server.answer(findAdminOverview, overview);
      await openScreen(server, '/admin/units/7', { user: integrator });
      const drawer = within(await screen.findByRole('complementary'));
      const label = await drawer.findByText(said[0]);
      expect(label.nextElementSibling).toHaveTextContent(said[1]);
    },
  );

  it('says nothing of settings of other protocols, nor that all is here: the unit cannot say so', async () => {
    answer({ ...jt808, last_seen_at: NOW });
    const { drawer } = await openDrawer(server, 'units', '7');
    expect(await drawer.findByText('Door of the counter')).toBeVisible();
    expect(drawer.queryByText('What the door counter sends')).toBeNull();
    expect(screen.queryByText('everything is here')).toBeNull();
  });
});

describe('the form of a unit', () => {
  it.each([
    ['EGTS', [true, false, false]],
    ['JT/T 808', [false, true, false]],
    ['OsmAnd', [false, false, true]],
    ["Ridewatch's own", [false, false, false]],
  ] as const)('has the settings of %s when it is chosen', async (name, shown) => {
    const { choose, drawer } = await open(name === 'EGTS' ? madeUnit : egts);
    await choose('Protocol', name);
    const found = labels.map((label) => drawer.queryByLabelText(label) !== null);
    expect(found).toEqual(shown);
  });

  it('says of an identifier that somebody typed that it may be guessed, and takes it', async () => {
    const { write, press, drawer } = await open(phone);
    const typed = /This one was not made by the system/;
    expect(drawer.queryByText(typed)).not.toBeInTheDocument();
    await write('Identifier', 'x');
    expect(await drawer.findByText(typed)).toBeVisible();
    await press('Save');
    await waitFor(() => expect(sent()).toMatchObject([{ protocol_id: 'x' }]));
  });

  it('takes the number that an EGTS unit has already, although no new one may be like it', async () => {
    const { write, press, drawer } = await open({ ...egts, protocol_id: '4294967296' });
    await write('Device id', 'RW-8');
    await press('Save');
    await waitFor(() => expect(sent()).toMatchObject([{ device_id: 'RW-8' }]));
    expect(drawer.queryByText(/^This is no number of EGTS/)).not.toBeInTheDocument();
  });

  it('sends the number of a protocol with its settings, the numbers as numbers', async () => {
    const { press, choose, write, drawer } = await open(madeUnit);
    await choose('Protocol', 'JT/T 808');
    expect(drawer.getByText(/requested video waits until the bus is at the depot/)).toBeVisible();
    await write('Number of the terminal', '13912345678');
    await choose('Clock of the unit', 'UTC+3 · Moscow');
    await choose('Door of the counter', 'door 2');
    await choose('Recorded video comes', 'by Wi-Fi only, at the depot');
    await press('Save');
    await waitFor(() =>
      expect(sent()).toEqual([
        {
          ...{ protocol: 'jt808', protocol_id: '13912345678' },
          ...{ jt808_clock_hours: 3, jt808_door: 2, jt808_uploads: 'wifi' },
          seen: {
            ...{ protocol: null, protocol_id: null },
            ...{ jt808_clock_hours: 8, jt808_door: 1, jt808_uploads: 'any' },
          },
        },
      ]),
    );
  });

  it.each([
    ['EGTS', 'Number of the terminal, or IMEI', 'bus-7', /^This is no number of EGTS/],
    ['JT/T 808', 'Number of the terminal', 'bus-139', /^This is no number of JT\/T 808/],
    ['EGTS', 'Number of the terminal, or IMEI', '4294967296', /from 1 to 4294967295 .* or an IMEI/],
    ['OsmAnd', 'Identifier', 'my phone', /^Up to 64 Latin letters/],
    ['EGTS', 'Number of the terminal, or IMEI', ' ', 'Please fill this in'],
  ])('says before it is sent what is wrong with an id of %s', async (name, label, id, said) => {
    const { press, choose, write, drawer } = await open(madeUnit);
    await choose('Protocol', name);
    await write(label, id);
    await press('Save');
    expect(await drawer.findByText(said)).toBeVisible();
    expect(drawer.getByLabelText(label)).toHaveAccessibleDescription(said);
    expect(sent()).toEqual([]);
  });

  it('says that another unit has the number', async () => {
    const { press, choose, write, drawer } = await open(madeUnit);
    server.answer(updateUnit, refusal('conflict', { field: 'protocol_id' }));
    await choose('Protocol', 'EGTS');
    await write('Number of the terminal, or IMEI', '133552');
    await press('Save');
    expect(await drawer.findByText('Another unit has this number')).toBeVisible();
  });

  it('empties the number when another protocol is chosen, and has it again when it is not', async () => {
    const { press, choose, drawer, write } = await open(egts);
    await choose('Protocol', 'JT/T 808');
    expect(drawer.getByLabelText('Number of the terminal')).toHaveValue('');
    await choose('Protocol', 'EGTS');
    expect(drawer.getByLabelText('Number of the terminal, or IMEI')).toHaveValue('133552');
    await choose('Protocol', 'JT/T 808');
    // The same digits are the number of the other protocol only when somebody says so.
    await write('Number of the terminal', '133552');
    await press('Save');
    await waitFor(() =>
      expect(sent()).toEqual([
        {
          ...{ protocol: 'jt808', protocol_id: '133552' },
          seen: { protocol: 'egts', protocol_id: '133552' },
        },
      ]),
    );
  });

  it('has the server make the id of a phone, also a new one', async () => {
    const { press, choose, drawer } = await open(madeUnit);
    await choose('Protocol', 'OsmAnd');
    expect(drawer.getByText(/^Empty: the system makes a long random one/)).toBeVisible();
    await press('Save');
    await waitFor(() =>
      expect(sent()).toEqual([
        { protocol: 'osmand', protocol_id: null, seen: { protocol: null, protocol_id: null } },
      ]),
    );
  });

  it('takes the number of a terminal with the zeros before it', async () => {
    const { press, choose, write } = await open(madeUnit);
    await choose('Protocol', 'JT/T 808');
    await write('Number of the terminal', '013900003333');
    await press('Save');
    await waitFor(() => expect(sent()).toMatchObject([{ protocol_id: '13900003333' }]));
  });

  it('of a new unit asks for its protocol, too', async () => {
    server.answer(createUnit, { unit: phone, credential: null });
    const { press, choose, write } = await openDrawer(server, 'units', 'new');
    await write('Device id', 'Phone 7');
    await choose('Protocol', 'OsmAnd');
    await press('Create');
    await waitFor(() =>
      expect(server.asked(createUnit).map(({ body }) => body)).toMatchObject([
        { device_id: 'Phone 7', protocol: 'osmand', protocol_id: null, osmand_speed: 'knots' },
      ]),
    );
  });

  it('takes the id of a phone away for a new one', async () => {
    const { press, drawer } = await open(phone);
    expect(drawer.getByLabelText('Identifier')).toHaveValue(ID);
    await press('Make a new one');
    await press('Save');
    await waitFor(() => expect(sent()).toEqual([{ protocol_id: null, seen: { protocol_id: ID } }]));
  });

  it('says why the id is weak and what helps, also where only certain addresses may send', async () => {
    const protocols = madePorts.protocols.map((one) => ({ ...one, is_limited: true }));
    // The drawer behind the form says it, too.
    const isSaid = (drawer: Awaited<ReturnType<typeof open>>['drawer'], said: RegExp) =>
      waitFor(() => expect(drawer.getAllByText(said)[0]).toBeVisible());
    const { drawer, unmount } = await open(egts);
    await isSaid(drawer, /What helps: name the addresses .* EGTS_FROM/);
    unmount();
    server.answer(findUnitPorts, { ...madePorts, protocols });
    const { drawer: again } = await open(jt808);
    await isSaid(again, /takes it only from the addresses in JT808_FROM/);
  });
});

describe('a unit of another protocol', () => {
  it.each([
    [egts, 'Where to send: EGTS', ['bus.example', '20332', '133552']],
    [jt808, 'Where to send: JT/T 808', ['bus.example', '20808', '13912345678']],
    [phone, 'Where to send: OsmAnd', ['https://bus.example/unit/osmand', ID]],
  ])('says where it sends, and by what id', async (unit, title, values) => {
    answer(unit);
    const { drawer } = await openDrawer(server, 'units', '7');
    const heading = await drawer.findByRole('heading', { name: title });
    const part = within(heading.closest('section') ?? document.body);
    await part.findByText(values[0] ?? '');
    expect(part.getAllByRole('definition').map(({ textContent }) => textContent)).toEqual(values);
    expect(part.getAllByRole('button', { name: /^Copy / })).toHaveLength(values.length);
    expect(part.getByText('weak identity.')).toBeVisible();
    expect(part.getByRole('link', { name: /^Help: how to connect/ })).toHaveAttribute(
      'href',
      `/help/connect-${unit.protocol}`,
    );
  });

  it('is given a long address that breaks between its parts alone', async () => {
    answer(phone);
    const { drawer } = await openDrawer(server, 'units', '7');
    const address = await drawer.findByText('https://bus.example/unit/osmand');
    expect(address.innerHTML).toBe('https://bus.example<wbr>/unit<wbr>/osmand');
  });

  it('is told that its port is closed, why, and whom to ask', async () => {
    const protocols = madePorts.protocols.map((one) => ({ ...one, closed: 'taken' as const }));
    server.answer(findUnitPorts, { ...madePorts, protocols });
    answer(egts);
    const { drawer } = await openDrawer(server, 'units', '7');
    expect(
      await drawer.findByText(
        /^Port 20332 is closed now: another program has it\..* Tell the person .* EGTS_PORT/,
      ),
    ).toBeVisible();
  });

  it('is told that its port is switched off', async () => {
    const protocols = madePorts.protocols.map((one) => ({ ...one, port: null }));
    server.answer(findUnitPorts, { ...madePorts, protocols });
    answer(egts);
    const { drawer } = await openDrawer(server, 'units', '7');
    expect(
      await drawer.findByText(/^The port of EGTS is switched off .* EGTS_PORT = 0/),
    ).toBeVisible();
  });

  it('is marked in the list as one of weak identity', async () => {
    server.answer(listUnits, page([jt808, { ...madeUnit, id: 8, device_id: 'RW-8' }]));
    await openSection(server, 'units');
    const rows = await screen.findAllByRole('row');
    const of = (name: string) => rows.find((row) => within(row).queryByText(name));
    await waitFor(() => expect(of('RW-7')).toHaveTextContent('JT/T 808 weak identity'));
    expect(of('RW-8')).not.toHaveTextContent('weak identity');
  });

  it('is found by the filter', async () => {
    const { hand } = await openSection(server, 'units');
    await hand.click(await screen.findByRole('combobox', { name: /State/ }));
    await hand.click(await screen.findByRole('option', { name: 'weak identity' }));
    await waitFor(() =>
      expect(server.asked(listUnits).at(-1)?.query.get('state')).toBe('weak_identity'),
    );
    expect(screen.getByText('State: weak identity')).toBeVisible();
  });
});

it.each([
  ['en_US', ['1 byte', '42 bytes']],
  ['ru_RU', ['1 байт', '42 байта', '45 байт']],
] as const)(
  'the feed of a unit tells seconds and bytes of a message: %s',
  async (language, said) => {
    answer(egts);
    const message = { status: 200, fate: null, body: '{}', answer: null };
    const received_at = '2026-03-10T11:59:07.000Z';
    server.answer(findUnitFeed, {
      listening_until: null,
      items: [1, 42, 45].map((bytes) => ({ ...message, id: bytes, received_at, bytes })),
    });
    server.answer(findAdminOverview, overview);
    await openScreen(server, '/admin/units/7', { user: admin, language });
    const drawer = within(await screen.findByRole('complementary'));
    for (const one of said) {
      expect(
        await drawer.findByText(new RegExp(`^10\\.03\\.2026 14:59:07 · .* · ${one}$`)),
      ).toBeVisible();
    }
  },
);

it('the feed of a unit says in words what became of a message, and shows its bytes', async () => {
  answer(egts);
  const message = {
    ...{ id: 1, received_at: NOW, status: null, bytes: 3, body: '0a1bff', answer: null },
  };
  server.answer(findUnitFeed, {
    listening_until: null,
    items: [
      { ...message, fate: 'other_content' },
      { ...message, id: 2, fate: 'stored', body: 'id=7&lat=55.7', bytes: 13 },
      { ...message, id: 3, fate: null, status: 200, body: '{"records":[]}', answer: '{}' },
    ],
  });
  const { drawer, hand } = await openDrawer(server, 'units', '7');
  expect(
    await drawer.findByText(/something else is recorded at this time · 3 bytes/),
  ).toBeVisible();
  await hand.click(drawer.getByText(/something else/));
  expect(await drawer.findByText('0a 1b ff')).toBeVisible();
  // Large ones would be formatted at each reading.
  expect(drawer.queryByText('id=7&lat=55.7')).toBeNull();
  await hand.click(drawer.getByText(/recorded · 13 bytes/));
  expect(await drawer.findByText('id=7&lat=55.7')).toBeVisible();
  expect(drawer.getByText(/accepted · 3 bytes/)).toBeVisible();
});
