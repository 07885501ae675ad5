// Loads when a browser without HLS plays a stream: the library is larger than the code of the tab.
import Hls from 'hls.js/light';

/** How far ahead a stream is loaded, s: fragments are short, and the connection may be slow. */
const AHEAD_S = 30;

/**
 * Makes a video element play an HLS stream.
 * @param onFailed called once, when the stream cannot be played or fails
 * @returns detaches the stream from the element
 */
export function attachStream(
  video: HTMLVideoElement,
  address: string,
  onFailed: () => void,
): () => void {
  if (!Hls.isSupported()) {
    // The browser may play HLS by itself; otherwise its error event reports the failure.
    video.src = address;
    return () => video.removeAttribute('src');
  }
  // The browser takes the segments unchanged, so a worker has nothing to do.
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
