import { useEffect, useEffectEvent, useImperativeHandle, useRef, useState } from 'react';
import { useVisible } from '../ui/use-visible.ts';
import { beginningAt, isBeyondEnd } from './beyond-end.ts';
import { useFrameLength } from './frame-length.ts';
import { stepFrames } from './frame-step.ts';
import { toggleFullScreen } from './full-screen.ts';
import type { PlayerAction } from './player-keys.ts';
import type { PlayerProps } from './player-props.ts';
import { speedBy } from './speeds.ts';
import { usePlayback } from './use-playback.ts';
import { usePosition } from './use-position.ts';
import { useSource } from './use-source.ts';

/** The state and the actions of a player, for its controls, keys and video element. */
export function usePlayer(props: PlayerProps) {
  const { ref, id, speed } = props;
  const video = useRef<HTMLVideoElement>(null);
  const frame = useRef<HTMLDivElement>(null);
  const [duration, setDuration] = useState(0);
  const reading = useSource(props);
  const { source } = reading;
  const playback = usePlayback(video, props);
  const { position, follow, toOffset, toMedia } = usePosition(video, {
    ...props,
    onProgress: reading.progress,
  });
  const frameS = useFrameLength(video, source.id);

  // Whether the moment to show is not in the video; then it stands at its last frame.
  const isBeyond = useRef(false);
  const seekMedia = (mediaS: number) => {
    const element = video.current;
    if (!element) return;
    isBeyond.current = false;
    const end = Number.isFinite(element.duration) ? element.duration : mediaS;
    element.currentTime = Math.min(Math.max(mediaS, 0), end);
    follow();
    props.onRest(toOffset(element.currentTime));
  };
  const seek = (offsetS: number) => seekMedia(toMedia(offsetS));
  const seekMoment = (offsetS: number) => {
    const element = video.current;
    const mediaS = toMedia(offsetS);
    if (!element || !isBeyondEnd(mediaS, element.duration)) return seek(offsetS);
    isBeyond.current = true;
    playback.pause();
    element.currentTime = beginningAt(mediaS, element.duration);
    follow();
    props.onRest(offsetS);
  };
  const fullscreen = () => {
    if (frame.current && video.current) void toggleFullScreen(frame.current, video.current);
  };
  const perform = (action: PlayerAction) => {
    const element = video.current;
    if (!element) return;
    if (action.kind === 'toggle') playback.toggle();
    if (action.kind === 'seek') seek(toOffset(element.currentTime) + action.bySeconds);
    if (action.kind === 'speed') props.onSpeed(speedBy(speed, action.steps));
    if (action.kind === 'fullscreen') fullscreen();
    if (action.kind === 'frame') {
      playback.pause();
      seekMedia(stepFrames(element.currentTime, action.by, frameS.current, element.duration));
    }
  };
  useImperativeHandle(ref, () => ({
    perform,
    seek: seekMoment,
    play: () => {
      if (!isBeyond.current) void playback.play();
    },
  }));

  useEffect(() => {
    if (video.current) video.current.playbackRate = speed;
  }, [speed]);
  const begin = () => {
    const element = video.current;
    if (!element) return;
    setDuration(element.duration);
    element.playbackRate = speed;
    const from = toMedia(position);
    const startS = beginningAt(from, element.duration);
    if (element.currentTime !== startS) element.currentTime = startS;
    follow();
    isBeyond.current = isBeyondEnd(from, element.duration);
    if (isBeyond.current) playback.wantsToPlay.current = false;
    if (playback.wantsToPlay.current) void playback.play();
  };
  const renew = () => void reading.renew(video.current?.currentTime || toMedia(position));
  // A preloaded video has started to load, or failed, before it was chosen.
  const onChosen = useEffectEvent((_key: string) => {
    if (source.attempt === 0) playback.wantsToPlay.current = props.playAtOnce;
    const element = video.current;
    if (element?.error) renew();
    else if (element && element.readyState >= HTMLMediaElement.HAVE_METADATA) begin();
  });
  const key = `${source.id}:${source.attempt}`;
  useEffect(() => onChosen(key), [key]);
  // Nobody sees the video of a hidden page, unless it is in a window of its own.
  const isVisible = useVisible();
  const onHidden = useEffectEvent(() => {
    if (!document.pictureInPictureElement) playback.pause();
  });
  useEffect(() => {
    if (!isVisible) onHidden();
  }, [isVisible]);
  const { next } = props;
  return {
    video,
    frame,
    playback,
    reading,
    position,
    lengthS: Number.isFinite(duration) ? toOffset(duration) : 0,
    chosen: { key, address: source.address },
    ahead:
      next && next.id !== id && !savesData()
        ? { key: `${next.id}:0`, address: next.address }
        : undefined,
    seek,
    fullscreen,
    events: {
      onLoaded: begin,
      onPlay: () => {
        isBeyond.current = false;
        playback.setPlaying(true);
      },
      onPause: () => {
        playback.setPlaying(false);
        follow();
        if (!isBeyond.current) props.onRest(toOffset(video.current?.currentTime ?? 0));
      },
      onSeeked: follow,
      onEnded: () => {
        playback.wantsToPlay.current = false;
        props.onEnded();
      },
      onError: renew,
      onClick: playback.toggle,
    },
  };
}

// With data saving, nothing is preloaded.
function savesData(): boolean {
  const link: unknown = 'connection' in navigator ? navigator.connection : undefined;
  return typeof link === 'object' && link !== null && 'saveData' in link && link.saveData === true;
}
