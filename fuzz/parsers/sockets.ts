// The same damaged frames over sockets to a running product: it stays up, its memory is bounded, and a sound unit beside them
// is served the whole time, each of its records once.
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '@ridewatch/server/src/core/db/free-port.ts';
import { type Chance, chanceOf } from '@ridewatch/unit/src/simulated/random.ts';
import pg from 'pg';
import { createKeepingUnit } from '../../harness/keeping-unit.ts';
import { databaseUrl, type Product, startProduct } from '../../harness/product.ts';
import { senders } from '../../harness/senders.ts';
import { toldFaultsOf } from '../../harness/told-faults.ts';
import { setUpObjects } from '../../harness/told-objects.ts';
import { faultsOfRun } from '../verdict.ts';
import { watchProduct } from '../watch.ts';
import { mutate, splitAtRandom } from './mutations.ts';
import type { FuzzedParser } from './parser.ts';

/** Connections at the same time, and frames of each. */
const LINES = 8;
const FRAMES_OF_A_LINK = 20;
const CLEAN = 0.3;
/** Longest life of a connection, ms: the server waits ten seconds for the rest of a frame. */
const LINK_MS = 20_000;
/** A run shares the machine: /healthz may wait so long, ms. */
const MOST_HEALTH_MS = 2000;

/** The outcome of a run over sockets. */
export interface SocketOutcome {
  readonly lines: readonly string[];
  readonly faults: readonly string[];
}

/** Runs it with a product of its own. */
export async function runSockets(
  parser: FuzzedParser,
  { seed, frames }: { readonly seed: number; readonly frames: number },
): Promise<SocketOutcome> {
  // Registrars, which upload by FTP and send live video, are units of JT/T 808.
  const spoken = parser.port === undefined ? parser.protocol : 'jt808';
  const sender = senders.find(({ protocol }) => protocol === spoken);
  if (sender === undefined) throw new Error(`nobody sends ${spoken}`);
  const own = await findFreePort();
  const others = parser.port === undefined ? own : await findFreePort();
  const env = {
    ...(sender.variable !== null && { [sender.variable]: String(own) }),
    ...(parser.port !== undefined && { [parser.port]: String(others) }),
  };
  const product = await startProduct({ env: { ...env, LOG_LEVEL: 'error' } });
  try {
    const isOwn = sender.variable !== null;
    const port = isOwn ? own : Number(new URL(product.url).port);
    // Frames of the second bus are stored, too.
    const take = await setUpObjects(product, sender, 2);
    const unit = createKeepingUnit({
      ...{ sender, port, seed, objects: take('delta', 1), isPlatform: false, daysBack: 30 },
      ...{ answerMs: 10_000, reconnectMs: 100, betweenMs: 50 },
    });
    const watch = await watchProduct(product.url);
    let isStopped = false;
    const beside = unit.run(() => isStopped);
    const sent = await sendAll(parser, isOwn ? others : port, seed, frames);
    isStopped = true;
    await beside;
    const watched = await watch.stop();
    const faults = [
      ...faultsOfRun({ kinds: new Map(), watched }, MOST_HEALTH_MS),
      ...(await faultsBeside(product, unit)),
      ...(product.hasEnded() ? ['the server has ended'] : []),
    ];
    return {
      lines: [
        `  over sockets: ${sent.frames} frames in ${sent.links} connections; beside them ${unit.ledger.length} records of a sound unit, ${unit.count.silences} waits of 10 s in vain`,
        `  memory of the server ${watched.firstMiB.toFixed(0)} MiB before, ${watched.mostMiB.toFixed(0)} at most, ${watched.lastMiB.toFixed(0)} after; /healthz p99 ${watched.p99Ms.toFixed(0)} ms`,
      ],
      faults: unit.count.silences > 0 ? [...faults, 'a sound unit waited in vain'] : faults,
    };
  } finally {
    await product.remove();
  }
}

async function faultsBeside(
  product: Product,
  unit: Parameters<typeof toldFaultsOf>[1],
): Promise<string[]> {
  const client = new pg.Client(await databaseUrl(product));
  await client.connect();
  try {
    return (await toldFaultsOf(client, unit)).slice(0, 5);
  } finally {
    await client.end();
  }
}

async function sendAll(
  parser: FuzzedParser,
  port: number,
  seed: number,
  frames: number,
): Promise<{ links: number; frames: number }> {
  let links = 0;
  const most = Math.ceil(frames / FRAMES_OF_A_LINK);
  const line = async (): Promise<void> => {
    while (links < most) {
      links += 1;
      await sendLink(parser, port, chanceOf(seed, parser.protocol, 'sockets', links));
    }
  };
  await Promise.all(Array.from({ length: LINES }, line));
  return { links, frames: links * FRAMES_OF_A_LINK };
}

// A link lasts until the server has read all, or has closed the connection.
async function sendLink(parser: FuzzedParser, port: number, chance: Chance): Promise<void> {
  const frames = Array.from({ length: FRAMES_OF_A_LINK }, () => {
    const sound = parser.makeFrame(chance);
    return chance.happens(CLEAN) ? sound : mutate(chance, sound, parser);
  });
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()));
  socket.on('error', () => socket.destroy());
  // The answers are read, and nobody needs them.
  socket.resume();
  const late = setTimeout(() => socket.destroy(), LINK_MS);
  for (const piece of splitAtRandom(chance, Buffer.concat(frames))) {
    if (socket.destroyed) break;
    socket.write(piece);
    if (chance.happens(0.05)) await sleep(1);
  }
  socket.end();
  await closed;
  clearTimeout(late);
}
