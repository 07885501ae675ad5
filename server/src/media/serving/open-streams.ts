// A user who loses a right also loses the running video: every stream is checked again every CHECK_MS.
import type { Deps } from '../../deps.ts';

const CHECK_MS = 2000;

interface OpenStream {
  /** Throws when the user has lost the right. */
  check(): Promise<unknown>;
  stop(): void;
}

export interface OpenStreams {
  /** Watches a stream until the returned function is called. */
  watch(stream: OpenStream): () => void;
  close(): void;
}

/** The running video streams of this process. */
export function createOpenStreams({ log }: Pick<Deps, 'log'>): OpenStreams {
  const streams = new Set<OpenStream>();
  const timer = setInterval(() => {
    for (const stream of streams) {
      stream.check().catch((error: unknown) => {
        log.info({ err: error }, 'a video stream was closed');
        streams.delete(stream);
        stream.stop();
      });
    }
  }, CHECK_MS);
  timer.unref();
  return {
    watch: (stream) => {
      streams.add(stream);
      return () => streams.delete(stream);
    },
    close: () => clearInterval(timer),
  };
}
