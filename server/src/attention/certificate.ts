import { once } from 'node:events';
import { isIP } from 'node:net';
import { connect } from 'node:tls';

/** Longest wait for the server that ends TLS, ms. */
const ANSWER_MS = 5_000;

/**
 * When the certificate of an address ends, as browsers get it.
 * @param url of the product, as users open it, with TLS
 * @returns ms since 1970 UTC; undefined for one that cannot be reached from here
 */
export async function readCertificateEnd(url: string): Promise<number | undefined> {
  const { hostname, port } = new URL(url);
  // The end of a certificate counts also if nobody trusts it.
  const socket = connect({
    ...{ host: hostname, port: Number(port || 443) },
    // An address is no name (RFC 6066).
    ...(isIP(hostname) === 0 && { servername: hostname }),
    rejectUnauthorized: false,
  });
  try {
    await once(socket, 'secureConnect', { signal: AbortSignal.timeout(ANSWER_MS) });
    const endMs = Date.parse(socket.getPeerCertificate().valid_to);
    return Number.isNaN(endMs) ? undefined : endMs;
  } catch {
    return undefined;
  } finally {
    socket.destroy();
  }
}
