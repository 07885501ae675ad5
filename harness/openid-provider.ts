// A real provider of OpenID Connect as a process of its own, because its cookies and tokens live by the machine's clock,
// not by that of the stories. It prints its address, and gets the address of the page to which it leads back.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';

/** How the product is known to it. */
export const CLIENT = { id: 'ridewatch', secret: 'the secret of the client' };

async function main(): Promise<void> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  process.stdout.write(`${issuer}\n`);
  const [redirectUri] = (await once(process, 'message')) as [string];
  const provider = new Provider(issuer, {
    clients: [
      {
        ...{ client_id: CLIENT.id, client_secret: CLIENT.secret, redirect_uris: [redirectUri] },
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    claims: { openid: ['sub'], profile: ['preferred_username'] },
    pkce: { required: () => true },
    findAccount: (_context, sub) => ({
      accountId: sub,
      claims: async () => ({ sub, preferred_username: sub }),
    }),
    // The provider's pages for development accept any login.
    features: { devInteractions: { enabled: true } },
  });
  server.on('request', provider.callback());
  process.on('disconnect', () => process.exit(0));
}

if (import.meta.main) await main();
