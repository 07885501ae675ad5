// The port of FTP, by which registrars that know nothing else upload video.
import type { Socket } from 'node:net';
import { listOwnPorts } from '../core/own-ports.ts';
import type { Deps } from '../deps.ts';
import { plainAddress } from '../ingest/by-id/addresses.ts';
import { createPlaces } from '../ingest/by-id/places.ts';
import { createTcpListener, type TcpListener } from '../ingest/by-id/tcp-listener.ts';
import { createUploadReceiver } from '../video/uploads/receive-upload.ts';
import { type FtpLimits, ftpLimits } from './limits.ts';
import { createPassivePorts } from './passive-ports.ts';
import { type FtpSession, openFtpSession } from './session.ts';

/** Makes the listener when the configuration has a port for it and one for JT/T 808, by which registrars are asked for video. */
export function makeFtpListener(deps: Deps): TcpListener | null {
  const { jt808Port, ftpPort } = deps.config;
  return jt808Port === 0 || ftpPort === 0 ? null : createFtpListener(deps, ftpPort);
}

/**
 * Makes the listener of a port. It takes connections from the addresses of JT/T 808: the same registrars come.
 * @param port 0: any that is free
 * @param limits numbers and times, ms; those of the product by default
 */
export function createFtpListener(
  deps: Deps,
  port: number,
  limits: FtpLimits = ftpLimits,
): TcpListener {
  const { config } = deps;
  // A session outlives its control connection while data comes.
  const sessions = new Set<FtpSession>();
  const places = createPlaces(limits.connections, limits.ofLogin);
  const world = {
    deps,
    limits,
    receiver: createUploadReceiver(deps),
    ports: createPassivePorts({
      ...config.ftpPassivePorts,
      host: config.host,
      // A port that could not be opened at the start is tried again: no upload may have it then.
      except: listOwnPorts(config).map(([, own]) => own),
      waitMs: limits.dataMs,
    }),
  };
  const openSession = (socket: Socket): Pick<FtpSession, 'stop'> => {
    const place = places.take(plainAddress(socket.remoteAddress), () => session.giveWay());
    if (place === undefined) {
      socket.on('error', () => undefined);
      socket.end('421 Too many connections.\r\n', () => socket.destroy());
      return { stop: async () => void socket.destroy() };
    }
    const session = openFtpSession(socket, world, place);
    sessions.add(session);
    void session.ended.then(() => {
      place.leave();
      sessions.delete(session);
    });
    return session;
  };
  return createTcpListener({
    ...deps,
    ...{ port, name: 'ftp', variable: 'FTP_PORT', from: config.jt808From },
    openSession,
    close: async () => {
      await Promise.all([...sessions].map((session) => session.stop()));
    },
  });
}
