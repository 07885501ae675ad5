// Plays captures of other protocols over real sockets.
import { parseArgs } from 'node:util';
import { OSMAND_PATH, UnitProtocol } from '@ridewatch/contract/unit-protocols';
import { CaptureError, type CaptureRun, type CaptureServer, failureText } from './capture-run.ts';
import { RecordingError } from './columns.ts';
import { replayEgts } from './egts-capture.ts';
import { replayJt808 } from './jt808-capture.ts';
import { replayOsmand } from './osmand-capture.ts';

export const CAPTURE_USAGE = `       npm run replay -- --protocol egts|jt808 --to HOST:PORT --capture FILE [--capture FILE …]
       npm run replay -- --protocol osmand --to URL --capture FILE [--capture FILE …]
  --protocol NAME    plays a capture instead of recordings
  --to HOST:PORT     the server's port of the protocol; of osmand also an address, http://HOST:PORT/unit/osmand
  --capture FILE     packets: a CSV file with a column hex, or a file of bytes as they were sent; of osmand requests: a CSV
                     file with method, content_type and url_or_body, or lines of targets`;

interface CaptureFlags {
  readonly captures: readonly string[];
  /** Its receiver. */
  readonly to:
    | { readonly protocol: 'egts' | 'jt808'; readonly host: string; readonly port: number }
    | { readonly protocol: 'osmand'; readonly url: string };
}

/** Reads the command line. @throws RecordingError that names the flag */
export function readCaptureFlags(args: readonly string[]): CaptureFlags {
  const { protocol: name, to = '', capture = [] } = parsed(args);
  const protocol = UnitProtocol.safeParse(name).data;
  if (protocol === undefined) {
    throw new RecordingError(`--protocol '${name}' is none of ${UnitProtocol.options.join(', ')}`);
  }
  const address = readTo(protocol, to);
  if (capture.length === 0) throw new RecordingError('--capture is required');
  return { to: address, captures: capture };
}

function readTo(protocol: UnitProtocol, to: string): CaptureFlags['to'] {
  const isUrl = /^https?:\/\//.test(to) && URL.canParse(to);
  if (protocol === 'osmand' && isUrl) return { protocol, url: to };
  const [, host, port] = /^([^/]+):(\d{1,5})$/.exec(to) ?? [];
  if (host === undefined || Number(port) > 65_535) {
    throw new RecordingError('--to is required, for instance 127.0.0.1:20332');
  }
  if (protocol === 'osmand') return { protocol, url: `http://${host}:${port}/` };
  return { protocol, host, port: Number(port) };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        protocol: { type: 'string' },
        to: { type: 'string' },
        capture: { type: 'string', multiple: true },
      },
    }).values;
  } catch (cause) {
    throw new RecordingError(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

/**
 * Sends what is in captures, in its order, each part until it is answered, and says what came of it.
 * @throws RecordingError for a file that cannot be read; CaptureError when the server is not there, does not answer or
 * refuses every record
 */
export async function replayCapture({
  flags: { to, captures },
  ...given
}: Omit<CaptureRun, 'captures' | 'onFailure'> & {
  readonly flags: CaptureFlags;
}): Promise<void> {
  const { say, signal } = given;
  const server = serverOf(to);
  const onFailure = (error: unknown, waitMs: number): void => {
    if (signal.aborted) return;
    const when = waitMs === 0 ? 'now' : `in ${waitMs / 1000} s`;
    say(`${failureText(error, server)} The next attempt is ${when}.`);
  };
  const run = { ...given, captures, onFailure };
  try {
    if (to.protocol === 'osmand') await replayOsmand(to.url, run);
    else if (to.protocol === 'egts') await replayEgts(to, run);
    else await replayJt808(to, run);
  } catch (cause) {
    if (cause instanceof RecordingError || cause instanceof CaptureError) throw cause;
    const why = failureText(cause, server);
    throw new CaptureError(`The capture was not sent to its end. ${why}`, { cause });
  }
}

function serverOf(to: CaptureFlags['to']): CaptureServer {
  if (to.protocol === 'osmand') {
    const isOwnPort = new URL(to.url).pathname !== OSMAND_PATH;
    return { place: to.url, variable: isOwnPort ? 'OSMAND_PORT' : 'PORT' };
  }
  const variable = to.protocol === 'egts' ? 'EGTS_PORT' : 'JT808_PORT';
  return { place: `${to.host}:${to.port}`, variable };
}
