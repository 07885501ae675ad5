import type { Fragment } from '@ridewatch/contract/fragments';
import { useEffect, useRef, useState } from 'react';
import { type AddressChange, useAddress } from '../bus-page/use-address.ts';
import type { PlayerHandle } from '../player/player.tsx';
import { createPlayhead } from '../player/playhead.ts';
import type { FragmentAddress } from './address.ts';
import { setAutoplay, useAutoplay } from './autoplay.ts';
import { useSpeed } from './speed.ts';

/** An offset below this counts as the start, s. */
const BEGINNING_S = 0.05;

/** The state of a tab's player, for the panel of the fragment. */
export function usePlaying() {
  const { search, note } = useAddress<FragmentAddress>();
  const [playhead] = useState(createPlayhead);
  const player = useRef<PlayerHandle>(null);
  const [speed, onSpeed] = useSpeed();
  const autoplay = useAutoplay();
  return {
    player,
    playhead,
    speed,
    onSpeed,
    autoplay,
    onAutoplay: setAutoplay,
    fromSeconds: Number(search.t ?? 0) || 0,
    onRest: (seconds: number) => note({ t: inAddress(seconds) }),
  };
}

/** The fragment in the address, and functions that open and close fragments. */
export function useWatching() {
  const playing = usePlaying();
  const { search, go, note } = useAddress<FragmentAddress>();
  const { playhead } = playing;
  const [playAtOnce, setPlayAtOnce] = useState(false);
  const selectedId = search.fragment === undefined ? undefined : Number(search.fragment);
  // The address changes later than the selection; fast keys must build on the selection.
  const aimed = useRef(selectedId);
  useEffect(() => {
    aimed.current = selectedId;
    if (selectedId === undefined) playhead.set(null);
  }, [selectedId, playhead]);
  return {
    playing: { ...playing, playAtOnce },
    selectedId,
    /** Id of the fragment that is open or about to open. */
    aimedId: () => aimed.current,
    /**
     * Opens a fragment at a second from its start.
     *
     * @param beside further changes of the address
     */
    open: (
      fragment: Fragment,
      seconds = 0,
      isPlaying = false,
      beside: AddressChange<FragmentAddress> = {},
    ) => {
      aimed.current = fragment.id;
      setPlayAtOnce(isPlaying);
      if (fragment.id === selectedId) {
        playing.player.current?.seek(seconds);
        if (isPlaying) playing.player.current?.play();
      }
      // Back leaves the fragments instead of stepping through them.
      const change = selectedId === undefined ? go : note;
      change({ fragment: String(fragment.id), t: inAddress(seconds), ...beside });
    },
    close: () => {
      aimed.current = undefined;
      note({ fragment: undefined, t: undefined });
    },
  };
}

const inAddress = (seconds: number): string | undefined =>
  seconds > BEGINNING_S ? seconds.toFixed(1) : undefined;
