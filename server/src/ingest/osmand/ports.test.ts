// Phones and counters over real HTTP, at both ports: what they say is stored, and the answer is the one that they know.
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import {
  ask,
  askBy,
  askByJson,
  askForm,
  at,
  createOsmandWorld,
  OSMAND_DAY_MS,
  PORTS,
  positionAt,
  STORED,
  senderOf,
  startTestOsmand,
  storedOf,
} from '../../test/osmand.ts';
import { listPositions } from '../../test/positions.ts';
import { UNIT_KNOWN_MS } from '../../test/test-deps.ts';
import { useWorld } from '../../test/use-world.ts';

const world = useWorld(createOsmandWorld);

describe.each(PORTS)('at the port %s', (port) => {
  it('a query, a form and JSON become positions and people of a bus', async () => {
    const url = world[port];
    const bus = await world.freshBus();
    const { id } = bus;
    expect(await ask(url, { id, ...at(0), in: 3, out: 1, door: 2 })).toEqual(STORED);
    expect(await askForm(url, { deviceid: id, ...at(10) })).toEqual(STORED);
    // As Traccar Client did up to version 8: fields in the address, an empty body without a type.
    const query = new URLSearchParams({ id, timestamp: `${OSMAND_DAY_MS / 1000 + 20}` });
    const posted = await askBy(`${url}?${query}&lat=55.7002&lon=37.6`, { method: 'POST' });
    expect(posted).toEqual(STORED);
    const timestamp = new Date(OSMAND_DAY_MS + 30_000).toISOString();
    const coords = { latitude: 55.7003, longitude: 37.6, speed: 10, heading: 90 };
    const location = { timestamp, coords, extras: { in: 1 } };
    expect(await askByJson(url, { device_id: id, location })).toEqual(STORED);
    expect(await askByJson(url, [{ id, ...at(40) }])).toEqual(STORED);
    expect(await storedOf(world, bus)).toEqual({
      seconds: [0, 10, 20, 30, 40],
      events: [
        [0, 2, 'entered', 3],
        [0, 2, 'exited', 1],
        [30, 1, 'entered', 1],
      ],
      hours: { entered: 4, exited: 1 },
    });
    const { db } = world.server.deps.database;
    const positions = await listPositions(db, bus.unitId, 0, Date.UTC(2100));
    expect(positions.map(({ speedKmh, course }) => [speedKmh, course])).toEqual([
      [30, 300],
      [30, 300],
      [null, null],
      [36, 90],
      [30, 300],
    ]);
  });

  it('JSON is taken that begins with a byte order mark, or whose type is none', async () => {
    const url = world[port];
    const bus = await world.freshBus();
    const send = (body: string, type: string) =>
      askBy(url, { method: 'POST', body, headers: { 'content-type': type } });
    const text = (seconds: number) => JSON.stringify({ id: bus.id, ...at(seconds) });
    expect(await send(`\uFEFF${text(0)}`, 'application/json')).toEqual(STORED);
    expect(await send(`\uFEFF${text(1)}`, 'text/plain')).toEqual(STORED);
    for (const [n, type] of ['json', 'json; charset=utf-8', '/', ''].entries()) {
      expect([type, await send(text(2 + n), type)]).toEqual([type, STORED]);
    }
    expect((await storedOf(world, bus)).seconds).toEqual([0, 1, 2, 3, 4, 5]);
  });

  it('an unknown id is told so in the words of each form, and known as soon as an administrator knows it', async () => {
    const url = world[port];
    const bus = await world.freshBus();
    const { db } = world.server.deps.database;
    const switchTo = (enabled: boolean) =>
      db.updateTable('units').set({ enabled }).where('id', '=', bus.unitId).execute();
    await switchTo(false);
    const { id } = bus;
    const unknown = { field: 'id', message: 'belongs to no unit', requestId: expect.any(String) };
    const byQuery = { status: 400, body: { error: 'invalid_request', ...unknown } };
    expect(await ask(url, { id, ...at(0) })).toEqual(byQuery);
    expect(await askForm(url, { id, ...at(0) })).toEqual(byQuery);
    const byJson = { status: 404, body: { error: 'not_found', ...unknown, field: 'device_id' } };
    expect(await askByJson(url, { device_id: id, location: { timestamp: 0 } })).toEqual(byJson);
    await switchTo(true);
    world.server.clock.advance(UNIT_KNOWN_MS);
    expect(await ask(url, { id, ...at(0) })).toEqual(STORED);
    expect((await storedOf(world, bus)).seconds).toEqual([0]);
  });

  it('an id that no unit has is listed with the place that it sent last, by whatever form', async () => {
    const another = await startTestOsmand(world.server.deps);
    const url = another[port];
    const id = `stranger-${port}`;
    await ask(url, { id, ...at(0) });
    await ask(url, { id, ...at(5), lat: 95 });
    await askByJson(url, [{ id, ...at(9) }, { id }]);
    // At its end at the latest a process writes who knocked.
    await another.stop();
    const known = await world.server.deps.database.db
      .selectFrom('unknown_units')
      .select(['address', 'latitude', 'longitude', 'sent_time', 'records'])
      .where('protocol', '=', 'osmand')
      .where('protocol_id', '=', id)
      .execute();
    expect(known).toEqual([
      {
        ...{ address: '127.0.0.1', latitude: 55.70009, longitude: 37.6, records: 4 },
        sent_time: new Date(OSMAND_DAY_MS + 9000),
      },
    ]);
  });

  it('a counter that no unit has, and that sends no place, is listed with its last people', async () => {
    const another = await startTestOsmand(world.server.deps);
    const id = `counter-${port}`;
    const timestamp = (seconds: number) => OSMAND_DAY_MS / 1000 + seconds;
    await ask(another[port], { id, timestamp: timestamp(0), in: 7, out: 7, door: 1 });
    await ask(another[port], { id, timestamp: timestamp(5), in: 2, out: 1, door: 2 });
    await ask(another[port], { id, timestamp: timestamp(9) });
    await another.stop();
    const known = await world.server.deps.database.db
      .selectFrom('unknown_units')
      .select(['counted_time', 'door', 'entered', 'exited', 'latitude'])
      .where('protocol_id', '=', id)
      .execute();
    expect(known).toEqual([
      {
        ...{ counted_time: new Date(OSMAND_DAY_MS + 5000), door: 2, entered: 2, exited: 1 },
        latitude: null,
      },
    ]);
  });

  it('what cannot be read is named, and costs nothing else of a request', async () => {
    const url = world[port];
    const bus = await world.freshBus();
    const { id } = bus;
    const faults: readonly (readonly [object, string])[] = [
      [{ ...at(0), lat: 91 }, 'lat'],
      [{ ...at(0), lon: 'x' }, 'lon'],
      [{ ...at(0), timestamp: 'now' }, 'timestamp'],
      [{ ...at(0), in: 256 }, 'in'],
      [{ in: 1 }, 'timestamp'],
      [{ ...at(0), in: 1, door: 9 }, 'door'],
    ];
    for (const [fields, field] of faults) {
      const answer = await ask(url, { id, ...fields });
      expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_request', field } });
    }
    expect(await ask(url, at(0))).toMatchObject({ status: 400, body: { field: 'id' } });
    expect(await askByJson(url, [])).toMatchObject({ status: 400, body: { field: 'id' } });
    expect(await askBy(url, { method: 'POST', body: '{' })).toMatchObject({ status: 400 });
    expect((await storedOf(world, bus)).seconds).toEqual([]);
    const [none, wrong] = [{ id, ...at(0), lat: 91 }, { ...at(1) }];
    expect(await askByJson(url, [none, wrong])).toMatchObject({
      status: 400,
      body: { field: '0.lat' },
    });
    expect(await askByJson(url, [none, { id, ...at(2) }, wrong])).toEqual({
      status: 200,
      body: {
        refused: [
          { index: 0, field: '0.lat', message: 'must be degrees from -90 to 90' },
          { index: 2, field: '2.id', message: 'is missing' },
        ],
      },
    });
    expect((await storedOf(world, bus)).seconds).toEqual([2]);
  });

  it('of two phones in a request the unknown one makes it come again, the known one is stored', async () => {
    const url = world[port];
    const bus = await world.freshBus();
    const both = [
      { id: bus.id, ...at(0) },
      { id: 'stranger', ...at(0) },
    ];
    const answer = await askByJson(url, both);
    expect(answer).toMatchObject({ status: 404, body: { field: '1.id' } });
    expect((await storedOf(world, bus)).seconds).toEqual([0]);
  });

  it('a place that an app made up is none, and people count all the same', async () => {
    const url = world[port];
    const bus = await world.freshBus();
    const outcomes = async () =>
      (await world.server.deps.metrics.records.get()).values.find(
        ({ labels }) => labels.outcome === 'mock',
      )?.value ?? 0;
    const before = await outcomes();
    expect(await ask(url, { id: bus.id, ...at(0), in: 2, mock: 'true' })).toEqual(STORED);
    expect(await storedOf(world, bus)).toMatchObject({
      seconds: [],
      events: [[0, 1, 'entered', 2]],
    });
    expect(await outcomes()).toBe(before + 1);
  });

  it('a heartbeat shows that the unit lives', async () => {
    const url = world[port];
    const bus = await world.freshBus();
    const { db } = world.server.deps.database;
    const seen = () =>
      db
        .selectFrom('units')
        .select('last_seen_at')
        .where('id', '=', bus.unitId)
        .executeTakeFirstOrThrow();
    expect(await ask(url, { id: bus.id, timestamp: OSMAND_DAY_MS })).toEqual(STORED);
    expect((await seen()).last_seen_at?.getTime()).toBe(world.server.clock.nowMs());
  });

  it.each(['query', 'json'] as const)('a sender brings what it has as %s', async (form) => {
    const bus = await world.freshBus();
    const sender = senderOf(world[port], bus.id, form);
    const people = { timeMs: OSMAND_DAY_MS + 250, door: 3, entered: 2, exited: 0 };
    const records = [...Array(120).keys()].map(positionAt);
    await sender.send([...records, people]);
    await sender.send([...records.slice(0, 3), people]);
    expect(await storedOf(world, bus)).toMatchObject({
      seconds: records.map((_, n) => n),
      events: [[0.25, 3, 'entered', 2]],
      hours: { entered: 2, exited: 0 },
    });
  });

  it('a sender says why the server takes a record never', async () => {
    const bus = await world.freshBus();
    const sender = senderOf(world[port], bus.id, 'query');
    await expect(sender.send([{ ...positionAt(0), latitude: 95 }])).rejects.toThrow(
      'The server answers 400: lat must be degrees from -90 to 90',
    );
    await sender.send([positionAt(0)]);
    await expect(sender.send([{ ...positionAt(0), latitude: 50 }])).rejects.toThrow(
      'The server refuses a record: timestamp was sent before with other content',
    );
  });
});

it('is also taken with a slash at the end of the path', async () => {
  const bus = await world.freshBus();
  expect(await ask(`${world.product}/`, { id: bus.id, ...at(0) })).toEqual(STORED);
  expect(await askForm(`${world.product}/`, { id: bus.id, ...at(1) })).toEqual(STORED);
  expect((await storedOf(world, bus)).seconds).toEqual([0, 1]);
});

it('is taken from a counter that leaves out the host, at the own port', async () => {
  const bus = await world.freshBus();
  const query = `id=${bus.id}&timestamp=${OSMAND_DAY_MS}&in=1`;
  const socket = connect(Number(new URL(world.own).port), '127.0.0.1');
  socket.write(`GET /?${query} HTTP/1.1\r\nconnection: close\r\n\r\n`);
  expect(await text(socket)).toMatch(/^HTTP\/1.1 200 /);
  expect((await storedOf(world, bus)).events).toEqual([[0, 1, 'entered', 1]]);
});

it('is stored by no other method, and at no other path', async () => {
  const bus = await world.freshBus();
  const query = new URLSearchParams({ id: bus.id, timestamp: `${OSMAND_DAY_MS}` });
  for (const [url, method] of [
    [world.product, 'HEAD'],
    [world.product, 'PUT'],
    [world.own, 'HEAD'],
    [world.own, 'DELETE'],
    [`${world.own}elsewhere`, 'GET'],
  ] as const) {
    const answer = await fetch(`${url}?${query}&lat=1&lon=2`, { method });
    await answer.text();
    expect([url, method, answer.status]).toEqual([url, method, 404]);
  }
  expect((await storedOf(world, bus)).seconds).toEqual([]);
});

it('has speeds of the unit that the unit is set to', async () => {
  const bus = await world.freshBus({ speed: 'ms' });
  await ask(world.own, { id: bus.id, ...at(0), speed: 10 });
  const { db } = world.server.deps.database;
  expect(await listPositions(db, bus.unitId, 0, Date.UTC(2100))).toMatchObject([{ speedKmh: 36 }]);
});
