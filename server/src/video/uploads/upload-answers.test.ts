import { ErrorBody } from '@ridewatch/contract/errors';
import { MAX_UPLOAD_BYTES } from '@ridewatch/contract/unit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addIngest } from '../../ingest/http/api.ts';
import { makeClip } from '../../test/clip.ts';
import { insertTestFleet, type TestFleet } from '../../test/fleet.ts';
import { createTestServer, type TestServer } from '../../test/test-deps.ts';
import { chunkHeaders, createTusClient } from '../../test/tus.ts';
import { announce, idOf, stateOf, uploadHeaders, verify } from '../../test/video.ts';
import { addUploads } from './uploads.ts';

const START_MS = Date.UTC(2026, 10, 20, 5);
let server: TestServer;
let fleet: TestFleet;
let base: string;
let location: string;

beforeAll(async () => {
  server = await createTestServer([addIngest, addUploads]);
  server.clock.set(START_MS + 3_600_000);
  fleet = await insertTestFleet(server.deps.database.db);
  base = await server.app.listen({ port: 0, host: '127.0.0.1' });
  const announced = await announce(server, fleet.firstBus, START_MS);
  location = await createTusClient(base, fleet.firstBus.credential).open(announced, 100);
});
afterAll(() => server.close());

type Headers = Record<string, string | undefined>;

function ask(method: string, path: string, headers: Headers, body?: string): Promise<Response> {
  const given = Object.entries(headers).filter((pair): pair is [string, string] => !!pair[1]);
  return fetch(base + path, { method, headers: given, ...(body === undefined ? {} : { body }) });
}

const UPLOADS = '/unit/v1/uploads';
const announcedNowhere = { stream: '6f1c0b0e-3c2a-4a7e-9d6d-0d2b8f1f7a11', seq: 1 };

describe('what the address of uploads refuses', () => {
  const creation = (more: Headers = {}): Headers => ({
    ...uploadHeaders(fleet.firstBus.credential, announcedNowhere, 10),
    ...more,
  });
  const chunk = (more: Headers = {}): Headers => ({
    ...chunkHeaders(fleet.firstBus.credential, 0),
    ...more,
  });
  const cases: Record<string, [() => Promise<Response>, number, string, string?]> = {
    'a stranger': [
      () => ask('POST', UPLOADS, creation({ authorization: 'Bearer nobody' })),
      401,
      'unauthorized',
    ],
    'no version of the protocol': [
      () => ask('POST', UPLOADS, creation({ 'tus-resumable': undefined })),
      412,
      'unsupported_version',
      'Tus-Resumable',
    ],
    'another version of the protocol': [
      () => ask('PATCH', location, chunk({ 'tus-resumable': '0.2.2' }), 'x'),
      412,
      'unsupported_version',
      'Tus-Resumable',
    ],
    'an upload without a length': [
      () => ask('POST', UPLOADS, creation({ 'upload-length': undefined })),
      400,
      'invalid_request',
      'Upload-Length',
    ],
    'a length that comes later': [
      () =>
        ask('POST', UPLOADS, creation({ 'upload-length': undefined, 'upload-defer-length': '1' })),
      400,
      'invalid_request',
      'Upload-Length',
    ],
    'one of several parts': [
      () => ask('POST', UPLOADS, creation({ 'upload-concat': 'partial' })),
      400,
      'invalid_request',
      'Upload-Concat',
    ],
    'several parts as one': [
      () => ask('POST', UPLOADS, creation({ 'upload-concat': `final;${UPLOADS}/a ${UPLOADS}/b` })),
      400,
      'invalid_request',
      'Upload-Concat',
    ],
    'an upload whose length is said later': [
      () => ask('PATCH', location, chunk({ 'upload-length': '100' }), 'x'),
      400,
      'invalid_request',
      'Upload-Length',
    ],
    'a length that is no number': [
      () => ask('POST', UPLOADS, creation({ 'upload-length': 'many' })),
      400,
      'invalid_request',
      'upload-length',
    ],
    'a file that is too large': [
      () => ask('POST', UPLOADS, creation({ 'upload-length': String(MAX_UPLOAD_BYTES + 1) })),
      413,
      'too_large',
    ],
    'metadata that cannot be read': [
      () => ask('POST', UPLOADS, creation({ 'upload-metadata': '===' })),
      400,
      'invalid_request',
    ],
    'a fragment that was not announced': [() => ask('POST', UPLOADS, creation()), 404, 'not_found'],
    'a chunk without its offset': [
      () => ask('PATCH', location, chunk({ 'upload-offset': undefined }), 'x'),
      400,
      'invalid_request',
      'Upload-Offset',
    ],
    'a chunk at another offset': [
      () => ask('PATCH', location, chunk({ 'upload-offset': '7' }), 'x'),
      409,
      'offset_mismatch',
      'Upload-Offset',
    ],
    'a chunk of another type': [
      () => ask('PATCH', location, chunk({ 'content-type': 'video/mp4' }), 'x'),
      415,
      'unsupported_media_type',
      'Content-Type',
    ],
    'more than was announced': [
      () => ask('PATCH', location, chunk(), 'x'.repeat(101)),
      413,
      'too_large',
    ],
    'an upload that is not there': [
      () => ask('PATCH', `${UPLOADS}/bm9uZQ`, chunk(), 'x'),
      404,
      'not_found',
    ],
    'a method that is not there': [() => ask('PUT', location, chunk(), 'x'), 404, 'not_found'],
  };
  it.each(Object.keys(cases))('%s, in the one form of all errors', async (name) => {
    const [request, status, error, field] = cases[name] ?? [];
    const answer = await request?.();
    const body = ErrorBody.parse(await answer?.json());
    expect([answer?.status, body.error, body.field ?? field]).toEqual([status, error, body.field]);
    expect(body.requestId).not.toBe('');
    expect(answer?.headers.get('content-type')).toMatch(/^application\/json/);
  });

  it('another version, naming its own', async () => {
    const answer = await ask('POST', UPLOADS, creation({ 'tus-resumable': '0.2.2' }));
    expect(answer.headers.get('tus-version')).toBe('1.0.0');
  });
});

describe('what the address of uploads can do', () => {
  it.each([
    [UPLOADS, 'POST, OPTIONS'],
    [`${UPLOADS}/x`, 'HEAD, PATCH, DELETE, OPTIONS'],
  ])('%s says by OPTIONS, and grants no other origin anything', async (path, allow) => {
    const answer = await ask('OPTIONS', path, { origin: 'https://elsewhere.example' });
    expect([answer.status, answer.headers.get('allow')]).toEqual([204, allow]);
    expect(answer.headers.get('tus-extension')).toBe('creation,creation-with-upload,termination');
    expect(answer.headers.get('tus-max-size')).toBe(String(MAX_UPLOAD_BYTES));
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
  });

  it('all its methods by POST, for links that let no other through', async () => {
    const { credential } = fleet.firstBus;
    const announced = await announce(server, fleet.firstBus, START_MS + 120_000);
    const own = await createTusClient(base, credential).open(announced, 5);
    const by = (method: string, headers: Headers = {}, body?: string) =>
      ask('POST', own, { ...headers, 'x-http-method-override': method }, body);
    const plain = { authorization: `Bearer ${credential}`, 'tus-resumable': '1.0.0' };
    const sent = await by('PATCH', chunkHeaders(credential, 0), 'abc');
    expect([sent.status, sent.headers.get('upload-offset')]).toEqual([204, '3']);
    const asked = await by('head', plain);
    expect([asked.status, asked.headers.get('upload-offset')]).toEqual([200, '3']);
    expect((await by('PATCH', chunkHeaders(credential, 0), 'de')).status).toBe(409);
    expect(
      (await by('PATCH', { ...chunkHeaders(credential, 3), authorization: '' }, 'de')).status,
    ).toBe(401);
    expect((await by('DELETE', plain)).status).toBe(204);
    expect((await ask('HEAD', own, plain)).status).toBe(404);
    for (const other of ['PUT', 'POST', 'GET', ''])
      expect((await by(other, plain)).status).toBe(404);
  });

  it('creation with upload: a short file needs one request', async () => {
    const announced = await announce(server, fleet.firstBus, START_MS + 60_000);
    const clip = makeClip(1);
    const answer = await fetch(base + UPLOADS, {
      method: 'POST',
      headers: {
        ...uploadHeaders(fleet.firstBus.credential, announced, clip.length),
        'content-type': 'application/offset+octet-stream',
      },
      body: new Uint8Array(clip),
    });
    expect([answer.status, answer.headers.get('upload-offset')]).toEqual([
      201,
      String(clip.length),
    ]);
    await verify(server, idOf(answer.headers.get('location') ?? ''));
    expect(await stateOf(server, announced)).toMatchObject({ status: 'LOADED' });
  });
});
