// Records that the server has confirmed to units of other protocols are stored exactly once, whatever happens to server,
// database, disk and link meanwhile. A small run of what `npm run faults` does for these protocols, with the same load and comparison.
import { randomInt } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '@ridewatch/server/src/core/db/free-port.ts';
import { type Chance, chanceOf } from '@ridewatch/unit/src/simulated/random.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Product, startProduct, waitFor } from '../harness/product.ts';
import type { Sender } from '../harness/sender.ts';
import { senders } from '../harness/senders.ts';
import { type ByIdLedger, type ByIdLoad, createByIdLoad } from './faults/by-id-load.ts';
import { killDatabase, killServer, stopDatabase, takeConnections } from './faults/faults.ts';

/** A failure names its seed; FAULT_SEED repeats the records, the breaks of links and the moments of the faults. */
const seed = Number(process.env.FAULT_SEED || randomInt(2 ** 31));
/** Longer than a sender waits (3 s), and than the server lets a unit wait for its turn (5 s). */
const STOP_S = 7;
const TAKEN_S = 4;
/** Confirmed messages in the end, and breaks of each kind: a busy machine takes minutes for them. */
const CONFIRMED = 400;
const BREAKS = 4;
const LIMIT_MS = 300_000;
const GIB = 2 ** 30;
const FAULTS = ['server', 'database', 'stop', 'connections', 'disk', 'power', 'server'] as const;

describe.each(senders)(`units of $protocol, with FAULT_SEED=${seed}`, (sender) => {
  let folder: string;
  let product: Product;
  let load: ByIdLoad;
  let ledger: ByIdLedger;
  /** Sound messages that were confirmed, and those that were sent in vain. */
  const messages = { confirmed: 0, inVain: 0 };

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'ridewatch-faults-'));
    await setDisk(400);
    product = await startProduct({ env: { ...(await environmentOf(sender)), LOG_LEVEL: 'fatal' } });
    load = await createByIdLoad(product, {
      ...{ sender, seed, port: portOf(sender) },
      onAnswer: (isConfirmed) => {
        messages[isConfirmed ? 'confirmed' : 'inVain'] += 1;
      },
    });
    let isStopped = false;
    const sending = load.run(() => isStopped);
    const broken = sending.then(() => Promise.reject(new Error('the units stopped by themselves')));
    for (const [n, fault] of FAULTS.entries()) {
      const chance = chanceOf(seed, 'faults', n);
      await Promise.race([untilBusy(chance), broken]);
      const before = messages.inVain;
      const inVain = (): number => messages.inVain - before;
      load.early.kill();
      await inflict(fault, chance, inVain);
      load.early.restart();
      // A database that is back within a second answers all in time.
      if (fault !== 'database') await waitFor(async () => inVain() > 0, `a ${fault} that is met`);
    }
    const isEnough = async (): Promise<boolean> =>
      messages.confirmed > CONFIRMED && Object.values(load.count()).every((one) => one >= BREAKS);
    await Promise.race([waitFor(isEnough, 'messages and breaks', LIMIT_MS), broken]);
    isStopped = true;
    await Promise.all([sending, broken.catch(() => undefined)]);
    ledger = await load.compare();
  });
  afterAll(async () => {
    await load?.early.close();
    await product?.remove();
    await rm(folder, { recursive: true, force: true });
  });

  let port = 0;
  async function environmentOf({ variable }: Sender): Promise<Record<string, string>> {
    const disk = new URL('../harness/fake-disk.ts', import.meta.url);
    disk.searchParams.set('room', path.join(folder, 'disk'));
    port = await findFreePort();
    return {
      ...{ NODE_OPTIONS: `--import=${disk.href}`, DISK_CROWDED: '85', DISK_FULL: '98' },
      ...(variable !== null && { [variable]: String(port) }),
    };
  }
  const portOf = ({ variable }: Sender): number =>
    variable === null ? Number(new URL(product.url).port) : port;
  const setDisk = (freeGib: number): Promise<void> =>
    writeFile(path.join(folder, 'disk'), `${500 * GIB} ${freeGib * GIB}`);

  async function untilBusy(chance: Chance): Promise<void> {
    const wanted = messages.confirmed + Math.floor(chance.between(20, 50));
    await waitFor(async () => messages.confirmed >= wanted, 'confirmed messages', LIMIT_MS);
    await sleep(chance.between(0, 60));
    await waitFor(async () => load.holds(), 'a confirmed message that is held', LIMIT_MS);
  }

  async function inflict(
    fault: (typeof FAULTS)[number],
    chance: Chance,
    inVain: () => number,
  ): Promise<void> {
    if (fault === 'server') await killServer(product);
    else if (fault === 'database') await killDatabase(product, chance);
    else if (fault === 'stop') await stopDatabase(product, STOP_S);
    else if (fault === 'connections') await takeConnections(product, TAKEN_S);
    else if (fault === 'power') {
      await product.cutPower();
      await product.restart();
    } else {
      await setDisk(0);
      await waitFor(async () => inVain() > 10, 'messages that are not confirmed');
      await setDisk(400);
    }
  }

  it('have each confirmed record stored once, nothing that they did not send, and their people in the hours', () => {
    const { records, lost, doubled, sentences } = ledger;
    expect({ lost, doubled, sentences }).toEqual({ lost: 0, doubled: 0, sentences: [] });
    expect(records).toBeGreaterThan(CONFIRMED);
  });

  it('would be found out to have lost what is confirmed too early or not kept, and doubled what changes', () => {
    const { early, forgotten, doubled } = ledger.controls;
    expect(early).toBeGreaterThan(0);
    expect(forgotten).toBeGreaterThan(0);
    expect(doubled).toBeGreaterThan(0);
  });
});
