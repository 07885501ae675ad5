// All units that send while faults come: those of the unit interface, and those of each protocol that knows them by an id.
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '@ridewatch/server/src/core/db/free-port.ts';
import type { Chance } from '@ridewatch/unit/src/simulated/random.ts';
import type { Product } from '../../harness/product.ts';
import { senders } from '../../harness/senders.ts';
import { type ByIdLedger, type ByIdLoad, createByIdLoad } from './by-id-load.ts';
import { createLoad, type Ledger, type LoadOptions } from './load.ts';
import type { Probe } from './probe.ts';

/** Longest wait until a faulty server holds something, ms. */
const HOLDS_MS = 30_000;

/** The ledgers of the unit interface, and of the protocols by name. */
export interface Ledgers extends Ledger {
  readonly byId: Readonly<Record<string, ByIdLedger>>;
}

export interface Loads {
  /** Lets all units send until `work` is done, and then until everything is confirmed. */
  during(work: () => Promise<void>): Promise<void>;
  /** Waits for a moment in the middle of the sending, and kills the faulty servers of the protocols on the way there. */
  untilBusy(chance: Chance): Promise<void>;
  /** Kills the faulty server of the unit interface. */
  killFaulty(): void;
  /** Starts all faulty servers again. */
  restartFaulty(): void;
  compare(): Promise<Ledgers>;
  close(): Promise<void>;
}

/** A port for each protocol that has one, by its variable. */
export async function findPorts(): Promise<Record<string, string>> {
  const ports: Record<string, string> = {};
  for (const { variable } of senders) {
    if (variable !== null) ports[variable] = String(await findFreePort());
  }
  return ports;
}

/** Sets up buses whose units send to the product; silent until `during`. @param ports of the protocols, by variable */
export async function createLoads(
  product: Product,
  probe: Probe,
  { ports, ...options }: LoadOptions & { readonly ports: Readonly<Record<string, string>> },
): Promise<Loads> {
  const units = await createLoad(product, probe, options);
  const others = await Promise.all(
    senders.map((sender) => {
      const own = sender.variable === null ? new URL(product.url).port : ports[sender.variable];
      return createByIdLoad(product, {
        ...{ sender, port: Number(own), seed: options.seed },
        onAnswer: (isConfirmed, sinceMs) =>
          probe.note(sender.protocol, isConfirmed ? 200 : 0, `in ${sender.protocol}`, sinceMs),
      });
    }),
  );
  let isStopped = true;
  return {
    during: (work) =>
      units.during(async () => {
        isStopped = false;
        const sending = Promise.all(others.map((one) => one.run(() => isStopped)));
        try {
          // Should the units fail, there is nothing to work on.
          await Promise.race([work(), sending.then(() => undefined)]);
        } finally {
          isStopped = true;
        }
        await sending;
      }),
    untilBusy: async (chance) => {
      // Each is killed while it holds something, which no fault of the product gives it back.
      await Promise.all(others.map((one) => killHolding(one, () => isStopped)));
      await units.untilBusy(chance);
    },
    killFaulty: () => units.hasty.kill(),
    restartFaulty: () => {
      units.hasty.restart();
      for (const { early } of others) early.restart();
    },
    compare: async () => {
      const byId: Record<string, ByIdLedger> = {};
      for (const one of others) byId[one.protocol] = await one.compare();
      return { ...(await units.compare()), byId };
    },
    close: async () => {
      await units.close();
      for (const { early } of others) await early.close();
    },
  };
}

async function killHolding(load: ByIdLoad, isStopped: () => boolean): Promise<void> {
  const endMs = performance.now() + HOLDS_MS;
  while (!load.holds() && !isStopped() && performance.now() < endMs) await sleep(1);
  load.early.kill();
}
