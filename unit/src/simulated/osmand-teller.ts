// Tells the records of a simulated unit in the OsmAnd form: the present a record a request, as OsmAnd does, and what has
// waited in lists, as Traccar's client does.
import * as z from 'zod/mini';
import { type OsmandRecord, osmandJson, osmandQuery } from '../osmand/request.ts';
import { type Teller, type TellerOptions, tellInParts } from './teller.ts';
import type { Told } from './told.ts';

/** Most records of a list. */
const MOST_TOGETHER = 100;
/** So few are sent one by one. */
const FEW = 8;
const ANSWER_MS = 15_000;

const Answer = z.object({
  message: z.optional(z.string()),
  refused: z.optional(z.array(z.object({ field: z.string(), message: z.string() }))),
});

/** Creates the teller of a phone. @param url where the server takes the form */
export function createOsmandTeller(url: string, id: string, options: TellerOptions): Teller {
  const { signal, onRefused } = options;

  async function ask(address: string, body?: object): Promise<void> {
    const answer = await fetch(address, {
      signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]),
      ...(body !== undefined && {
        ...{ method: 'POST', headers: { 'content-type': 'application/json' } },
        body: JSON.stringify(body),
      }),
    });
    const text = await answer.text();
    const said = text === '' ? {} : Answer.parse(JSON.parse(text));
    if (!answer.ok) throw new Error(`OsmAnd ${answer.status} ${said.message ?? ''}`);
    for (const { field, message } of said.refused ?? []) onRefused(`OsmAnd ${field} ${message}`);
  }

  return {
    ...{ byOpening: false, leastEveryMs: 5000 },
    tell: (told) =>
      told.length <= FEW
        ? tellInParts(told, 1, options, async (part) => {
            for (const record of part.flatMap(recordsOf)) {
              await ask(`${url}?${osmandQuery(id, record)}`);
            }
            return part.length;
          })
        : tellInParts(told, MOST_TOGETHER, options, async (part) => {
            const records = part.flatMap(recordsOf);
            if (records.length > 0) await ask(url, osmandJson(id, records));
            return part.length;
          }),
    // The connections of requests close by themselves.
    close: async () => undefined,
  };
}

// A phone without a fix does not tell where it is.
function recordsOf(told: Told): OsmandRecord[] {
  if (told.kind === 'people') {
    const { atMs, door, entered, exited } = told;
    return [{ timeMs: atMs, door, entered, exited }];
  }
  const { latitude, longitude, speed_kmh, course, hdop } = told.position;
  if (typeof latitude !== 'number' || typeof longitude !== 'number') return [];
  return [
    {
      ...{ timeMs: told.atMs, latitude, longitude },
      ...{ speedKmh: speed_kmh ?? 0, course: course ?? 0 },
      ...(typeof hdop === 'number' && { hdop }),
    },
  ];
}
