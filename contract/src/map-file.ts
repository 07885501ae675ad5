import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';

/** Most bytes of the map file in one answer; a longer range is cut. A tile is smaller, a directory too. */
export const MAP_RANGE_BYTES = 4 * 1024 * 1024;

export const readMapFile = endpoint({
  method: 'GET',
  path: '/api/map/{version}',
  summary: 'A range of bytes of the map file, a PMTiles archive with the streets of the area',
  access: 'user',
  params: z.object({ version: z.string() }),
  produces: ['application/vnd.pmtiles'],
  errors: ['unauthorized', 'invalid_request', 'not_found', 'range_not_satisfiable'],
});
