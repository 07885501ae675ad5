// Loaded when a stream is to be played in a browser that cannot do that by itself; the library is larger than the tab.
import Hls from 'hls.js/light';

/** How far ahead a stream is read, s: a fragment is short, and the link may be thin. */
const AHEAD_S = 30;

/**
 * Has a video element play a stream in parts (HLS).
 * @param onFailed called once, when it can not be played, or not any more
 * @returns takes the stream away from the element
 */
export function attachStream(
  video: HTMLVideoElement,
  address: string,
  onFailed: () => void,
): () => void {
  if (!Hls.isSupported()) {
    // What remains is a browser that may know streams by itself; else its error event tells.
    video.src = address;
    return () => video.removeAttribute('src');
  }
  // The parts are what the browser takes as it is: there is nothing for a worker to do.
  const hls = new Hls({ enableWorker: false, maxBufferLength: AHEAD_S });
  let wasMended = false;
  hls.on(Hls.Events.ERROR, (_event, { fatal, type }) => {
    if (!fatal) return;
    if (type === Hls.ErrorTypes.MEDIA_ERROR && !wasMended) {
      wasMended = true;
      hls.recoverMediaError();
      return;
    }
    hls.destroy();
    onFailed();
  });
  hls.loadSource(address);
  hls.attachMedia(video);
  return () => hls.destroy();
}
