import { type RouterHistory, useRouter } from '@tanstack/react-router';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import type { PlayerHandle } from '../player/player-props.ts';
import { createPlayhead } from '../player/playhead.ts';
import { setAutoplay, useAutoplay } from './autoplay.ts';
import { useSpeed } from './speed.ts';
import { useWatchedAddress, type WatchedAddressOptions } from './use-watched-address.ts';
import { createWatched, NOTHING, watchedIn } from './watched.ts';

/** The fragment that a screen watches, the state of its player, and functions that open and close fragments. */
export function useWatching(options: WatchedAddressOptions = {}) {
  const history: RouterHistory = useRouter().history;
  const [store] = useState(() =>
    createWatched(watchedIn(new URLSearchParams(history.location.search))),
  );
  const watched = useSyncExternalStore(store.subscribe, store.get);
  const { fragmentId, fromSeconds, playAtOnce, isUnasked = false } = watched;
  useWatchedAddress(store, options);
  const [playhead] = useState(createPlayhead);
  const player = useRef<PlayerHandle>(null);
  const [speed, onSpeed] = useSpeed();
  const autoplay = useAutoplay();
  useEffect(() => {
    if (fragmentId === undefined) playhead.set(null);
  }, [fragmentId, playhead]);
  return {
    playing: {
      player,
      playhead,
      speed,
      onSpeed,
      autoplay,
      onAutoplay: setAutoplay,
      fromSeconds,
      playAtOnce,
      onRest: (seconds: number, restingId: number) => {
        if (store.get().fragmentId !== restingId) return;
        store.set({ fragmentId: restingId, fromSeconds: seconds, playAtOnce: false });
      },
    },
    /** Id of the current fragment. */
    selectedId: fragmentId,
    /** The screen opened it by itself. */
    isUnasked,
    /** Opens a fragment at a second from its start, playing also if Autoplay is on. */
    open: (id: number, seconds = 0, isPlaying = false) => {
      const isOpen = store.get().fragmentId === id;
      const plays = isPlaying || autoplay;
      store.set({ fragmentId: id, fromSeconds: seconds, playAtOnce: plays });
      if (!isOpen) return;
      player.current?.seek(seconds);
      if (plays) player.current?.play();
    },
    /** Shows a fragment that the user did not choose. */
    show: (id: number) => store.set({ ...NOTHING, fragmentId: id }),
    /** Shows a fragment at the first sight of a screen; the address does not name it until the user does something. */
    suggest: (id: number) => store.set({ ...NOTHING, fragmentId: id, isUnasked: true }),
    close: () => store.set(NOTHING),
  };
}
