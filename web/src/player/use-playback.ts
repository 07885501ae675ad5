import { type RefObject, useRef, useState } from 'react';
import { startPlaying } from './start-playing.ts';
import { useChange } from './use-change.ts';

/**
 * Plays and pauses a video; mutes it if the browser refuses sound.
 * @param id identifies the video in the element
 */
export function usePlayback(
  video: RefObject<HTMLVideoElement | null>,
  { id, isMuted }: { id: number; isMuted: boolean },
) {
  const [isPlaying, setPlaying] = useState(false);
  const [isSilenced, setSilenced] = useState(false);
  // Whether the video plays when it is loaded, or loaded again.
  const wantsToPlay = useRef(false);
  useChange(id, () => setPlaying(false));
  const play = async () => {
    const element = video.current;
    if (!element) return;
    wantsToPlay.current = true;
    const started = await startPlaying(element);
    if (element !== video.current) return;
    if (started === 'refused') setPlaying(false);
    setSilenced(started === 'muted' && !isMuted);
  };
  const pause = () => {
    wantsToPlay.current = false;
    video.current?.pause();
  };
  return {
    isPlaying,
    isSilenced,
    wantsToPlay,
    setPlaying,
    play,
    pause,
    toggle: () => {
      if (video.current?.paused) void play();
      else pause();
    },
    turnSoundOn: () => {
      setSilenced(false);
      if (video.current) video.current.muted = false;
    },
  };
}
