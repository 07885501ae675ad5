// Webhook addresses come from customers, so the server must not call its own network for them: the name is resolved
// once, every address is checked, and the connection goes to a checked one.
import { type LookupAddress, lookup } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

const inner = new BlockList();
const RANGES: readonly (readonly [network: string, prefix: number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  // Between a provider and its customers.
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  // Multicast and reserved.
  ['224.0.0.0', 3],
];
for (const [network, prefix] of RANGES) inner.addSubnet(network, prefix, 'ipv4');
// Only global unicast is called, less what embeds an IPv4 address: 6to4, Teredo, NAT64, and documentation.
const outer = new BlockList();
outer.addSubnet('2000::', 3, 'ipv6');
for (const [network, prefix] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
] as const) {
  inner.addSubnet(network, prefix, 'ipv6');
}

/** Whether an IP address is loopback, link-local, private, or otherwise no public host. */
export function isPrivateAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return inner.check(address, 'ipv4');
  if (family !== 6) return true;
  return !outer.check(address, 'ipv6') || inner.check(address, 'ipv6');
}

/** A webhook's host has an address that may not be called. */
export class PrivateAddressError extends Error {
  /** @param host as in the webhook's address */
  constructor(host: string) {
    super(`${host} is an address of a private network`);
  }
}

/**
 * Checks a host that is an IP address, which is connected to without a lookup.
 * @param hostname of a URL
 * @throws PrivateAddressError
 */
export function checkHost(hostname: string): void {
  const address = hostname.replace(/^\[|\]$/g, '');
  if (isIP(address) !== 0 && isPrivateAddress(address)) throw new PrivateAddressError(hostname);
}

/** A lookup for `http.request` that fails if any address of the name is private. */
export const lookupPublic: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) return callback(error, '', 0);
    const [first] = addresses;
    if (first === undefined || addresses.some(({ address }) => isPrivateAddress(address))) {
      return callback(new PrivateAddressError(hostname), '', 0);
    }
    if (options.all) return (callback as ManyAddresses)(null, addresses);
    return callback(null, first.address, first.family);
  });
};

type ManyAddresses = (error: null, addresses: LookupAddress[]) => void;
