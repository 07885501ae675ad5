// An S3-compatible store. Uploads are multipart, so nothing is held in memory as a whole.

import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  paginateListObjectsV2,
  S3Client,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import type { Config } from '../core/config.ts';
import { notFound, reasonOf, StartError } from '../core/errors.ts';
import { checkKey } from './key.ts';
import { asStoreError, isMissing } from './s3-refusals.ts';
import type { Storage } from './storage.ts';

/** The address of the bucket. */
export type S3Config = NonNullable<Config['s3']>;

/** Longest wait for the first answer of a store, ms. */
const TRY_LIMIT_MS = 10_000;
/** No key begins with a dot. */
const NO_KEY = '.';

/** Client settings of storage and resumable uploads. */
export function s3ClientConfig(config: S3Config) {
  return {
    region: config.region,
    forcePathStyle: true,
    ...(config.endpoint === undefined ? {} : { endpoint: config.endpoint }),
    ...(config.accessKeyId === undefined || config.secretAccessKey === undefined
      ? {}
      : {
          credentials: {
            accessKeyId: config.accessKeyId,
            secretAccessKey: config.secretAccessKey,
          },
        }),
  };
}

/**
 * Lists keys that no file has, so that a wrong setting is noticed at the start and not by the first upload.
 * @throws StartError that names the variables, when there is no answer within 10 s or a refusal
 */
export async function tryBucket(config: S3Config): Promise<void> {
  const client = new S3Client(s3ClientConfig(config));
  const abortSignal = AbortSignal.timeout(TRY_LIMIT_MS);
  const ask = new ListObjectsV2Command({ Bucket: config.bucket, Prefix: NO_KEY });
  try {
    await client.send(ask, { abortSignal });
  } catch (cause) {
    const reason = abortSignal.aborted
      ? 'no answer within 10 s'
      : reasonOf(asStoreError(cause, config));
    const place = config.endpoint === undefined ? 'AWS' : new URL(config.endpoint).host;
    throw new StartError(
      `The bucket ${config.bucket} of ${place} cannot be listed (S3_BUCKET, S3_ENDPOINT): ${reason}`,
      { cause },
    );
  } finally {
    client.destroy();
  }
}

/** Opens a bucket, which must exist, as a store. */
export function openS3Storage(config: S3Config): Storage {
  const client = new S3Client(s3ClientConfig(config));
  const Bucket = config.bucket;
  const refuse = (error: unknown): never => {
    throw asStoreError(error, config);
  };
  const get: Storage['get'] = async (key, range) => {
    const Range = range === undefined ? undefined : `bytes=${range.from}-${range.to}`;
    const found = await client
      .send(new GetObjectCommand({ Bucket, Key: checkKey(key), Range }))
      .catch((error: unknown) => {
        throw isMissing(error) ? notFound() : asStoreError(error, config);
      });
    if (!(found.Body instanceof Readable))
      throw new Error(`The store returned no body for ${key}.`);
    return found.Body;
  };
  return {
    put: async (key, body) => {
      let sizeBytes = 0;
      body.on('data', (chunk: Buffer) => {
        sizeBytes += chunk.length;
      });
      await new Upload({ client, params: { Bucket, Key: checkKey(key), Body: body } })
        .done()
        .catch(refuse);
      return { sizeBytes };
    },
    get,
    open: async (key, range) => {
      const body = await get(key, range);
      return { sendTo: (target) => pipeline(body, target) };
    },
    stat: async (key) => {
      try {
        const head = await client.send(new HeadObjectCommand({ Bucket, Key: checkKey(key) }));
        return { sizeBytes: head.ContentLength ?? 0 };
      } catch (error) {
        return isMissing(error) ? undefined : refuse(error);
      }
    },
    delete: async (key) => {
      await client.send(new DeleteObjectCommand({ Bucket, Key: checkKey(key) })).catch(refuse);
    },
    list: async function* (prefix) {
      const pages = paginateListObjectsV2({ client }, { Bucket, Prefix: prefix });
      for (;;) {
        const page = await pages.next().catch(refuse);
        if (page.done) return;
        for (const item of page.value.Contents ?? []) {
          if (item.Key !== undefined) yield { key: item.Key, sizeBytes: item.Size ?? 0 };
        }
      }
    },
  };
}
