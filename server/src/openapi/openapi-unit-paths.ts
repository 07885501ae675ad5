// Describes units' calls in other protocols, which the contract lacks: uploads (tus), live streams (HLS), the OsmAnd form.
import type { ErrorCode } from '@ridewatch/contract/errors';
import {
  LIVE_NAME,
  LIVE_PATH,
  MAX_LIVE_PLAYLIST_BYTES,
  MAX_LIVE_SEGMENT_BYTES,
  MAX_UPLOAD_BYTES,
  UPLOADS_PATH,
} from '@ridewatch/contract/unit';
import { OSMAND_PATH } from '@ridewatch/contract/unit-protocols';
import { type Json, refusalsOf } from './openapi-schemas.ts';

const CHUNK = 'application/offset+octet-stream';
const text = { type: 'string' };
const count = { type: 'integer', minimum: 0 };
const security = [{ unit: [] }];
/** Errors before a request reaches its call. */
const unread: readonly ErrorCode[] = ['request_timeout', 'headers_too_large', 'unavailable'];
/** An invalid Content-Type is refused whatever the call does with bodies. */
const type = 'unsupported_media_type';

/** The paths of uploads, of live streams and of the OsmAnd form. */
export function unitPaths(): Record<string, Json> {
  return { ...uploadPaths(), ...livePaths(), ...osmandPaths() };
}

function header(name: string, schema: Json, description?: string): Json {
  return {
    name,
    in: 'header',
    required: true,
    schema,
    ...(description === undefined ? {} : { description }),
  };
}

function inPath(name: string, schema: Json): Json {
  return { name, in: 'path', required: true, schema };
}

function answers(successes: Json, more: readonly ErrorCode[]): Json {
  const own = ['invalid_request', 'unauthorized', 'not_found'] as const;
  return { ...successes, ...refusalsOf(new Set([...own, ...more, ...unread])) };
}

function uploadPaths(): Record<string, Json> {
  const common = [header('Tus-Resumable', { const: '1.0.0' })];
  const id = inPath('uploadId', text);
  const version = 'unsupported_version';
  const options = {
    summary: 'The supported parts of tus; needs no credential',
    responses: {
      204: { description: 'Tus-Version, Tus-Extension, Tus-Max-Size' },
      ...refusalsOf(['invalid_request', type, ...unread]),
    },
  };
  return {
    [UPLOADS_PATH]: {
      post: {
        operationId: 'createUpload',
        summary: 'Creates a resumable upload of video (tus 1.0); Location has its address',
        security,
        parameters: [
          ...common,
          header(
            'Upload-Length',
            { ...count, minimum: 1, maximum: MAX_UPLOAD_BYTES },
            'Bytes of the whole file.',
          ),
          header(
            'Upload-Metadata',
            text,
            'stream, seq of the announcement; sha256 (hex) of the file; base64 as tus wants',
          ),
        ],
        requestBody: {
          description: 'The first bytes may come along.',
          required: false,
          content: { [CHUNK]: {} },
        },
        responses: answers({ 201: { description: 'Created' } }, [
          'conflict',
          version,
          type,
          'too_large',
          'insufficient_storage',
          'video_off',
        ]),
      },
      options: { operationId: 'describeUploads', ...options, parameters: [] },
    },
    [`${UPLOADS_PATH}/{uploadId}`]: {
      head: {
        operationId: 'findUpload',
        summary: 'Returns the received bytes as Upload-Offset',
        security,
        parameters: [id, ...common],
        responses: answers({ 200: { description: 'Upload-Offset and Upload-Length' } }, [version]),
      },
      patch: {
        operationId: 'appendUpload',
        summary: 'Appends a chunk to the file',
        security,
        parameters: [id, ...common, header('Upload-Offset', count)],
        requestBody: { required: true, content: { [CHUNK]: {} } },
        responses: answers({ 204: { description: 'Received; Upload-Offset says up to where' } }, [
          'offset_mismatch',
          version,
          type,
          'too_large',
          'insufficient_storage',
          'video_off',
        ]),
      },
      delete: {
        operationId: 'deleteUpload',
        summary: 'Deletes an incomplete upload',
        security,
        parameters: [id, ...common],
        responses: answers({ 204: { description: 'Ended' } }, [version, type]),
      },
      options: { operationId: 'describeUpload', ...options, parameters: [id] },
    },
  };
}

function livePaths(): Record<string, Json> {
  const parameters = [
    inPath('key', { type: 'string', format: 'uuid' }),
    inPath('name', { type: 'string', pattern: LIVE_NAME.source }),
  ];
  return {
    [`${LIVE_PATH}/{key}/{name}`]: {
      put: {
        operationId: 'putLiveFile',
        summary:
          'The initialization segment, a segment or the playlist of a live stream (HLS with fragmented MP4)',
        security,
        parameters,
        requestBody: {
          description: `A segment has at most ${MAX_LIVE_SEGMENT_BYTES} bytes, the playlist ${MAX_LIVE_PLAYLIST_BYTES}.`,
          required: true,
          content: { 'video/mp4': {}, 'application/vnd.apple.mpegurl': {} },
        },
        responses: answers({ 204: { description: 'Taken' } }, ['too_large', type]),
      },
      delete: {
        operationId: 'deleteLiveFile',
        summary: 'Removes an old segment from a live stream',
        security,
        parameters,
        responses: answers({ 204: { description: 'Taken out, or not there' } }, [type]),
      },
    },
  };
}

function osmandPaths(): Record<string, Json> {
  const number = { type: 'number' };
  const people = { ...count, maximum: 255 };
  const fields: Record<string, Json> = {
    ...{ id: text, timestamp: text },
    ...{ lat: { ...number, minimum: -90, maximum: 90 } },
    ...{ lon: { ...number, minimum: -180, maximum: 180 } },
    ...{ location: text, speed: number, bearing: number, hdop: number, satellites: count },
    ...{ valid: { type: 'boolean' }, mock: { type: 'boolean' } },
    ...{ in: people, out: people, door: { type: 'integer', minimum: 1, maximum: 8 } },
  };
  const form = { type: 'object', properties: fields };
  const refused = {
    type: 'object',
    properties: { index: count, field: text, message: text },
    required: ['index', 'field', 'message'],
  };
  const stored = {
    200: {
      description: 'Stored; with a body if something of it is not and never will be',
      'x-empty': 'All of it is stored',
      content: {
        'application/json': {
          schema: {
            type: 'object',
            properties: { refused: { type: 'array', items: refused } },
            required: ['refused'],
          },
        },
      },
    },
  };
  const codes = ['invalid_request', 'no_right', type, 'too_many_attempts', ...unread] as const;
  return {
    [OSMAND_PATH]: {
      get: {
        operationId: 'sendOsmandQuery',
        summary: 'A position or people of a phone or counter in the OsmAnd form (docs/osmand.md)',
        parameters: Object.entries(fields).map(([name, schema]) => {
          return { name, in: 'query', required: name === 'id', schema };
        }),
        responses: { ...stored, ...refusalsOf(codes) },
      },
      post: {
        operationId: 'sendOsmand',
        summary: 'The same as a form, or in JSON, also of several moments',
        parameters: [],
        requestBody: {
          required: true,
          content: {
            'application/x-www-form-urlencoded': { schema: form },
            'application/json': { schema: { anyOf: [form, { type: 'array', items: form }] } },
          },
        },
        responses: { ...stored, ...refusalsOf([...codes, 'not_found', 'too_large']) },
      },
    },
  };
}
