import * as z from 'zod/mini';
import { Customer } from './auth.ts';
import { endpoint } from './endpoint.ts';
import { Id, IdText, Moment, Zone } from './primitives.ts';

/** In progress; failed; complete; cancelled (spec section 4). */
export const MergeStatus = z.enum(['PROCESS', 'FAILED', 'COMPLETE', 'SENT']);
export type MergeStatus = z.infer<typeof MergeStatus>;

/** Why there is no file. */
export const MergeFailure = z.enum(['cancelled', 'no_video', 'no_space', 'failed']);
export type MergeFailure = z.infer<typeof MergeFailure>;

/** Step of the dialog's slider (spec section 9). */
export const MERGE_STEP_MS = 10 * 60_000;

/** Most requests of a customer that are not finished: the next one is refused. */
export const MAX_OPEN_MERGES = 50;

/** Width and height of frames, pixels. */
export interface FrameSize {
  readonly width: number;
  readonly height: number;
}

/**
 * The frame size of a merged video: the largest of its fragments by area, so that no fragment loses detail.
 * @param sizes in the order of the fragments; of equally large ones the first is taken
 * @returns undefined without sizes
 */
export function mergedSize<Size extends FrameSize>(sizes: readonly Size[]): Size | undefined {
  const areaOf = ({ width, height }: FrameSize): number => width * height;
  return sizes.reduce<Size | undefined>(
    (largest, size) => (largest === undefined || areaOf(size) > areaOf(largest) ? size : largest),
    undefined,
  );
}

/** Fragments of one camera as one file. */
export const MergeRequest = z.object({
  id: Id,
  status: MergeStatus,
  /** The period that was asked for. */
  from: Moment,
  to: Moment,
  /** Of the playable files; otherwise of the sources, where they play. */
  processed: z.boolean(),
  created_at: Moment,
  client_id: z.nullable(Id),
  /** The customer who asked for it; administrators only. */
  client: z.nullable(z.pick(Customer, { id: true, name: true, surname: true })),
  workplace: z.object({ id: Id, name: z.string(), description: z.nullable(z.string()) }),
  camera: z.object({ id: Id, name: z.string() }),
  /** The bus's zone then. */
  timezone: Zone,
  /** 0 to 100. */
  progress: z.int(),
  fail_reason: z.nullable(MergeFailure),
  /** The number of fragments in it; 0 until the work has begun. */
  fragments: z.int(),
  /** Of the file; null while there is none. */
  size_bytes: z.nullable(z.int()),
  duration_ms: z.nullable(z.int()),
  /** Hex. */
  sha256: z.nullable(z.string()),
  /** Signed address of the file; null while there is none. */
  download: z.nullable(z.string()),
  /** When the file is deleted. */
  expires_at: z.nullable(Moment),
});
export type MergeRequest = z.infer<typeof MergeRequest>;

export const requestMerge = endpoint({
  method: 'POST',
  path: '/api/concatenated-medias/merge',
  summary: 'Requests one file of all fragments of a camera in a period; joins a running request',
  access: 'user',
  body: z.object({
    from: Moment,
    to: Moment,
    processed: z._default(z.boolean(), true),
    /** The camera. */
    deviceId: Id,
  }),
  response: MergeRequest,
  errors: ['unauthorized', 'invalid_request', 'not_found', 'conflict', 'too_many_attempts'],
});

export const listMergeRequests = endpoint({
  method: 'GET',
  path: '/api/concatenated-medias',
  summary: 'Running merge requests and those with a file, the latest first',
  access: 'user',
  scope: 'video',
  response: z.object({ items: z.array(MergeRequest), number: z.int(), total: z.int() }),
  errors: ['unauthorized'],
});

export const cancelMerge = endpoint({
  method: 'POST',
  path: '/api/concatenated-medias/cancel/{requestId}',
  summary: 'Cancels a running merge: it becomes FAILED with reason cancelled',
  access: 'user',
  params: z.object({ requestId: IdText }),
  response: MergeRequest,
  errors: ['unauthorized', 'invalid_request', 'not_found', 'conflict'],
});

export const downloadMerge = endpoint({
  method: 'GET',
  path: '/api/concatenated-medias/download/{requestId}',
  summary: 'The merged file, by Bearer token or signed address; SENT once a whole body was sent',
  access: 'public',
  scope: 'video',
  params: z.object({ requestId: IdText }),
  query: z.object({ hash: z.optional(z.string().check(z.maxLength(255))) }),
  produces: ['video/mp4'],
  errors: [
    'unauthorized',
    'invalid_request',
    'bad_signature',
    'not_found',
    'range_not_satisfiable',
    'precondition_failed',
  ],
});
