import { CLIENT_ID } from '@ridewatch/contract/auth';
import { bodyTypes, type Endpoint } from '@ridewatch/contract/endpoint';
import { endpoints, files } from '@ridewatch/contract/endpoints';
import { ErrorBody, type ErrorCode } from '@ridewatch/contract/errors';
import { makeCachedAnswer } from '../core/http/cached-answer.ts';
import { answerCached } from '../core/http/send-cached.ts';
import type { Feature } from '../deps.ts';
import { type Json, recordSchemas, refusalsOf, schemaOf } from './openapi-schemas.ts';
import { unitPaths } from './openapi-unit-paths.ts';

/** Serves the description of the API. The screen at /help/api shows it to people. */
export const addOpenApi: Feature = async (app) => {
  const description = describeApi();
  const json = await makeCachedAnswer(JSON.stringify(description));
  app.get('/api/openapi.json', (request, reply) => answerCached(request, reply, json));
  app.get('/api/docs', (_, reply) => reply.redirect('/help/api'));
};

/** Describes the calls of the contract, and units' calls in other protocols (tus, HLS, OsmAnd), in OpenAPI 3.1. */
export function describeApi(): Json {
  const paths: Record<string, Json> = {};
  for (const endpoint of endpoints as readonly Endpoint[]) {
    const operations = paths[endpoint.path] ?? {};
    operations[endpoint.method.toLowerCase()] = operationOf(endpoint);
    paths[endpoint.path] = operations;
  }
  Object.assign(paths, unitPaths());
  return {
    openapi: '3.1.0',
    info: {
      title: 'Ridewatch',
      version: '1',
      description:
        'Calls of the web application, and the interface of on-board units (/unit/v1). ' +
        'A call with x-role answers users of that role alone, one with x-scope also API keys of that scope.',
    },
    paths,
    components: {
      schemas: { Error: schemaOf(ErrorBody, 'output'), ...recordSchemas() },
      securitySchemes: {
        client: {
          ...{ type: 'http', scheme: 'basic' },
          description: `The client ${CLIENT_ID} without a password`,
        },
        user: { type: 'http', scheme: 'bearer', description: 'Access token of /oauth/token' },
        key: { type: 'http', scheme: 'bearer', description: 'API key (rwk_…) of a customer' },
        unit: { type: 'http', scheme: 'bearer', description: 'Credential of an on-board unit' },
      },
    },
  };
}

/** The name of each call, for those who generate a client: that of its constant in the contract. */
const operationIds: ReadonlyMap<unknown, string> = new Map(
  files.flatMap((file) => Object.entries(file).map(([name, value]) => [value, name])),
);

function operationOf(endpoint: Endpoint): Json {
  const { access, body, bodyType, maxBodyBytes } = endpoint;
  return {
    operationId: operationIds.get(endpoint),
    summary: endpoint.summary,
    ...securityOf(endpoint),
    ...(access === 'admin' ? { 'x-role': 'ADMIN' } : {}),
    ...(endpoint.scope === undefined ? {} : { 'x-scope': endpoint.scope }),
    parameters: [
      ...parametersOf(endpoint.params, 'path'),
      ...parametersOf(endpoint.query, 'query'),
    ],
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            ...(maxBodyBytes === undefined
              ? {}
              : { description: `At most ${maxBodyBytes} bytes.` }),
            content: {
              [bodyTypes[bodyType ?? 'json']]: { schema: schemaOf(body, 'input') },
            },
          },
        }),
    responses: { ...successesOf(endpoint), ...refusalsOf(codesOf(endpoint)) },
  };
}

function securityOf({ access, scope, errors }: Endpoint): Json {
  if (access === 'unit') return { security: [{ unit: [] }] };
  if (access === 'public') {
    return errors.includes('invalid_client') ? { security: [{ client: [] }] } : {};
  }
  return { security: scope === undefined ? [{ user: [] }] : [{ user: [] }, { key: [scope] }] };
}

function successesOf({ response, produces, errors, tagged }: Endpoint): Json {
  const content =
    response === undefined
      ? Object.fromEntries((produces ?? []).map((type) => [type, {}]))
      : { 'application/json': { schema: schemaOf(response, 'output') } };
  if (Object.keys(content).length === 0) return { 204: { description: 'Success' } };
  const isFile = errors.includes('range_not_satisfiable');
  const success = { description: 'Success', content };
  return {
    200: success,
    ...(isFile ? { 206: { description: 'The part that Range asks for', content } } : {}),
    ...(isFile || tagged === true
      ? { 304: { description: 'If-None-Match names what is there' } }
      : {}),
  };
}

// The declared errors, and those of all calls of the kind.
function codesOf(endpoint: Endpoint): Set<ErrorCode> {
  const { access, scope, method, errors, beforeSecondFactor, inView } = endpoint;
  const codes = new Set(errors);
  const isOfUser = access === 'user' || access === 'admin' || errors.includes('bad_signature');
  if (isOfUser) codes.add('user_inactive').add('user_blocked');
  if (isOfUser && !beforeSecondFactor) codes.add('second_factor_required');
  if (isOfUser && method !== 'GET' && !inView) codes.add('read_only_view');
  // Of a key without the scope, and of one that asks too often.
  if (scope !== undefined) codes.add('no_right').add('too_many_attempts');
  // The server reads a body, and may refuse it, even if the call has none.
  if (method !== 'GET') codes.add('invalid_request').add('too_large').add('unsupported_media_type');
  return codes.add('request_timeout').add('headers_too_large').add('unavailable');
}

function parametersOf(schema: Endpoint['query'], where: 'path' | 'query'): Json[] {
  if (schema === undefined) return [];
  const { properties = {}, required = [] } = schemaOf(schema, 'input') as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: where,
    required: where === 'path' || required.includes(name),
    schema: property,
  }));
}
