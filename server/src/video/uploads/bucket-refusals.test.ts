// Uploads into a store of S3 that refuses or is not there.
import { Readable } from 'node:stream';
import { type DataStore, Upload } from '@tus/server';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readConfig } from '../../core/config.ts';
import { isNoRoom } from '../../core/errors.ts';
import { openRefusingStore, type RefusingStore } from '../../test/refusing-store.ts';
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts';
import { createUploadStore, storedBytes } from './upload-store.ts';

let bucket: RefusingStore;
let database: TestDatabase;
beforeAll(async () => {
  bucket = await openRefusingStore();
  database = await createTestDatabase();
});
afterAll(async () => {
  await bucket.close();
  await database.drop();
});
beforeEach(() => bucket.refuseWith(403, 'AccessDenied'));

const id = 'video/00/one';
const open = (endpoint = bucket.endpoint): DataStore => {
  const config = readConfig({
    ...{ S3_BUCKET: 'media', S3_ENDPOINT: endpoint },
    ...{ S3_ACCESS_KEY_ID: 'a', S3_SECRET_ACCESS_KEY: 'b' },
  });
  return createUploadStore({ config, database });
};
const works: readonly (readonly [string, (store: DataStore) => Promise<unknown>])[] = [
  ['that begins', (store) => store.create(new Upload({ id, size: 5, offset: 0 }))],
  ['that goes on', (store) => store.write(Readable.from([Buffer.from('video')]), id, 0)],
  ['whose end is looked for', (store) => storedBytes(store, id)],
  ['that is given up', (store) => store.remove(id)],
];

describe('an upload', () => {
  it.each(works)('%s says what the store refused', async (_, work) => {
    await expect(work(open())).rejects.toThrow(/^The store does not allow it/);
  });

  it.each(works)('%s says that the store is not there, and is not lost', async (_, work) => {
    await expect(work(open('http://127.0.0.1:1'))).rejects.toMatchObject({
      code: 'unavailable',
      message: 'The store cannot be reached (S3_ENDPOINT): ECONNREFUSED',
    });
  });

  it('into a full store has no room', async () => {
    bucket.refuseWith(507, 'XMinioStorageFull');
    const create = open().create(new Upload({ id, size: 5, offset: 0 }));
    await expect(create).rejects.toSatisfy(isNoRoom);
  });

  it('that the store does not have is not there', async () => {
    bucket.refuseWith(404, 'NoSuchKey');
    expect(await storedBytes(open(), id)).toBe(0);
  });
});
