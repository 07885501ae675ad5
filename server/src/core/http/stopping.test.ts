import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { expect, it } from 'vitest';
import { createTestServer } from '../../test/test-deps.ts';

it('a connection is closed with the answer that was under way when the server stops', async () => {
  const asked = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const server = await createTestServer([
    async (app) => {
      app.get('/slow', async () => {
        asked.resolve();
        await released.promise;
        return { late: true };
      });
      app.addHook('preClose', async () => released.resolve());
    },
  ]);
  const address = await server.app.listen({ port: 0, host: '127.0.0.1' });
  const agent = new Agent({ keepAlive: true });
  const answered = once(get(`${address}/slow`, { agent }), 'response');
  await asked.promise;
  const closed = server.app.close();
  const [answer] = (await answered) as [IncomingMessage];
  answer.resume();
  expect(answer.headers.connection).toBe('close');
  await closed;
  agent.destroy();
  await server.close();
});
