import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useConnectionLost } from '../core/connection.ts';
import { afterFailure, afterProgress, hasGivenUp, newSource, tryAgain } from './source.ts';

interface SourceOptions {
  id: number;
  address: string;
  onStale: () => Promise<unknown>;
}

/** The address of a video, and the retries after failures. */
export function useSource({ id, address, onStale }: SourceOptions) {
  const [source, setSource] = useState(() => newSource(id, address));
  // Use a new address of the same video only after a failure: it would restart the video.
  if (source.id !== id) setSource(newSource(id, address));
  const newest = useRef(address);
  useEffect(() => {
    newest.current = address;
  }, [address]);
  const hasFailed = hasGivenUp(source);
  const startAgain = async () => {
    await onStale();
    const known = newest.current;
    setSource((now) => tryAgain(now, known));
  };
  // A failure without a connection is retried when the connection is back.
  const isLost = useConnectionLost();
  const onLink = useEffectEvent(() => {
    if (hasFailed) void startAgain();
  });
  useEffect(() => {
    if (!isLost) onLink();
  }, [isLost]);
  return {
    source,
    hasFailed,
    startAgain,
    /** Loading failed at this second of media time. */
    renew: async (atS: number) => {
      await onStale();
      const known = newest.current;
      setSource((now) => (now.id === id ? afterFailure(now, known, atS) : now));
    },
    /** The video plays at this second of media time. */
    progress: (atS: number) => setSource((now) => afterProgress(now, atS)),
  };
}
