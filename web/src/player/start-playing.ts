export type Started = 'playing' | 'muted' | 'refused';

/**
 * Plays a video, without sound if the browser refuses sound without a user gesture.
 * @returns 'refused' if the video does not play at all
 */
export async function startPlaying(video: HTMLVideoElement): Promise<Started> {
  try {
    await video.play();
    return video.muted ? 'muted' : 'playing';
  } catch (error) {
    if (!isRefusal(error) || video.muted) return 'refused';
  }
  video.muted = true;
  try {
    await video.play();
    return 'muted';
  } catch {
    return 'refused';
  }
}

const isRefusal = (error: unknown): boolean =>
  error instanceof DOMException && error.name === 'NotAllowedError';
