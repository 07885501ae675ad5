import { egtsSender } from './egts-sender.ts';
import { jt808Sender } from './jt808-sender.ts';
import { osmandSender } from './osmand-sender.ts';
import type { Sender } from './sender.ts';

/** The protocols of units that are known by an id: each of them meets every fault. */
export const senders: readonly Sender[] = [egtsSender, jt808Sender, osmandSender];
