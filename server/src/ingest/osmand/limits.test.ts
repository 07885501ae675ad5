// A stranger, a slow sender, and too much at once cost a refusal, and nothing else.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { pino } from 'pino';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { makeProtocolId } from '../../administration/unit-protocol.ts';
import { readConfig } from '../../core/config.ts';
import type { Deps } from '../../deps.ts';
import { createListeners } from '../../listeners.ts';
import { lockUnit, whileLocked } from '../../test/blocked.ts';
import {
  ask,
  askBy,
  askByJson,
  askForm,
  at,
  createOsmandWorld,
  type Limits,
  OSMAND_DAY_MS,
  PORTS,
  STORED,
  startTestOsmand,
  storedOf,
  type TestOsmand,
} from '../../test/osmand.ts';
import { UNIT_KNOWN_MS } from '../../test/test-deps.ts';
import { useWorld } from '../../test/use-world.ts';
import { createOsmandListener, makeOsmandListener } from './listener.ts';

const HASTY: Limits = {
  own: { headMs: 300, requestMs: 600, idleMs: 60_000, checkEveryMs: 50 },
  // Bodies of other calls have much longer.
  product: {
    ...{ headMs: 300, bodyPauseMs: 9000, uploadPauseMs: 9000, bodyMs: 60_000, checkEveryMs: 50 },
  },
  port: { bodyMs: 600 },
};

const world = useWorld(createOsmandWorld);

const open: Socket[] = [];
afterEach(() => {
  for (const socket of open.splice(0)) socket.destroy();
});

/** Connects to the port of an address, and writes text. */
async function say(url: string, words: string): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  open.push(socket);
  await once(socket, 'connect');
  socket.write(words);
  return socket;
}

describe('a request', () => {
  it.each(PORTS)('with too much in it is refused at the port %s', async (port) => {
    const url = world[port];
    const { id } = await world.freshBus();
    const large = ' '.repeat(64 * 1024);
    const tooLarge = {
      status: 413,
      body: { error: 'too_large', message: 'The body may have at most 65536 bytes.' },
    };
    expect(await askByJson(url, { id, large })).toMatchObject(tooLarge);
    const streamed = new Blob([JSON.stringify({ id, large })]).stream();
    const init = { method: 'POST', body: streamed, duplex: 'half' } as RequestInit;
    expect(await askBy(url, init)).toMatchObject(tooLarge);
    // It has two records: a position, and who got on.
    const two = { ...at(0), in: 1 };
    const many = Array.from({ length: 501 }, () => ({ id, ...two }));
    expect(await askByJson(url, many)).toMatchObject({
      status: 413,
      body: { message: 'A request has at most 1000 records.' },
    });
    expect(await askByJson(url, many.slice(0, 500))).toEqual(STORED);
    const ids = Array.from({ length: 101 }, (_, n) => ({ id: `one-of-many-${n}` }));
    expect(await askByJson(url, ids)).toMatchObject({
      status: 413,
      body: { message: 'A request names at most 100 ids.' },
    });
  });

  it.each(PORTS)('that is compressed is refused at the port %s', async (port) => {
    const body = gzipSync('{}');
    const headers = { 'content-encoding': 'gzip' };
    expect(await askBy(world[port], { method: 'POST', body, headers })).toMatchObject({
      status: 415,
      body: { error: 'unsupported_media_type', field: 'Content-Encoding' },
    });
  });

  it('with a head beyond 16 KiB is refused at the own port', async () => {
    const answer = await ask(world.own, { id: 'a'.repeat(17_000) });
    expect(answer).toMatchObject({ status: 431, body: { error: 'headers_too_large' } });
  });

  it('that is no HTTP, or expects what nobody does, is answered at the own port', async () => {
    expect(await text(await say(world.own, 'hello\r\n\r\n'))).toMatch(/^HTTP\/1.1 400 /);
    const head = 'GET / HTTP/1.1\r\nhost: x\r\nexpect: more\r\n\r\n';
    expect(await text(await say(world.own, head))).toMatch(/^HTTP\/1.1 417 /);
  });

  describe('of a slow sender', () => {
    let hasty: TestOsmand;
    beforeAll(async () => {
      hasty = await world.startAnother({}, HASTY);
    });

    it.each(PORTS)('is not waited for at the port %s, nor stored', async (port) => {
      const url = hasty[port];
      const { pathname } = new URL(url);
      const bus = await world.freshBus();
      const head = await say(url, `GET ${pathname}?id=${bus.id} HTTP/1.1\r\nhost: x\r\n`);
      expect(await text(head)).toMatch(/^HTTP\/1.1 408 .*"error":"request_timeout"/s);
      const query = `id=${bus.id}&timestamp=${OSMAND_DAY_MS}&in=1&out=`;
      const body = await say(
        url,
        `POST ${pathname} HTTP/1.1\r\nhost: x\r\ncontent-length: 500\r\n\r\n${query}`,
      );
      const dripping = setInterval(() => body.write('1'), 50);
      expect(await text(body).finally(() => clearInterval(dripping))).toMatch(
        /^HTTP\/1.1 408 .*"error":"request_timeout"/s,
      );
      expect(await storedOf(world, bus)).toMatchObject({ events: [] });
      expect(await ask(url, { id: bus.id, ...at(0) })).toEqual(STORED);
    });
  });
});

describe('more requests than a port has in hand at once', () => {
  const TOO_MANY = { status: 503, body: { error: 'unavailable' } };

  it.each(PORTS)('keep none out while their bodies arrive at the port %s', async (port) => {
    const bus = await world.freshBus();
    const limits = { mostArriving: 2, mostAtOnce: 1 };
    const url = (await world.startAnother({}, { port: limits }))[port];
    const form = `timestamp=${OSMAND_DAY_MS}&in=1`;
    const path = `${new URL(url).pathname}?id=${bus.id}`;
    const head = `POST ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: ${form.length}\r\n\r\n`;
    const first = await say(url, `${head}t`);
    // It is answered after the server has read the head of the one before it.
    expect(await ask(url, { id: bus.id })).toEqual(STORED);
    const second = await say(url, `${head}t`);
    expect(await ask(url, { id: bus.id, ...at(0) })).toEqual(STORED);
    expect(await askForm(url, { id: bus.id, ...at(1) })).toEqual(STORED);
    expect(await text(first)).toMatch(/^HTTP\/1.1 503 .*retry-after: \d+.*"error":"unavailable"/is);
    second.write(form.slice(1));
    expect(await text(second)).toMatch(/^HTTP\/1.1 200 /);
    expect(await storedOf(world, bus)).toMatchObject({ seconds: [0, 1], hours: { entered: 1 } });
  });

  it.each(PORTS)('come again while others are being stored at the port %s', async (port) => {
    const bus = await world.freshBus();
    const url = (await world.startAnother({}, { port: { mostAtOnce: 1 } }))[port];
    const { db } = world.server.deps.database;
    const take = (seconds: number) => ask(url, { id: bus.id, ...at(seconds) });
    const answers = await whileLocked(db, lockUnit(bus.unitId), [() => take(0)], async () => {
      expect(await take(1)).toMatchObject(TOO_MANY);
    });
    expect(answers).toEqual([STORED]);
    expect(await take(1)).toEqual(STORED);
    expect(await storedOf(world, bus)).toMatchObject({ seconds: [0, 1] });
  });
});

describe('an address', () => {
  const refused = { status: 403, body: { error: 'no_right' } };
  const withConfig = (environment: Record<string, string>) => {
    const { dataDir } = world.server.deps.config;
    const config = readConfig({ DATA_DIR: dataDir, HOST: '127.0.0.1', ...environment });
    return world.startAnother({ config });
  };
  const sent = (id: string, url: string, forwarded: string) =>
    askBy(`${url}?id=${id}&timestamp=${OSMAND_DAY_MS}&in=1`, {
      headers: { 'x-forwarded-for': forwarded },
    });

  it.each(PORTS)('that OSMAND_FROM does not name is refused at the port %s', async (port) => {
    const bus = await world.freshBus();
    const strict = await withConfig({ OSMAND_FROM: '10.0.0.0/8,::1' });
    expect(await ask(strict[port], { id: bus.id, ...at(0) })).toMatchObject(refused);
    expect(await sent(bus.id, strict[port], '10.1.2.3')).toMatchObject(refused);
    expect(await storedOf(world, bus)).toMatchObject({ seconds: [], events: [] });
    const open = await withConfig({ OSMAND_FROM: '127.0.0.0/8' });
    expect(await ask(open[port], { id: bus.id, ...at(0) })).toEqual(STORED);
  });

  it('is the one before the proxy that TRUST_PROXY names, at the product port', async () => {
    const bus = await world.freshBus();
    const behind = await withConfig({ OSMAND_FROM: '10.0.0.0/8', TRUST_PROXY: '127.0.0.1' });
    expect(await sent(bus.id, behind.product, '10.1.2.3')).toEqual(STORED);
    expect(await sent(bus.id, behind.product, '11.1.2.3')).toMatchObject(refused);
    // The addresses before that of the proxy may be made up.
    expect(await sent(bus.id, behind.product, '10.1.2.3, 11.1.2.3')).toMatchObject(refused);
    expect(await sent(bus.id, behind.own, '10.1.2.3')).toMatchObject(refused);
  });
});

describe('an address that has named 100 ids of no unit', () => {
  const FLOOD = '2001:db8:0:1::1';
  const SAME = '2001:db8:0:1:a::2';
  const OTHER = '2001:db8:0:2::1';
  const unknown = { status: 404, body: { error: 'not_found' } };
  const withheld = { status: 429, body: { error: 'too_many_attempts' } };

  // Nobody has sent anything to it, as after a restart.
  async function freshProcess(more: Partial<Deps> = {}) {
    const { dataDir } = world.server.deps.config;
    const proxied = { DATA_DIR: dataDir, HOST: '127.0.0.1', TRUST_PROXY: '127.0.0.1' };
    const { product } = await world.startAnother({ config: readConfig(proxied), ...more });
    return (address: string, ...ids: string[]) =>
      askBy(product, {
        ...{ method: 'POST', headers: { 'x-forwarded-for': address } },
        body: JSON.stringify(ids.map((id) => ({ id, ...at(0) }))),
      });
  }

  it('has only ids taken that it has sent before, and learns of no others whether a unit has them', async () => {
    const lines: string[] = [];
    const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
    const send = await freshProcess({ log });
    const [before, adopted, guessed, beside] = [
      ...[await world.freshBus(), await world.freshBus()],
      ...[await world.freshBus(), await world.freshBus()],
    ] as const;
    const enable = (enabled: boolean) =>
      world.server.deps.database.db
        .updateTable('units')
        .set({ enabled })
        .where('id', '=', adopted.unitId)
        .execute();
    await enable(false);
    const strangers = Array.from({ length: 99 }, (_, n) => `1000000${n}`);
    expect(await send(FLOOD, before.id)).toEqual(STORED);
    expect(await send(FLOOD, ...strangers)).toMatchObject(unknown);
    // A repeat is no guess.
    expect(await send(SAME, ...strangers)).toMatchObject(unknown);
    expect(await send(SAME, adopted.id)).toMatchObject(unknown);
    expect(await send(FLOOD, 'stranger')).toMatchObject(withheld);
    expect(await send(SAME, guessed.id)).toMatchObject(withheld);
    expect(await send(FLOOD, before.id, beside.id)).toMatchObject(withheld);
    expect(await send(FLOOD, before.id)).toEqual(STORED);
    expect(await send(FLOOD, strangers[0] ?? '')).toMatchObject(unknown);
    expect(await storedOf(world, guessed)).toMatchObject({ seconds: [] });
    expect(await storedOf(world, beside)).toMatchObject({ seconds: [] });
    expect(await send(OTHER, beside.id)).toEqual(STORED);
    await enable(true);
    world.server.clock.advance(UNIT_KNOWN_MS);
    expect(await send(SAME, adopted.id)).toEqual(STORED);
    expect(lines.map((line) => JSON.parse(line).msg)).toEqual([
      'an address names too many ids of no unit',
    ]);
    world.server.clock.advance(15 * 60_000);
    expect(await send(FLOOD, guessed.id)).toEqual(STORED);
  });

  it('always has the ids taken that the server makes: nobody guesses them', async () => {
    const send = await freshProcess();
    const bus = await world.freshBus();
    const id = makeProtocolId();
    await world.server.deps.database.db
      .updateTable('units')
      .set({ protocol_id: id })
      .where('id', '=', bus.unitId)
      .execute();
    // No guesses, so they take no place of those that are.
    expect(await send(FLOOD, ...Array.from({ length: 100 }, makeProtocolId))).toMatchObject(
      unknown,
    );
    expect(
      await send(FLOOD, ...Array.from({ length: 100 }, (_, n) => `2000000${n}`)),
    ).toMatchObject(unknown);
    expect(await send(FLOOD, 'stranger')).toMatchObject(withheld);
    expect(await send(FLOOD, id)).toEqual(STORED);
    expect(await send(FLOOD, makeProtocolId())).toMatchObject(unknown);
    expect((await storedOf(world, bus)).seconds).toEqual([0]);
  });
});

it('tells the log neither who is where nor by which id', async () => {
  const lines: string[] = [];
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });
  const bus = await world.freshBus();
  const another = await world.startAnother({ log });
  for (const url of PORTS.map((port) => another[port])) {
    await ask(url, { id: bus.id, ...at(0) });
    await ask(url, { id: 'stranger-in-log', ...at(0) });
    await ask(url, { id: bus.id, ...at(1), lat: 95 });
    await ask(`${url}/x`, { id: bus.id, ...at(1) });
  }
  expect(lines.some((line) => line.includes('/unit/osmand?[redacted]'))).toBe(true);
  for (const secret of [bus.id, 'stranger-in-log', '55.7', '37.6']) {
    expect(lines.filter((line) => line.includes(secret))).toEqual([]);
  }
});

describe('the own port', () => {
  it('is not opened where OSMAND_PORT is 0', () => {
    expect(makeOsmandListener(world.server.deps)).toBeNull();
    const config = { ...world.server.deps.config, osmandPort: 5055 };
    expect(makeOsmandListener({ ...world.server.deps, config })).toMatchObject({
      ...{ name: 'osmand', port: 5055 },
    });
  });

  it('that another program has is told of, and stops nothing', async () => {
    const { deps } = world.server;
    const first = createOsmandListener(deps, 0);
    await first.start();
    const second = createOsmandListener(deps, first.openPort());
    await expect(second.start()).rejects.toThrow(
      `OSMAND_PORT ${first.openPort()} cannot be opened: another program has it`,
    );
    const listeners = createListeners([second], deps);
    await listeners.start();
    const closed = await deps.database.db
      .selectFrom('closed_ports')
      .select(['listener', 'port', 'reason'])
      .execute();
    expect(closed).toEqual([
      {
        ...{ listener: 'osmand', port: first.openPort() },
        reason: 'taken',
      },
    ]);
    await listeners.stop();
    await first.stop();
  });

  it('is closed when what was sent is answered, though others are still sending', async () => {
    const bus = await world.freshBus();
    const stopping = await startTestOsmand(world.server.deps);
    const slow = await say(
      stopping.own,
      'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 500\r\n\r\n',
    );
    const { db } = world.server.deps.database;
    let stopped: Promise<void> | undefined;
    const send = () => ask(stopping.own, { id: bus.id, ...at(0) });
    const answers = await whileLocked(db, lockUnit(bus.unitId), [send], async () => {
      stopped = stopping.stop();
    });
    expect(answers).toEqual([STORED]);
    await stopped;
    await once(slow.resume(), 'close');
    await expect(ask(stopping.own, { id: bus.id })).rejects.toThrow();
  });
});
