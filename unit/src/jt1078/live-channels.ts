// The channels of a terminal that are sent live: a connection each, to the address that 0x9101 names.
import { connect, type Socket } from 'node:net';
import type { LiveRequest } from './messages.ts';
import { type Jt1078Camera, type Jt1078Frame, jt1078Packets } from './packet.ts';

/** Bytes that a slow link has not taken; a connection with more is closed. */
const MOST_UNSENT_BYTES = 4 * 1024 * 1024;

/**
 * Gives the frames of a channel in real time until the signal is aborted.
 * @throws Error when the camera has none
 */
export type LiveSource = (
  request: LiveRequest,
  onFrame: (frame: Jt1078Frame) => void,
  signal: AbortSignal,
) => Promise<void>;

export interface LiveChannels {
  /** Connects and sends, in place of what the channel sends already. */
  start(request: LiveRequest): void;
  stop(channel: number): void;
  /** The channels that are sent now. */
  running(): number[];
  /** Ends all. Resolves when no source runs any more. */
  close(): Promise<void>;
}

/** Creates them. @param onFailure called when a source ends with an error */
export function createLiveChannels(
  camera: Omit<Jt1078Camera, 'channel'>,
  source: LiveSource,
  onFailure: (error: unknown) => void = () => undefined,
): LiveChannels {
  const running = new Map<number, Socket>();
  const sending = new Set<Promise<void>>();

  async function send(socket: Socket, request: LiveRequest): Promise<void> {
    const over = new AbortController();
    socket.on('close', () => over.abort());
    if (socket.destroyed) return;
    let serial = 0;
    const onFrame = (frame: Jt1078Frame): void => {
      if (socket.destroyed) return;
      const packets = jt1078Packets({ ...camera, channel: request.channel }, frame, serial);
      serial += packets.length;
      socket.write(Buffer.concat(packets));
      if (socket.writableLength > MOST_UNSENT_BYTES) socket.destroy();
    };
    try {
      await source(request, onFrame, over.signal);
    } catch (error) {
      if (!over.signal.aborted) onFailure(error);
    } finally {
      socket.destroy();
    }
  }

  return {
    start: (request) => {
      const { channel, host, port } = request;
      running.get(channel)?.destroy();
      const socket = connect({ port, host, noDelay: true });
      running.set(channel, socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        if (running.get(channel) === socket) running.delete(channel);
      });
      socket.on('connect', () => {
        const ended = send(socket, request).finally(() => sending.delete(ended));
        sending.add(ended);
      });
    },
    stop: (channel) => void running.get(channel)?.destroy(),
    running: () => [...running.keys()],
    close: async () => {
      for (const socket of running.values()) socket.destroy();
      await Promise.all(sending);
    },
  };
}
