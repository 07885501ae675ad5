// The opening of a port that units connect to.
import type { Server } from 'node:net';
import type { PortFault } from '@ridewatch/contract/admin-unit-ports';
import { hasErrorCode, PortError, reasonOf } from '../../core/errors.ts';

/** Connections of a port in a process. Further ones take the place of another, or are closed at once. */
export const MOST_CONNECTIONS = 12_000;
/** Connections beside those: the ones that come, and the ones that give way to them and are not closed yet. */
export const MOST_COMING = 1000;

/** An address to listen at. */
export interface TcpPlace {
  /** The variable that configures the port. */
  readonly variable: string;
  /** 0: any that is free. */
  readonly port: number;
  readonly host: string;
}

/** The system's codes of a port that cannot be opened, each with its fault and its words. */
const FAULTS: readonly (readonly [string, PortFault, string])[] = [
  ['EADDRINUSE', 'taken', 'another program has it'],
  ['EACCES', 'no_right', 'the server may not open it; ports below 1024 need a right'],
  ['EADDRNOTAVAIL', 'no_address', 'this machine does not have the address'],
];

/** Opens the port of a server, also of one of HTTP. @throws PortError that names the variable */
export function listenAt(server: Server, { variable, port, host }: TcpPlace): Promise<void> {
  return new Promise((resolve, reject) => {
    // The port may be tried again with the same server.
    const fail = (cause: Error): void => {
      server.off('listening', open);
      const known = FAULTS.find(([code]) => hasErrorCode(cause, code));
      const [, fault, words] = known ?? ['', 'other' as const, reasonOf(cause)];
      reject(new PortError(`${variable} ${port} cannot be opened: ${words}`, fault));
    };
    const open = (): void => {
      server.off('error', fail);
      resolve();
    };
    server.once('error', fail).once('listening', open).listen({ port, host });
  });
}

/** The port that a server has open; 0: none. */
export function openPortOf(server: Server): number {
  const address = server.address();
  return address === null || typeof address === 'string' ? 0 : address.port;
}
