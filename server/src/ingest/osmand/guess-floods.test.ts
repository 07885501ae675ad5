// A guess of an id costs a refusal: known units are answered meanwhile, and the database and the log hear little of it.
import { once } from 'node:events';
import { connect } from 'node:net';
import { pino } from 'pino';
import { describe, expect, it, vi } from 'vitest';
import { makeProtocolId } from '../../administration/unit-protocol.ts';
import { readConfig } from '../../core/config.ts';
import type { Deps } from '../../deps.ts';
import {
  ask,
  askBy,
  at,
  createOsmandWorld,
  type Limits,
  OSMAND_DAY_MS,
  PORTS,
  STORED,
  storedOf,
} from '../../test/osmand.ts';
import { UNIT_KNOWN_MS } from '../../test/test-deps.ts';
import { useWorld } from '../../test/use-world.ts';
import { watchLookUps } from '../../test/watched-look-ups.ts';

const FLOOD = '2001:db8:0:1::1';
const OTHER = '2001:db8:0:2::1';
const UNKNOWN = { status: 404, body: { error: 'not_found' } };
const WITHHELD = { status: 429, body: { error: 'too_many_attempts' } };
const BUSY = { status: 503, body: { error: 'unavailable' } };

const world = useWorld(createOsmandWorld);

/** Starts a process behind a proxy. @returns sends JSON from an address, a position of each id */
async function behindProxy(limits: Limits['port'] = {}, more: Partial<Deps> = {}) {
  const { dataDir } = world.server.deps.config;
  const proxied = { DATA_DIR: dataDir, HOST: '127.0.0.1', TRUST_PROXY: '127.0.0.1' };
  const config = readConfig(proxied);
  const { product } = await world.startAnother({ config, ...more }, { port: limits });
  return (address: string, ...ids: string[]) =>
    askBy(product, {
      ...{ method: 'POST', headers: { 'x-forwarded-for': address } },
      body: JSON.stringify(ids.map((id) => ({ id, ...at(0) }))),
    });
}

const guesses = (count: number): string[] => Array.from({ length: count }, (_, n) => `9000${n}`);

/** Counts the answers of each status. */
const countsOf = (answers: readonly { readonly status: number }[]): Record<number, number> => {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};

/** Waits for some of many answers. @returns asks how many came with a status */
function watchStatuses(answers: readonly Promise<{ readonly status: number }>[]) {
  const came: { readonly status: number }[] = [];
  for (const one of answers) void one.then((answer) => came.push(answer));
  return (status: number): number => countsOf(came)[status] ?? 0;
}

/** A log, and the texts of its lines from warnings on. */
function watchedLog() {
  const lines: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
  return { log, texts: () => lines.map((line): string => JSON.parse(line).msg) };
}

describe('guesses of an address that has named 100 ids of no unit', () => {
  it('ask the database nothing', async () => {
    const send = await behindProxy();
    const bus = await world.freshBus();
    expect(await send(FLOOD, ...guesses(100))).toMatchObject(UNKNOWN);
    const lookUps = watchLookUps();
    for (const id of ['one', 'other', bus.id]) {
      expect(await send(FLOOD, id)).toMatchObject(WITHHELD);
    }
    expect(await send(FLOOD, 'one', 'other')).toMatchObject(WITHHELD);
    expect(lookUps.ids()).toEqual([]);
    // From elsewhere it is no guess.
    expect(await send(OTHER, bus.id)).toEqual(STORED);
    expect(lookUps.ids()).toEqual([[bus.id]]);
  });

  it('leave out of the look-up what they name beside ids that are taken', async () => {
    const send = await behindProxy();
    const bus = await world.freshBus();
    expect(await send(FLOOD, bus.id)).toEqual(STORED);
    expect(await send(FLOOD, ...guesses(100))).toMatchObject(UNKNOWN);
    world.server.clock.advance(UNIT_KNOWN_MS);
    const lookUps = watchLookUps();
    expect(await send(FLOOD, bus.id, 'guess')).toMatchObject(WITHHELD);
    expect(lookUps.ids()).toEqual([[bus.id]]);
  });

  it('are refused also when they were under way before it had', async () => {
    const send = await behindProxy();
    const bus = await world.freshBus();
    const lookUps = watchLookUps();
    const letGo = lookUps.hold();
    const first = send(FLOOD, ...guesses(99));
    await vi.waitFor(() => expect(lookUps.ids()).toHaveLength(1));
    const answers = ['hundredth', 'more'].map((id) => send(FLOOD, id));
    letGo();
    expect(await first).toMatchObject(UNKNOWN);
    expect(countsOf(await Promise.all(answers))).toEqual({ 404: 1, 429: 1 });
    expect(await send(FLOOD, bus.id)).toMatchObject(WITHHELD);
  });
});

describe('a thousand guesses under way', () => {
  // Nobody limits those of 128 bits.
  const flood = (send: Awaited<ReturnType<typeof behindProxy>>, count: number) =>
    Array.from({ length: count }, () => send(FLOOD, makeProtocolId()));

  it('keep no unit from being answered, whatever its address, and share their look-ups', async () => {
    const send = await behindProxy({ mostAtOnce: 1000 });
    const [beside, elsewhere, fresh] = [
      ...[await world.freshBus(), await world.freshBus(), await world.freshBus()],
    ] as const;
    expect(await send(FLOOD, beside.id)).toEqual(STORED);
    expect(await send(OTHER, elsewhere.id)).toEqual(STORED);
    const lookUps = watchLookUps();
    const letGo = lookUps.hold();
    const answers = flood(send, 1010);
    const countOf = watchStatuses(answers);
    await vi.waitFor(() => expect(countOf(503)).toBe(10), { timeout: 20_000 });
    expect(await send(FLOOD, beside.id)).toEqual(STORED);
    expect(await send(OTHER, elsewhere.id)).toEqual(STORED);
    expect(lookUps.ids()).toHaveLength(1);
    const first = send(OTHER, fresh.id);
    letGo();
    expect(await first).toEqual(STORED);
    expect(countsOf(await Promise.all(answers))).toEqual({ 404: 999, 503: 11 });
    expect(lookUps.ids().length).toBeLessThanOrEqual(4);
    expect(lookUps.mostAtOnce()).toBe(1);
  });

  it('leave the first request of another address its place', async () => {
    const send = await behindProxy({ mostAtOnce: 2 });
    const bus = await world.freshBus();
    const lookUps = watchLookUps();
    const letGo = lookUps.hold();
    const two = flood(send, 2);
    await vi.waitFor(() => expect(lookUps.ids()).toHaveLength(1));
    const answer = send(OTHER, bus.id);
    expect(await Promise.race(two)).toMatchObject(BUSY);
    // The address that guesses displaces its own.
    const more = send(FLOOD, makeProtocolId());
    expect(countsOf(await Promise.all(two))).toEqual({ 503: 2 });
    letGo();
    expect([await answer, await more]).toMatchObject([STORED, UNKNOWN]);
  });
});

describe.each(PORTS)('at the port %s', (port) => {
  it('a request whose connection ends gives its place back at once, and is not stored', async () => {
    const url = (await world.startAnother({}, { port: { mostAtOnce: 1 } }))[port];
    const [gone, bus] = [await world.freshBus(), await world.freshBus()];
    expect(await ask(url, { id: gone.id, ...at(0) })).toEqual(STORED);
    world.server.clock.advance(UNIT_KNOWN_MS);
    expect(await ask(url, { id: bus.id, ...at(0) })).toEqual(STORED);
    const lookUps = watchLookUps();
    const letGo = lookUps.hold();
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    const query = `id=${gone.id}&timestamp=${OSMAND_DAY_MS + 1000}&lat=1&lon=1`;
    socket.write(`GET ${new URL(url).pathname}?${query} HTTP/1.1\r\nhost: x\r\n\r\n`);
    await vi.waitFor(() => expect(lookUps.ids()).toEqual([[gone.id]]));
    // A unit that the process knows gives its place to nobody.
    expect(await ask(url, { id: bus.id, ...at(1) })).toMatchObject(BUSY);
    socket.destroy();
    await once(socket, 'close');
    await vi.waitFor(async () => {
      expect(await ask(url, { id: bus.id, ...at(1) })).toEqual(STORED);
    });
    letGo();
    expect(await ask(url, { id: gone.id, ...at(2) })).toEqual(STORED);
    expect(await storedOf(world, gone)).toMatchObject({ seconds: [0, 2] });
  });

  it('too many requests at once cost one line of the log', async () => {
    const { log, texts } = watchedLog();
    const url = (await world.startAnother({ log }, { port: { mostAtOnce: 1 } }))[port];
    const lookUps = watchLookUps();
    const letGo = lookUps.hold();
    const answers = Array.from({ length: 20 }, (_, n) => ask(url, { id: `flood-${n}`, ...at(0) }));
    const countOf = watchStatuses(answers);
    await vi.waitFor(() => expect(countOf(503)).toBe(19));
    letGo();
    expect(countsOf(await Promise.all(answers))).toEqual({ 400: 1, 503: 19 });
    expect(texts()).toEqual(['a port has too many requests']);
  });
});
