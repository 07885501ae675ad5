// The turns in which the connections of a port answer. Messages that they have read are in memory until they are stored, so
// few have a turn at the same time, and the bytes of their messages together are limited, too.
import { createLanes, type WeightedTurns } from './weighted-turns.ts';

/** Bytes of messages with which a connection waits only for others like it: dozens of usual packets. */
const MOST_LIGHT_BYTES = 16_384;
/** Such connections whose messages are stored at the same time: a statement stores the usual ones of many. */
const LIGHT = { most: 32, mostWeight: 32 * MOST_LIGHT_BYTES } as const;
/**
 * The others, and bytes of their messages: sixteen full turns. Seven bytes may be a record of EGTS, which takes a hundred times
 * as much until it is answered; and a packet may have 43,000 records, which are stored for seconds.
 */
const HEAVY = { most: 16, mostWeight: 2 ** 20 } as const;

/**
 * Makes the turns of a port's connections, which weigh as many as the bytes of their messages. Nobody's turn comes too late:
 * what has been sent again meanwhile is in the same bytes, and is stored by the same turn. If late turns were given up,
 * copies would fill all of them, and nothing would be stored.
 */
export const createConnectionTurns = (): WeightedTurns =>
  createLanes(MOST_LIGHT_BYTES, LIGHT, HEAVY);
