// A faulty server of a protocol over TCP: it confirms a message when it has read it, and brings it to a sound server when
// the next one arrives.
import { type AddressInfo, createServer, type Socket } from 'node:net';
import type { EarlyListener } from './sender.ts';

/** A message as it came, and the answer that confirms it. */
export interface EarlyMessage {
  /** Undefined: only to be answered, as a sign-in. */
  readonly bytes: Buffer | undefined;
  readonly answer: Buffer;
}

export interface EarlyProtocol {
  /** Makes the reader of a connection: it takes bytes and gives the messages that are whole by now. */
  readonly read: () => (bytes: Buffer) => EarlyMessage[];
  /** Brings a message to the sound server. @throws Error when it is not confirmed */
  readonly bring: (message: Buffer) => Promise<void>;
}

/** Starts it, for one unit. */
export async function startEarlyListener({ read, bring }: EarlyProtocol): Promise<EarlyListener> {
  const sockets = new Set<Socket>();
  let held: Buffer | undefined;
  let isBringing = false;
  let runs = true;
  let working = Promise.resolve();

  const bringHeld = async (): Promise<void> => {
    isBringing = true;
    try {
      if (held !== undefined) await bring(held);
    } finally {
      isBringing = false;
    }
  };
  const take = async (socket: Socket, { bytes, answer }: EarlyMessage): Promise<void> => {
    if (socket.destroyed) return;
    if (bytes !== undefined) {
      await bringHeld();
      if (!runs) throw new Error('killed');
      held = bytes;
    }
    socket.write(answer);
  };
  const server = createServer((socket) => {
    if (!runs) {
      socket.destroy();
      return;
    }
    const next = read();
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    socket.on('data', (bytes: Buffer) => {
      for (const message of next(bytes)) {
        working = working.then(() => take(socket, message)).catch(() => void socket.destroy());
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const closeAll = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  const settle = async (): Promise<void> => {
    await working;
    await bringHeld();
    held = undefined;
  };
  return {
    port: (server.address() as AddressInfo).port,
    holds: () => held !== undefined && !isBringing,
    kill: () => {
      runs = false;
      held = undefined;
      closeAll();
    },
    restart: () => {
      runs = true;
    },
    settle,
    close: async () => {
      await settle();
      closeAll();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
