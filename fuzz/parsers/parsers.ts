import { egtsParser } from './egts.ts';
import { jt808Parser } from './jt808.ts';
import { osmandParser } from './osmand.ts';
import type { FuzzedParser } from './parser.ts';

/** The parsers of units that are known by an id in their protocol. */
export const parsers: readonly FuzzedParser[] = [egtsParser, jt808Parser, osmandParser];
