import type { PublicSettings } from '@ridewatch/contract/auth';
import { afterEach, expect, it } from 'vitest';
import { createTestServer, type TestServer } from '../test/test-deps.ts';
import { addSettings } from './api.ts';

let server: TestServer;
afterEach(() => server.close());

it.each([
  [{}, false],
  [{ SMTP_URL: 'smtp://mail.example:587' }, true],
])('the settings of an installation with %o say that it sends mail: %s', async (env, isSent) => {
  server = await createTestServer([addSettings], env);
  const settings = (await server.app.inject('/api/settings')).json<PublicSettings>();
  expect(settings.mail_available).toBe(isSent);
});
