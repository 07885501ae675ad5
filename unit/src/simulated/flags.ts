import { parseArgs } from 'node:util';
import { Zone } from '@ridewatch/contract/primitives';
import { DEMO_BUSES, DEMO_SEED, DEMO_ZONE } from './plan.ts';
import type { Address, ProtocolAddresses } from './tellers.ts';

export const USAGE = `Usage: npm run simulate -- --url http://localhost:8080 [options]
  --buses N         number of buses (${DEMO_BUSES})
  --days D          whole local days of history before today (1)
  --earlier W       whole weeks before that, sent slowly afterwards, the newest days first (0; 11 with --demo)
  --speed X         pace of the history: max, or X seconds per second; then real time (max)
  --until-now       stop when the present is reached and the earlier weeks are sent
  --film            make and upload clips of present fragments, too; else clips are made when fetched
  --login LOGIN     an administrator (admin)
  --password TEXT   or the variable RIDEWATCH_PASSWORD
  --seed S          another seed gives another fleet with its own buses (${DEMO_SEED})
  --zone ZONE       IANA zone of the fleet; the same at each run (${DEMO_ZONE})
  --truth FILE      write the truth (docs/truth-file.md)
  --protocols       adds a bus for each of EGTS, JT/T 808 and the OsmAnd form that the server takes, at its ports
  --egts HOST:PORT, --jt808 HOST:PORT, --osmand URL
                    adds the bus of one protocol, at another address
  --data DIR        folder of the state, from which the next run continues
  --demo            the fleet of the demo; needs --data`;

/** A flag is invalid; the message is for the operator. */
export class FlagError extends Error {}

export interface Flags {
  url: string;
  buses: number;
  days: number;
  /** Whole weeks before these days, sent while the fleet runs. */
  earlierWeeks: number;
  /** Simulated seconds per second while history is sent. */
  speed: number | 'max';
  untilNow: boolean;
  /** Whether present fragments get clips before somebody fetches them. */
  clips: boolean;
  login: string;
  password: string;
  seed: number;
  zone: string;
  truth: string | undefined;
  data: string | undefined;
  demo: boolean;
  /** Whether the fleet has a bus of each protocol that the server takes. */
  asksForProtocols: boolean;
  /** The addresses, if they are known beforehand; the fleet has a bus of each of these, too. */
  protocols: ProtocolAddresses;
}

const DEMO_DAYS = 7;
const MOST_BUSES = 100_000;
const DEMO_EARLIER_WEEKS = 11;
const MOST_DAYS = 366;
const MOST_WEEKS = 52;
const MOST_SEED = 0xffff_ffff;

/**
 * Reads the command line.
 * @param environmentPassword value of the environment for --password
 * @throws FlagError that names the flag
 */
export function readFlags(args: readonly string[], environmentPassword?: string): Flags {
  const values = parse(args);
  const demo = values.demo === true;
  const password = values.password ?? environmentPassword;
  if (password === undefined) throw new FlagError('--password or RIDEWATCH_PASSWORD is required.');
  if (demo && values.data === undefined) throw new FlagError('--demo needs --data DIR.');
  return {
    url: readUrl(values.url),
    buses: readCount('buses', values.buses, { usual: DEMO_BUSES, least: 1, most: MOST_BUSES }),
    days: readCount('days', values.days, {
      usual: demo ? DEMO_DAYS : 1,
      least: 0,
      most: MOST_DAYS,
    }),
    earlierWeeks: readCount('earlier', values.earlier, {
      usual: demo ? DEMO_EARLIER_WEEKS : 0,
      least: 0,
      most: MOST_WEEKS,
    }),
    speed: readSpeed(values.speed),
    untilNow: values['until-now'] === true,
    clips: demo || values.film === true,
    login: values.login ?? 'admin',
    password,
    seed: readCount('seed', values.seed, { usual: DEMO_SEED, least: 0, most: MOST_SEED }),
    zone: readZone(values.zone),
    truth: values.truth,
    data: values.data,
    demo,
    asksForProtocols: values.protocols === true,
    protocols: {
      ...(values.egts !== undefined && { egts: readAddress('egts', values.egts) }),
      ...(values.jt808 !== undefined && { jt808: readAddress('jt808', values.jt808) }),
      ...(values.osmand !== undefined && { osmand: readHttp('osmand', values.osmand) }),
    },
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        url: { type: 'string' },
        buses: { type: 'string' },
        days: { type: 'string' },
        earlier: { type: 'string' },
        speed: { type: 'string' },
        'until-now': { type: 'boolean' },
        film: { type: 'boolean' },
        login: { type: 'string' },
        password: { type: 'string' },
        seed: { type: 'string' },
        zone: { type: 'string' },
        truth: { type: 'string' },
        data: { type: 'string' },
        protocols: { type: 'boolean' },
        egts: { type: 'string' },
        jt808: { type: 'string' },
        osmand: { type: 'string' },
        demo: { type: 'boolean' },
      },
    }).values;
  } catch (cause) {
    throw new FlagError(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

function readUrl(text: string | undefined): string {
  if (text === undefined)
    throw new FlagError('--url is required, for instance http://localhost:8080.');
  return readHttp('url', text).replace(/\/+$/, '');
}

function readHttp(name: string, text: string): string {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text;
  throw new FlagError(`--${name} '${text}' is not an http address.`);
}

function readAddress(name: string, text: string): Address {
  const [, host, port] = /^(.+):(\d{1,5})$/.exec(text) ?? [];
  if (host === undefined || Number(port) < 1 || Number(port) > 65_535) {
    throw new FlagError(`--${name} '${text}' is not HOST:PORT.`);
  }
  return { host, port: Number(port) };
}

function readZone(text = DEMO_ZONE): string {
  if (!Zone.safeParse(text).success) throw new FlagError(`--zone '${text}' is not an IANA zone.`);
  return text;
}

function readSpeed(text: string | undefined): number | 'max' {
  if (text === undefined || text === 'max') return 'max';
  const speed = Number(text);
  if (!(speed >= 1) || speed > 1e6) {
    throw new FlagError(`--speed '${text}' is neither max nor a number from 1 to 1000000.`);
  }
  return speed;
}

function readCount(
  name: string,
  text: string | undefined,
  { usual, least, most }: { usual: number; least: number; most: number },
): number {
  if (text === undefined) return usual;
  const count = Number(text);
  if (!/^\d+$/.test(text) || count < least || count > most) {
    throw new FlagError(`--${name} '${text}' is not a whole number from ${least} to ${most}.`);
  }
  return count;
}
