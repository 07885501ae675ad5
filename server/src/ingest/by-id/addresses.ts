// Addresses from where connections are taken.
import { BlockList, isIPv6 } from 'node:net';

const MAPPED = '::ffff:';

/**
 * An address in the form of its own family: a port that listens to both families sees IPv4 in IPv6.
 * @returns empty when there is none, as of a closed connection
 */
export function plainAddress(address: string | undefined): string {
  return address?.startsWith(MAPPED) ? address.slice(MAPPED.length) : (address ?? '');
}

/**
 * Makes the check of a list.
 * @param allowed IP addresses and ranges such as 10.0.0.0/8; undefined: all
 */
export function createAddressCheck(
  allowed: readonly string[] | undefined,
): (address: string) => boolean {
  if (allowed === undefined) return () => true;
  const list = new BlockList();
  for (const one of allowed) {
    const [address = '', bits] = one.split('/');
    if (bits === undefined) list.addAddress(address, familyOf(address));
    else list.addSubnet(address, Number(bits), familyOf(address));
  }
  return (address) => {
    const plain = plainAddress(address);
    return plain !== '' && list.check(plain, familyOf(plain));
  };
}

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIPv6(address) ? 'ipv6' : 'ipv4');
