// Refusals of a store of S3 as sentences for the operator. Its own words stay the cause, which the log shows.
import { AppError } from '../core/errors.ts';

/** Errors of a wrong, missing or expired access key. */
const OF_KEY =
  /^(InvalidAccessKeyId|SignatureDoesNotMatch|InvalidToken|ExpiredToken|CredentialsProviderError)/;
/** Errors of a store without room: names of several makers. */
const OF_ROOM = /StorageFull|QuotaExceeded|InsufficientStorage/;

interface Refusal extends Error {
  /** Of what was tried; only errors of the SDK have it. */
  readonly $metadata?: { readonly httpStatusCode?: number };
  /** Of the system, when there was no answer. */
  readonly code?: string;
}

/** Whether a store has said that a file does not exist. @param error of the SDK */
export function isMissing(error: unknown): boolean {
  return isRefusal(error) && error.$metadata?.httpStatusCode === 404 && error.name !== NO_BUCKET;
}

const NO_BUCKET = 'NoSuchBucket';

/**
 * Names what a store refused, or that it did not answer.
 * @param error of the SDK; another one, such as that of a file that broke off, stays as it is
 * @returns AppError unavailable where a later try may succeed; an error with the code ENOSPC for a full store
 */
export function asStoreError(error: unknown, { bucket }: { readonly bucket: string }): unknown {
  if (!isRefusal(error)) return error;
  const { name, code } = error;
  const status = error.$metadata?.httpStatusCode;
  const say = (sentence: string): Error => new Error(`The store ${sentence}`, { cause: error });
  const later = (sentence: string): AppError =>
    new AppError('unavailable', `The store ${sentence}`, { cause: error });
  if (OF_KEY.test(name)) {
    return say('refused the access key (S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY).');
  }
  if (status === 507 || OF_ROOM.test(name))
    return Object.assign(say('is full.'), { code: 'ENOSPC' });
  if (name === NO_BUCKET) return say(`has no bucket ${bucket} (S3_BUCKET).`);
  if (status === 403) {
    return say(`does not allow it: the access key lacks a right in the bucket ${bucket}.`);
  }
  if (status === undefined) return later(`cannot be reached (S3_ENDPOINT): ${code ?? name}`);
  if (status === 429 || status >= 500) {
    return later(`does not answer for now: it failed with ${status}.`);
  }
  return say(`refused a request: ${name}.`);
}

function isRefusal(error: unknown): error is Refusal {
  if (!(error instanceof Error)) return false;
  return '$metadata' in error || error.name === 'CredentialsProviderError';
}
