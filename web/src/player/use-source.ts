import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useConnectionLost } from '../connection.ts';
import { afterFailure, afterProgress, hasGivenUp, newSource, tryAgain } from './source.ts';

interface SourceOptions {
  id: number;
  address: string;
  onStale: () => Promise<unknown>;
}

/** The address that a video is read from, and how it is read again after a failure. */
export function useSource({ id, address, onStale }: SourceOptions) {
  const [source, setSource] = useState(() => newSource(id, address));
  // A new address of the same video is taken only when the old one failed: taking it would start it anew.
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
  // What failed without a connection is not broken: it is read again when the connection is back.
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
    /** Reading failed at this second of media time. */
    renew: async (atS: number) => {
      await onStale();
      const known = newest.current;
      setSource((now) => (now.id === id ? afterFailure(now, known, atS) : now));
    },
    /** It plays at this second of media time. */
    progress: (atS: number) => setSource((now) => afterProgress(now, atS)),
  };
}
