// The tus library answers errors with plain text and allows all origins. Units are no browsers, and every error of the
// product has one form, so its answers are replaced here.
import type { ErrorBody } from '@ridewatch/contract/errors';
import { Server } from '@tus/server';
import { ERRORS } from '@tus/utils';
import { AppError, asPassing, isNoRoom } from '../../core/errors.ts';

type Context = Parameters<Server['write']>[0];

export interface UploadServerOptions {
  /** The request being answered. */
  readonly requestId: () => string;
  /** Called with every error answer and its cause, before the answer is sent. */
  readonly onError: (error: AppError, thrown: unknown) => Promise<void>;
}

/** A server of resumable uploads with the product's errors. */
export class UploadServer extends Server {
  readonly #requestId: () => string;

  constructor(
    library: ConstructorParameters<typeof Server>[0],
    { requestId, onError }: UploadServerOptions,
  ) {
    super({
      ...library,
      onResponseError: (_request, thrown) => refusalOf(thrown, onError),
    });
    this.#requestId = requestId;
  }

  // The library calls this for every error, and for nothing else.
  override async write(context: Context, _headers: Headers, status: number, text = '') {
    const { status: meant = status, retryAfterS, ...refusal } = readRefusal(status, text);
    const body: ErrorBody = { ...refusal, requestId: this.#requestId() };
    const headers = new Headers({
      'content-type': 'application/json; charset=utf-8',
      'tus-resumable': '1.0.0',
      ...(retryAfterS === undefined ? {} : { 'retry-after': String(retryAfterS) }),
    });
    return super.write(context, headers, meant, JSON.stringify(body));
  }
}

interface Refusal {
  readonly error: string;
  readonly message: string;
  readonly field?: string;
  /** From a header. */
  readonly retryAfterS?: number;
}

const wrongType = new AppError(
  'unsupported_media_type',
  'The body of a chunk must be application/offset+octet-stream.',
  { field: 'Content-Type' },
);

/** The library's own errors as ours. */
const meanings = new Map<unknown, AppError>([
  [ERRORS.MISSING_OFFSET, lacks('Upload-Offset')],
  [ERRORS.INVALID_LENGTH, lacks('Upload-Length')],
  [ERRORS.UNSUPPORTED_CREATION_DEFER_LENGTH_EXTENSION, lacks('Upload-Length')],
  [
    ERRORS.UNSUPPORTED_CONCATENATION_EXTENSION,
    new AppError('invalid_request', 'is not supported: an upload is one file', {
      field: 'Upload-Concat',
    }),
  ],
  [ERRORS.INVALID_CONTENT_TYPE, wrongType],
  [
    ERRORS.INVALID_METADATA,
    new AppError('invalid_request', 'must be pairs of a name and a base64 value', {
      field: 'Upload-Metadata',
    }),
  ],
  [ERRORS.FILE_NOT_FOUND, new AppError('not_found', 'The upload does not exist.')],
  [ERRORS.FILE_NO_LONGER_EXISTS, new AppError('not_found', 'The upload does not exist.')],
  [
    ERRORS.INVALID_OFFSET,
    new AppError(
      'offset_mismatch',
      'The offset is not the end of the received bytes. HEAD returns it.',
      {
        field: 'Upload-Offset',
      },
    ),
  ],
  [ERRORS.INVALID_TERMINATION, new AppError('invalid_request', 'The upload is already complete.')],
  [
    ERRORS.ERR_SIZE_EXCEEDED,
    new AppError('too_large', 'The body has more bytes than were announced.'),
  ],
  [ERRORS.ERR_MAX_SIZE_EXCEEDED, new AppError('too_large', 'A file may have at most 4 GiB.')],
]);

function noRoom(cause: unknown): AppError {
  return new AppError('insufficient_storage', 'The disk of the server is full.', { cause });
}

/**
 * Names the full disk as the cause of a failed write: the check before it is up to a second old.
 * @throws AppError insufficient_storage when the disk is full, else the error itself
 */
export function throwNoRoom(error: unknown): never {
  throw isNoRoom(error) ? noRoom(error) : error;
}

function lacks(field: string): AppError {
  return new AppError('invalid_request', 'is missing', { field });
}

// The library's hook returns a status and a text; the text carries our error to write().
async function refusalOf(
  thrown: unknown,
  onError: UploadServerOptions['onError'],
): Promise<{ status_code: number; body: string }> {
  // The connection broke during the body: nobody reads the answer.
  if (thrown === ERRORS.ABORTED) return ERRORS.ABORTED;
  const error = meaningOf(thrown);
  await onError(error, thrown);
  return { status_code: error.status, body: JSON.stringify(refusalBy(error)) };
}

function meaningOf(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  // The library may notice the full disk first, as an error of the stream that the body is written to.
  const known = meanings.get(thrown) ?? (isNoRoom(thrown) ? noRoom(thrown) : asPassing(thrown));
  return known ?? new AppError('internal', 'The server failed.', { cause: thrown });
}

function refusalBy({ code, message, field, retryAfterS }: AppError): Refusal {
  return {
    error: code,
    message,
    ...(field === undefined ? {} : { field }),
    ...(retryAfterS === undefined ? {} : { retryAfterS }),
  };
}

function readRefusal(status: number, text: string): Refusal & { status?: number } {
  if (text.startsWith('{')) return JSON.parse(text) as Refusal;
  const field = /^Invalid (\S+)/.exec(text)?.[1];
  // The library checks this header with all others, before the code whose error this is.
  if (field === 'content-type') return { ...refusalBy(wrongType), status: wrongType.status };
  return {
    error: status >= 500 ? 'internal' : 'invalid_request',
    message: field === undefined ? text.trim() : 'is invalid',
    ...(field === undefined ? {} : { field }),
  };
}
