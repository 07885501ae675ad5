// The wait before a connection is tried again, as time passes beside it.
import { expect, it } from 'vitest';
import { useOneUpstream } from '../test/upstream-world.ts';

const one = useOneUpstream();

it('a wait gets longer with each try, also when its looks take so long that the last one comes late', async () => {
  await one.stop();
  const { server, openFar, stateOf, makeUpstream, until } = one.world;
  const far = await openFar();
  await far.close();
  const id = await makeUpstream({ port: far.port });
  const nextTryMs = async () => Number((await stateOf(id)).next_try_at);
  one.start({ reconnectMs: 1000, longestReconnectMs: 60_000 });
  const first = server.clock.nowMs() + 1000;
  await until(async () => (await nextTryMs()) === first);
  // The moment of the try is there before the wait is over.
  server.clock.advance(1000);
  await until(async () => (await nextTryMs()) !== first);
  expect((await nextTryMs()) - server.clock.nowMs()).toBe(2000);
});
