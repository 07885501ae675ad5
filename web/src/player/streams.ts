/** Whether an address is one of a stream in parts, and not of a file. */
export function isStream(address: string): boolean {
  return /^(https?:\/\/[^/]+)?\/api\/video_feed2\//.test(address);
}

// Chromium says 'maybe' too, and does it less well than the library; Safari alone is known for it.
/** Whether this browser plays streams by itself. */
export function playsStreams(): boolean {
  return (
    navigator.vendor.startsWith('Apple') &&
    document.createElement('video').canPlayType('application/vnd.apple.mpegurl') !== ''
  );
}
