// Ids that no unit has: whom they keep out, and how often it is looked what they sent.
import { expect, it, onTestFinished, vi } from 'vitest';
import { createTestServer, type TestServer } from '../../test/test-deps.ts';
import { useWorld } from '../../test/use-world.ts';
import { createByNetwork } from './by-network.ts';
import { createKnocks } from './knocks.ts';

const server = useWorld<TestServer>(() => createTestServer([]));

it('the network with the most gives place, as long as another one has fewer', () => {
  const ids = createByNetwork();
  for (const id of ['a1', 'a2', 'a3']) ids.add(id, 'a');
  ids.add('b1', 'b');
  expect(ids.firstOfMost('a')).toBeUndefined();
  expect(ids.firstOfMost('b')).toEqual({ id: 'a1', network: 'a' });
  ids.remove('a1', 'a');
  ids.add('b2', 'b');
  expect(ids.firstOfMost('b')).toBeUndefined();
  expect(ids.firstOfMost('c')).toEqual({ id: 'a2', network: 'a' });
  for (const id of ['a2', 'a3']) ids.remove(id, 'a');
  expect(ids.firstOfMost('c')).toEqual({ id: 'b1', network: 'b' });
});

it('nobody looks what an id has sent beyond a few times a note, or when it is ignored', async () => {
  const last = vi.fn(() => ({}));
  const looksOf = async (): Promise<number> => {
    last.mockClear();
    for (let n = 0; n < 10; n += 1) knocks.note('91001', '10.0.0.9', 1, last);
    await knocks.close();
    return last.mock.calls.length;
  };
  const knocks = createKnocks(server.deps, 'egts');
  onTestFinished(() => knocks.close());
  const { db } = server.deps.database;
  const ignore = (ignored: boolean) =>
    db.updateTable('knocks').set({ ignored }).where('protocol_id', '=', '91001').execute();
  expect(await looksOf()).toBe(4);
  await ignore(true);
  // A process learns it with a note, and so does it that the id is ignored no more.
  await looksOf();
  expect(await looksOf()).toBe(0);
  await ignore(false);
  await looksOf();
  expect(await looksOf()).toBe(4);
});

it('a link that names more ids than one note has lists the others in the next notes', async () => {
  const knocks = createKnocks(server.deps, 'jt808');
  onTestFinished(() => knocks.close());
  const ids = [...Array(450).keys()].map((n) => `${1_390_000 + n}`);
  for (let round = 0; round < 3; round += 1) {
    for (const id of ids) knocks.note(id, '10.0.0.8', 1);
    await knocks.close();
  }
  const { db } = server.deps.database;
  const listed = await db
    .selectFrom('unknown_units')
    .select('protocol_id')
    .where('protocol', '=', 'jt808')
    .orderBy('protocol_id')
    .execute();
  expect(listed.map(({ protocol_id }) => protocol_id)).toEqual(ids);
});
