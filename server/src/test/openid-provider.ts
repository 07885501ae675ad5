import { createHash, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';

const CLIENT = { id: 'ridewatch', secret: 'the secret of the client' };

/** A test provider tells this of a user, right or wrong. */
export interface ToldUser {
  readonly sub: string;
  readonly preferred_username?: string;
  readonly email?: string;
  readonly email_verified?: boolean;
  /** Another nonce than the one that was asked for. */
  readonly nonce?: string;
}

/**
 * Starts a provider of OpenID Connect on a socket. Its users sign in by a call of the test.
 * @param options `isDown`: it answers nothing but 503
 */
export async function startOpenidProvider(options: { isDown: boolean } = { isDown: false }) {
  const { publicKey, privateKey } = await generateKeyPair('RS256');
  const jwk = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256', use: 'sig' };
  const codes = new Map<string, { challenge: string; nonce: string; user: ToldUser }>();
  const tokens = new Map<string, ToldUser>();
  let issuer = '';
  const answers: Record<string, (body: URLSearchParams, bearer: string) => Promise<object>> = {
    '/.well-known/openid-configuration': async () => ({
      ...{ issuer, authorization_endpoint: `${issuer}/auth`, token_endpoint: `${issuer}/token` },
      ...{ jwks_uri: `${issuer}/jwks`, userinfo_endpoint: `${issuer}/userinfo` },
      id_token_signing_alg_values_supported: ['RS256'],
    }),
    '/jwks': async () => ({ keys: [jwk] }),
    '/token': async (body) => {
      const code = codes.get(body.get('code') ?? '');
      codes.delete(body.get('code') ?? '');
      const proof = createHash('sha256').update(body.get('code_verifier') ?? '');
      const isClient =
        body.get('client_id') === CLIENT.id && body.get('client_secret') === CLIENT.secret;
      if (!isClient || code?.challenge !== proof.digest('base64url')) {
        throw { error: 'invalid_grant' };
      }
      const access_token = randomUUID();
      tokens.set(access_token, code.user);
      const id_token = await new SignJWT({ nonce: code.user.nonce ?? code.nonce })
        .setProtectedHeader({ alg: 'RS256', kid: 'one' })
        .setIssuer(issuer)
        .setAudience(CLIENT.id)
        .setSubject(code.user.sub)
        .setIssuedAt()
        .setExpirationTime('5m')
        .sign(privateKey);
      return { access_token, id_token, token_type: 'Bearer', expires_in: 300 };
    },
    '/userinfo': async (_body, bearer) => {
      const { nonce: _nonce, ...told } = tokens.get(bearer) ?? { sub: '' };
      return told;
    },
  };
  const server = createServer(async (request, response) => {
    const answer = answers[new URL(request.url ?? '', 'http://here').pathname];
    const body = new URLSearchParams(await text(request));
    const bearer = (request.headers.authorization ?? '').replace(/^Bearer /, '');
    const send = (status: number, told: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(told));
    if (options.isDown || answer === undefined) return send(options.isDown ? 503 : 404, {});
    await answer(body, bearer).then(
      (told) => send(200, told),
      (refused: object) => send(400, refused),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    options,
    environment: {
      ...{ OIDC_ISSUER: issuer, OIDC_CLIENT_ID: CLIENT.id, OIDC_CLIENT_SECRET: CLIENT.secret },
      PUBLIC_URL: 'https://buses.example',
    },
    /** A user signs in. @returns the query with which the provider leads back */
    signIn: (address: string, user: ToldUser): string => {
      const asked = new URL(address).searchParams;
      const code = randomUUID();
      const challenge = asked.get('code_challenge') ?? '';
      codes.set(code, { challenge, nonce: asked.get('nonce') ?? '', user });
      return `${new URLSearchParams({ code, state: asked.get('state') ?? '' })}`;
    },
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}
