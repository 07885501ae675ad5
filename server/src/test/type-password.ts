import { CLIENT_ID } from '@ridewatch/contract/auth';
import type { FastifyInstance } from 'fastify';

/** Asks for tokens with a login and a password, as a browser at an address does. @returns what the limits of attempts say */
export async function typePassword(
  app: FastifyInstance,
  { username, password, address }: { username: string; password: string; address: string },
): Promise<{ status: number; retryAfter: unknown }> {
  const answer = await app.inject({
    method: 'POST',
    url: '/oauth/token',
    remoteAddress: address,
    headers: {
      authorization: `Basic ${Buffer.from(`${CLIENT_ID}:`).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: new URLSearchParams({ grant_type: 'password', username, password }).toString(),
  });
  return { status: answer.statusCode, retryAfter: answer.headers['retry-after'] };
}
