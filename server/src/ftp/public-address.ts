import { lookup } from 'node:dns/promises';
import { isIPv4 } from 'node:net';
import { plainAddress } from '../ingest/by-id/addresses.ts';

/**
 * The IPv4 address that PASV shows; undefined when there is none, as of a name that is not found.
 * @param host the configured address or name
 * @param own the address that the registrar has connected to
 */
export async function publicAddress(
  host: string | undefined,
  own: string | undefined,
): Promise<string | undefined> {
  if (host !== undefined && isIPv4(host)) return host;
  const looked = host && (await lookup(host, { family: 4 }).catch(() => undefined))?.address;
  const plain = plainAddress(own);
  return looked || (isIPv4(plain) ? plain : undefined);
}
