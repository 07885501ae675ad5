import type { Camera } from '@ridewatch/contract/buses';
import { findLive, startLive } from '@ridewatch/contract/live';
import { useEffect, useEffectEvent, useState } from 'react';
import { useAction, useEndpoint } from '../../calls/api.ts';

const STARTING_MS = 1_000;
const RUNNING_MS = 3_000;
/** A stream that fails before it plays is restarted at most this often. */
const MOST_TRIES = 3;

/** Starts the live stream of a camera, follows it, and restarts it when it fails. */
export function useLiveStream({ id: cameraId }: Camera) {
  const params = { cameraId };
  const [tries, setTries] = useState(0);
  const [isPlaying, setPlaying] = useState(false);
  const starting = useAction(startLive, {
    // Without a connection the start is retried until the connection is back.
    retry: (_failures, { status }) => status === 0,
    retryDelay: RUNNING_MS,
  });
  const begun = starting.data;
  const stream = useEndpoint(
    findLive,
    { params },
    {
      enabled: begun !== undefined,
      // A cached state from an earlier visit is out of date.
      staleTime: 0,
      gcTime: 0,
      refetchInterval: ({ state }) => (state.data?.state === 'starting' ? STARTING_MS : RUNNING_MS),
    },
  );
  const start = () => {
    setPlaying(false);
    starting.mutate({ params });
  };
  const startOnce = useEffectEvent(start);
  useEffect(() => startOnce(), []);
  const state = stream.data?.state ?? begun?.state ?? 'starting';
  const hasEnded = state === 'ended' || state === 'failed';
  const hasGivenUp = tries > MOST_TRIES && !isPlaying && !starting.isPending;
  const problem = starting.error ?? stream.error;
  const isLost = problem?.status === 0 || starting.failureReason?.status === 0;
  const isOver = hasEnded || hasGivenUp || (problem !== null && !isLost);
  return {
    begun,
    state,
    reason: stream.data?.reason ?? begun?.reason ?? null,
    detail: stream.data?.detail ?? begun?.detail ?? null,
    problem,
    isLost,
    isOver,
    /** The pictures come, and the browser does not play their coding. */
    isUnplayable: hasGivenUp && state === 'running' && stream.data?.codec === 'h265',
    isStarting: starting.isPending,
    isPlaying,
    /** Whether there is a stream to play. */
    canPlay: begun !== undefined && !isOver && (state === 'running' || state === 'stalled'),
    onPlay: () => setPlaying(true),
    onLoaded: () => {
      setTries(0);
      setPlaying(true);
    },
    onBreak: () => {
      setTries(tries + 1);
      if (tries < MOST_TRIES) start();
    },
    startAgain: () => {
      setTries(0);
      start();
      void stream.refetch();
    },
  };
}
