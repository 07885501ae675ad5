import { UsageError } from '../usage-error.ts';
import { egtsParser } from './egts.ts';
import { ftpParser } from './ftp.ts';
import { jt808Parser } from './jt808.ts';
import { jt1078Parser } from './jt1078.ts';
import { osmandParser } from './osmand.ts';
import type { FuzzedParser } from './parser.ts';

/** The parsers of what units send in other protocols than the unit interface. */
export const parsers: readonly FuzzedParser[] = [
  egtsParser,
  jt808Parser,
  osmandParser,
  jt1078Parser,
  ftpParser,
];

/** The parser of a protocol, or all of them for `all`. @throws UsageError for a name that is neither */
export function parsersOf(name: string): readonly FuzzedParser[] {
  if (name === 'all') return parsers;
  const own = parsers.filter(({ protocol }) => protocol === name);
  if (own.length > 0) return own;
  const known = parsers.map(({ protocol }) => protocol).join(', ');
  throw new UsageError(`--parsers '${name}' is none of ${known}, all`);
}
