// The sentence that an operator reads when a store of S3 refuses or does not answer. The store's own words are its cause,
// which the log shows.
import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readConfig } from '../core/config.ts';
import { isNoRoom } from '../core/errors.ts';
import { openRefusingStore, type RefusingStore, WORDS_OF_STORE } from '../test/refusing-store.ts';
import { openStorage } from './open.ts';
import { openS3Storage } from './s3.ts';
import type { Storage } from './storage.ts';

let store: RefusingStore;
beforeAll(async () => {
  store = await openRefusingStore();
});
afterAll(() => store.close());
beforeEach(() => store.refuseWith(403, 'AccessDenied'));

const key = { accessKeyId: 'a', secretAccessKey: 'b' };
const open = (endpoint = store.endpoint) =>
  openS3Storage({ bucket: 'media', endpoint, region: 'us-east-1', ...key });
const write = (to: Storage, body = Readable.from([Buffer.from('video')])) =>
  to.put('a/one.mp4', body);
const refusalOf = (work: Promise<unknown>): Promise<Error> =>
  work.then(
    () => expect.fail('The store took it.'),
    (error: unknown) => error as Error,
  );

const refusals: readonly (readonly [number, string, RegExp])[] = [
  [403, 'InvalidAccessKeyId', /^The store refused the access key \(S3_ACCESS_KEY_ID/],
  [403, 'SignatureDoesNotMatch', /^The store refused the access key/],
  [400, 'ExpiredToken', /^The store refused the access key/],
  [403, 'AccessDenied', /^The store does not allow it: the access key lacks a right.*media/],
  [404, 'NoSuchBucket', /^The store has no bucket media \(S3_BUCKET\)/],
  [507, 'XMinioStorageFull', /^The store is full/],
  [403, 'QuotaExceeded', /^The store is full/],
  [503, 'SlowDown', /^The store does not answer for now: it failed with 503/],
  [500, 'InternalError', /^The store does not answer for now: it failed with 500/],
  [400, 'InvalidRequest', /^The store refused a request: InvalidRequest/],
];

describe('a store that refuses', () => {
  it.each(refusals)('a write with %s %s says so in a sentence', async (status, code, sentence) => {
    store.refuseWith(status, code);
    const refusal = await refusalOf(write(open()));
    expect(refusal.message).toMatch(sentence);
    expect(refusal.message).not.toContain(WORDS_OF_STORE);
    expect(refusal.cause).toMatchObject({ name: code });
  });

  it.each([
    ['a large write', (to: Storage) => write(to, Readable.from([randomBytes(12_000_000)]))],
    ['a read', (from: Storage) => from.get('a/one.mp4')],
    ['a look', (from: Storage) => from.stat('a/one.mp4')],
    ['a deletion', (from: Storage) => from.delete('a/one.mp4')],
    ['a list', (from: Storage) => from.list('a/')[Symbol.asyncIterator]().next()],
  ])('%s says so in a sentence', async (_, work) => {
    expect((await refusalOf(work(open()))).message).toMatch(/^The store does not allow it/);
  });

  it('a read for want of its bucket does not say that the file is missing', async () => {
    store.refuseWith(404, 'NoSuchBucket');
    expect((await refusalOf(open().get('a/one.mp4'))).message).toMatch(/^The store has no bucket/);
  });

  it('for want of room is full, as a disk', async () => {
    store.refuseWith(507, 'XMinioStorageFull');
    expect(isNoRoom(await refusalOf(write(open())))).toBe(true);
  });

  it('keeps a server from starting, with the sentence', async () => {
    store.refuseWith(403, 'SignatureDoesNotMatch');
    const config = readConfig({
      ...{ S3_BUCKET: 'media', S3_ENDPOINT: store.endpoint },
      ...{ S3_ACCESS_KEY_ID: 'a', S3_SECRET_ACCESS_KEY: 'b' },
    });
    const { message } = await refusalOf(openStorage(config));
    expect(message).toContain('The bucket media of 127.0.0.1');
    expect(message).toContain('The store refused the access key');
    expect(message).not.toContain(WORDS_OF_STORE);
  });
});

describe('a store that is not there', () => {
  it('is named by its variable, and is no fault of the database', async () => {
    const refusal = await refusalOf(write(open('http://127.0.0.1:1')));
    expect(refusal).toMatchObject({
      code: 'unavailable',
      message: 'The store cannot be reached (S3_ENDPOINT): ECONNREFUSED',
      cause: { code: 'ECONNREFUSED' },
    });
  });
});

describe('a file that breaks off while it is stored', () => {
  it('is no fault of the store', async () => {
    const broken = new Readable({ read: () => undefined });
    broken.destroy(Object.assign(new Error('link lost'), { code: 'ECONNRESET' }));
    const refusal = await refusalOf(write(open(), broken));
    expect(refusal.message).toBe('link lost');
  });
});
