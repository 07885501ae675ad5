// Units of one protocol that are known by an id and send while faults come: terminals, a platform with many objects, and
// three controls in which the comparison must find faults.
import type { UnitProtocol } from '@ridewatch/contract/unit-protocols';
import pg from 'pg';
import {
  type Carelessness,
  createKeepingUnit,
  type KeepingUnit,
  type KeepingUnitOptions,
} from '../../harness/keeping-unit.ts';
import { databaseUrl, type Product } from '../../harness/product.ts';
import type { EarlyListener, Sender } from '../../harness/sender.ts';
import type { ToldObject } from '../../harness/told.ts';
import { toldFaultsOf } from '../../harness/told-faults.ts';
import { setUpObjects, type TakeObjects } from '../../harness/told-objects.ts';

/** Terminals of each kind of counter, and the objects of the platform. */
const TERMINALS = 2;
const PLATFORM_OBJECTS = 12;
const CONTROLS = 3;
/** A full run makes records of some hours, one a second and object. */
const DAYS_BACK = 30;
/** Sentences that are told of a ledger. */
const MOST_FAULTS = 5;
/** Waits of a sender, ms: shorter than those of the standards, so that a stopped database outlasts them. */
const WAITS = { answerMs: 3_000, reconnectMs: 150, betweenMs: 60 } as const;

/** So the server that confirms too early holds something most of the time, ms. */
const TRUSTING_BETWEEN_MS = 1_000;

/** The ledgers of one protocol compared with the database. */
export interface ByIdLedger {
  readonly records: number;
  /** How often sound links broke in a message, lost a confirmation, heard none in time, and devices restarted. */
  readonly count: KeepingUnit['count'];
  /** Records that were confirmed and are not there. */
  readonly lost: number;
  readonly doubled: number;
  /** The faults as sentences, the first few. */
  readonly sentences: readonly string[];
  /** Faults of the controls that the comparison finds. */
  readonly controls: {
    /** Records behind a server that confirms too early: confirmed, and not there. */
    readonly early: number;
    /** Records of a unit that forgets what waits: not there. */
    readonly forgotten: number;
    /** Records of a unit that gives what waits another time: there twice. */
    readonly doubled: number;
  };
}

export interface ByIdLoad {
  readonly protocol: UnitProtocol;
  readonly early: EarlyListener;
  /** Whether the server that confirms too early holds a message whose confirmation has come to its unit. */
  holds(): boolean;
  /** Messages of the sound units that were sent so far, and the breaks of their links. */
  sent(): number;
  count(): ByIdLedger['count'];
  /** Lets the units send until stopped, and then until everything is confirmed. */
  run(isStopped: () => boolean): Promise<void>;
  compare(): Promise<ByIdLedger>;
}

export interface ByIdLoadOptions {
  readonly sender: Sender;
  readonly port: number;
  readonly seed: number;
  /** Told what each wait of a sound unit for a confirmation came to. */
  readonly onAnswer?: KeepingUnitOptions['onAnswer'];
}

/** Sets up buses whose units send to the product; silent until `run`. */
export async function createByIdLoad(
  product: Product,
  { sender, port, seed, onAnswer }: ByIdLoadOptions,
): Promise<ByIdLoad> {
  let sent = 0;
  const buses = CONTROLS + TERMINALS * sender.counts.length + PLATFORM_OBJECTS;
  const take = await setUpObjects(product, sender, buses, CONTROLS);
  const early = await sender.startEarly(port);
  const usual = { ...WAITS, sender, port, seed, daysBack: DAYS_BACK };
  const onSent = (): void => {
    sent += 1;
  };
  const noted = { onSent, ...(onAnswer && { onAnswer }) };
  const sound = [
    ...sender.counts.flatMap((counts) =>
      take(counts, TERMINALS).map((object) =>
        createKeepingUnit({ ...usual, ...noted, objects: [object], isPlatform: false }),
      ),
    ),
    ...sharesOf(sender, take).map((objects) =>
      createKeepingUnit({ ...usual, ...noted, objects, isPlatform: true }),
    ),
  ];
  const careless = (carelessness: Carelessness): KeepingUnit =>
    createKeepingUnit({ ...usual, objects: take('delta', 1), isPlatform: true, carelessness });
  const forgetful = careless('forgets what waits');
  const restamping = careless('gives what waits another time');
  const trusting = createKeepingUnit({
    ...{ ...usual, objects: take('delta', 1), isPlatform: true },
    ...{ port: early.port, mostWaiting: 1, betweenMs: TRUSTING_BETWEEN_MS },
  });
  const all = [...sound, forgetful, restamping, trusting];
  return {
    ...{ protocol: sender.protocol, early },
    // One message waits at a time, so the last one is the one that is held. Killed before its confirmation has come, it would
    // be sent again.
    holds: () => early.holds() && trusting.ledger.at(-1)?.isConfirmed === true,
    sent: () => sent,
    count: () => sumOf(sound),
    run: async (isStopped) => {
      await Promise.all(all.map((unit) => unit.run(isStopped)));
      await early.settle();
    },
    compare: async () => {
      const client = new pg.Client(await databaseUrl(product));
      await client.connect();
      try {
        const faults: string[] = [];
        for (const unit of sound) faults.push(...(await toldFaultsOf(client, unit)));
        const isLost = (text: string): boolean => /^(acknowledged and )?not stored/.test(text);
        const isDouble = (text: string): boolean => /^stored \d+ times/.test(text);
        const find = async (unit: KeepingUnit, fault: (text: string) => boolean): Promise<number> =>
          (await toldFaultsOf(client, unit)).filter(fault).length;
        return {
          records: sound.reduce((sum, { ledger }) => sum + ledger.length, 0),
          count: sumOf(sound),
          lost: faults.filter(isLost).length,
          doubled: faults.filter(isDouble).length,
          sentences: faults.slice(0, MOST_FAULTS),
          controls: {
            early: await find(trusting, (text) => text.startsWith('acknowledged and not')),
            forgotten: await find(forgetful, isLost),
            doubled: await find(restamping, isDouble),
          },
        };
      } finally {
        await client.end();
      }
    },
  };
}

// The objects of platforms; a protocol whose links have one object has as many links.
function sharesOf(sender: Sender, take: TakeObjects): ToldObject[][] {
  const objects = sender.counts.flatMap((counts) =>
    take(counts, PLATFORM_OBJECTS / sender.counts.length),
  );
  const shares: ToldObject[][] = [];
  for (let from = 0; from < objects.length; from += sender.mostObjects) {
    shares.push(objects.slice(from, from + sender.mostObjects));
  }
  return shares;
}

function sumOf(units: readonly KeepingUnit[]): KeepingUnit['count'] {
  const sum = { cuts: 0, lost: 0, silences: 0, restarts: 0 };
  for (const { count } of units) {
    for (const name of ['cuts', 'lost', 'silences', 'restarts'] as const) sum[name] += count[name];
  }
  return sum;
}
