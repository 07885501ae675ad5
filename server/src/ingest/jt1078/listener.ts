// The port to which terminals of JT/T 808 send live video, by JT/T 1078 over TCP.
import { createFaultLog } from '../../core/fault-log.ts';
import type { Deps, MakeListener } from '../../deps.ts';
import { findFfmpeg } from '../../media/ffmpeg.ts';
import { workFolderOf } from '../../media/work-folder.ts';
import { plainAddress } from '../by-id/addresses.ts';
import { createPlaces } from '../by-id/places.ts';
import { createTcpListener, type TcpListener } from '../by-id/tcp-listener.ts';
import { openStreamSession, type StreamLimits, type StreamSession } from './session.ts';

/** A terminal sends pictures at once, and then each few ms. */
const LIMITS: StreamLimits = {
  ...{ firstMs: 10_000, idleMs: 30_000, lookMs: 2000, mostStreams: 50, connections: 200 },
};

/**
 * Makes the listener when the configuration has a port for it and one for JT/T 808, by which terminals are asked for video,
 * and the process works with video.
 */
export const makeJt1078Listener: MakeListener = (deps) => {
  const { jt808Port, jt1078Port } = deps.config;
  if (jt808Port === 0 || jt1078Port === 0 || deps.videoOff !== undefined) return null;
  return createJt1078Listener(deps, jt1078Port);
};

/**
 * Makes the listener of a port.
 * @param port 0: any that is free
 * @param limits tests have other ones
 */
export function createJt1078Listener(
  deps: Deps,
  port: number,
  limits: StreamLimits = LIMITS,
): TcpListener {
  const { config } = deps;
  const { ffmpegPath } = findFfmpeg(config);
  const folder = workFolderOf(config);
  const faults = createFaultLog(deps, 'error');
  const streams = new Map<number, Pick<StreamSession, 'end'>>();
  const places = createPlaces(limits.connections);
  return createTcpListener({
    ...deps,
    ...{ port, name: 'jt1078', variable: 'JT1078_PORT', from: config.jt808From },
    openSession: (socket) => {
      const tooMany = (): void => session.end('too_many');
      const place = places.take(plainAddress(socket.remoteAddress), tooMany);
      const session = openStreamSession(socket, {
        ...deps,
        ...{ limits, faults, ffmpegPath, folder, streams, place },
      });
      socket.on('close', () => place?.leave());
      if (place === undefined) tooMany();
      return session;
    },
    close: () => Promise.resolve(),
  });
}
