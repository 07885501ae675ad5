// Requests in each form over real sockets at both ports, one after the other in a connection, cut and joined at random bytes:
// each is answered in its turn, and everything is stored once.
import { connect } from 'node:net';
import { osmandJson, osmandQuery } from '@ridewatch/unit/src/osmand/request.ts';
import fc from 'fast-check';
import { expect, inject, it } from 'vitest';
import { sendInPieces } from '../../test/damaged-packets.ts';
import {
  createOsmandWorld,
  OSMAND_DAY_MS,
  PORTS,
  positionAt,
  storedOf,
} from '../../test/osmand.ts';
import { useWorld } from '../../test/use-world.ts';

const world = useWorld(createOsmandWorld);

const moment = fc.record({
  second: fc.nat(400),
  entered: fc.nat(9),
  exited: fc.nat(9),
  door: fc.integer({ min: 1, max: 8 }),
  isCount: fc.boolean(),
  form: fc.constantFrom('query' as const, 'form' as const, 'json' as const),
});
type Moment = typeof moment extends fc.Arbitrary<infer One> ? One : never;

/** The bytes of a request. @param isLast the connection ends after it */
function requestOf(path: string, id: string, one: Moment, isLast: boolean): Buffer {
  const { second, entered, exited, door, isCount, form } = one;
  const people = { timeMs: OSMAND_DAY_MS + second * 1000, door, entered, exited };
  const told = isCount ? people : positionAt(second);
  const query = osmandQuery(id, told).toString();
  const { target, type, body } = {
    query: { target: `${path}?${query}`, type: '', body: '' },
    form: { target: path, type: 'application/x-www-form-urlencoded', body: query },
    json: {
      ...{ target: path, type: 'application/json' },
      body: JSON.stringify(osmandJson(id, [told])),
    },
  }[form];
  const head = [
    `${form === 'query' ? 'GET' : 'POST'} ${target} HTTP/1.1`,
    'Host: units',
    ...(type === '' ? [] : [`Content-Type: ${type}`, `Content-Length: ${Buffer.byteLength(body)}`]),
    ...(isLast ? ['Connection: close'] : []),
  ];
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`);
}

/** Sends bytes in pieces, and reads until the other side closes. */
async function exchange(url: URL, bytes: Buffer, cuts: readonly number[]): Promise<string> {
  const socket = connect({ port: Number(url.port), host: url.hostname, noDelay: true });
  await new Promise((resolve) => socket.once('connect', resolve));
  let answers = '';
  socket.setEncoding('latin1').on('data', (text) => {
    answers += text;
  });
  const closed = new Promise((resolve) => socket.once('close', resolve));
  const pieces: Buffer[] = [];
  sendInPieces({ send: (piece) => void pieces.push(piece) }, bytes, cuts);
  for (const piece of pieces) {
    socket.write(piece);
    await new Promise(setImmediate);
  }
  await closed;
  return answers;
}

it.each(PORTS)('are stored once at the port %s', async (port) => {
  await fc.assert(
    fc.asyncProperty(
      // A unit of which more than nine come at once is asked to send the rest again.
      fc.uniqueArray(moment, { minLength: 1, maxLength: 4, selector: ({ second }) => second }),
      fc.array(fc.nat(), { maxLength: 20 }),
      async (moments, cuts) => {
        const bus = await world.freshBus();
        const url = new URL(world[port]);
        // Each comes twice, as after a lost answer.
        const all = [...moments, ...moments];
        const requests = all.map((one, n) =>
          requestOf(url.pathname, bus.id, one, n === all.length - 1),
        );
        const answers = await exchange(url, Buffer.concat(requests), cuts);
        expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual(all.map(() => 'HTTP/1.1 200'));
        const inOrder = moments.toSorted((a, b) => a.second - b.second);
        const events = inOrder
          .filter(({ isCount }) => isCount)
          .flatMap(({ second, door, entered, exited }) => [
            [second, door, 'entered', entered],
            [second, door, 'exited', exited],
          ]);
        expect(await storedOf(world, bus)).toMatchObject({
          seconds: inOrder.filter(({ isCount }) => !isCount).map(({ second }) => second),
          events: events.filter(([, , , people]) => people !== 0),
        });
      },
    ),
    { numRuns: inject('triesEverything') ? 200 : 3 },
  );
});
