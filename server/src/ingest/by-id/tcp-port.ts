// The opening of a port that units connect to.
import type { Server } from 'node:net';
import { reasonOf, StartError } from '../../core/errors.ts';

/** Connections of a port in a process; further ones are closed at once. */
export const MOST_CONNECTIONS = 12_000;

/** An address to listen at. */
export interface TcpPlace {
  /** The variable that configures the port. */
  readonly variable: string;
  /** 0: any that is free. */
  readonly port: number;
  readonly host: string;
}

/** Opens the port of a server, also of one of HTTP. @throws StartError that names the variable */
export function listenAt(server: Server, { variable, port, host }: TcpPlace): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (cause: Error): void =>
      reject(new StartError(`${variable} is invalid: ${reasonOf(cause)}`, { cause }));
    server.once('error', fail);
    server.listen({ port, host }, () => {
      server.off('error', fail);
      resolve();
    });
  });
}

/** The port that a server has open; 0: none. */
export function openPortOf(server: Server): number {
  const address = server.address();
  return address === null || typeof address === 'string' ? 0 : address.port;
}
