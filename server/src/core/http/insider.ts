// Metrics show how much each customer works and which jobs are slow. Only insiders read them.
import { createHash, timingSafeEqual } from 'node:crypto';
import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';

/** The headers that proxies add to a request that they pass on. */
const PROXY_HEADERS = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via'] as const;

/**
 * Whether a request comes from this machine itself or has METRICS_TOKEN. One that a proxy passed on comes from elsewhere,
 * unless TRUST_PROXY lets the proxy say from where.
 */
export function isInsider(
  { ip, headers, socket }: FastifyRequest,
  { metricsToken, trustProxy }: Pick<Config, 'metricsToken' | 'trustProxy'>,
): boolean {
  const token = /^Bearer (.+)$/i.exec(headers.authorization ?? '')?.[1];
  if (metricsToken !== undefined && token !== undefined && isSameSecret(token, metricsToken))
    return true;
  if (trustProxy.length > 0) return isLoopback(ip);
  const isPassedOn = PROXY_HEADERS.some((name) => headers[name] !== undefined);
  return !isPassedOn && isLoopback(socket.remoteAddress ?? '');
}

function isLoopback(address: string): boolean {
  const plain = address.replace(/^::ffff:/, '');
  return isIP(plain) === 4 ? plain.startsWith('127.') : plain === '::1';
}

function isSameSecret(one: string, other: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}
