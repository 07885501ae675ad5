// The values that variables of the environment may have.
import { isIPv4, isIPv6 } from 'node:net';
import * as z from 'zod/mini';

/** A TCP port. */
export const port = z.pipe(
  z.string().check(z.regex(/^\d{1,5}$/, 'must be a port number')),
  z.pipe(z.transform(Number), z.int().check(z.minimum(0), z.maximum(65_535))),
);

/** Most ports of a range. */
const MOST_PORTS = 1000;

const rangeOf = (text: string): readonly number[] => text.split('-').map(Number);

/** A range of TCP ports such as `20100-20199`, both included. */
export const portRange = z.pipe(
  z.string().check(
    z.regex(/^[1-9]\d{0,4}-[1-9]\d{0,4}$/, 'must be two port numbers such as 20100-20199'),
    z.refine((text) => {
      const [first = 0, last = 0] = rangeOf(text);
      return first <= last && last <= 65_535 && last - first < MOST_PORTS;
    }, `must be a range of at most ${MOST_PORTS} ports, the first one first`),
  ),
  z.transform((text) => {
    const [first = 0, last = 0] = rangeOf(text);
    return { first, last };
  }),
);

/** A number of milliseconds, possibly negative. */
export const milliseconds = z.pipe(
  z.string().check(z.regex(/^-?\d{1,13}$/, 'must be a whole number of milliseconds')),
  z.transform(Number),
);

/** A percentage, as a share of 1. */
export const percent = z.pipe(
  z.string().check(z.regex(/^([5-9]\d|100)$/, 'must be a percentage from 50 to 100')),
  z.transform((text) => Number(text) / 100),
);

/** A number of days. */
export const days = z.pipe(
  z.string().check(z.regex(/^[1-9]\d{0,4}$/, 'must be a number of days')),
  z.transform(Number),
);

/** Whether a text is an address of map tiles, or `none`. */
export const isTileAddress = (text: string): boolean =>
  text === 'none' ||
  (/^https?:/.test(text) &&
    URL.canParse(text) &&
    ['{z}', '{x}', '{y}'].every((part) => text.includes(part)));

/** Whether a text is an address without a path. */
export function isOrigin(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`;
}

/** Whether a text is the address of a sign-in provider: https, or http on this machine. */
export function isIssuer(text: string): boolean {
  const url = URL.parse(text);
  const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(url?.hostname ?? '');
  return url?.protocol === 'https:' || (url?.protocol === 'http:' && isHere);
}

/** Names of ranges that the HTTP library knows. */
const RANGE_NAMES = ['loopback', 'linklocal', 'uniquelocal'];

/** Whether a text lists proxies: IP addresses, ranges such as 10.0.0.0/8, or names of ranges, separated by commas. */
export function areProxies(text: string): boolean {
  return text.split(',').every((part) => isProxy(part.trim()));
}

/** Whether a text lists addresses: IP addresses and ranges such as 10.0.0.0/8, separated by commas. */
export function areAddresses(text: string): boolean {
  return text.split(',').every((part) => {
    return !RANGE_NAMES.includes(part.trim()) && isProxy(part.trim());
  });
}

function isProxy(text: string): boolean {
  if (RANGE_NAMES.includes(text)) return true;
  const [address = '', bits, ...more] = text.split('/');
  if (more.length > 0 || (!isIPv4(address) && !isIPv6(address))) return false;
  return bits === undefined || isPrefix(bits, isIPv4(address) ? 32 : 128);
}

const isPrefix = (text: string, most: number): boolean =>
  /^[1-9]\d{0,2}$/.test(text) && Number(text) <= most;
