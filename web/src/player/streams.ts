import { streamFragment } from '@ridewatch/contract/fragments';

const STREAMS = streamFragment.path.slice(0, streamFragment.path.indexOf('{'));

/** Whether an address is one of a stream in parts, and not of a file. */
export function isStream(address: string): boolean {
  // What stands for the server matters only where the address names none.
  return new URL(address, 'http://server').pathname.startsWith(STREAMS);
}

// Chromium says 'maybe' too, and does it less well than the library; Safari alone is known for it.
/** Whether this browser plays streams by itself. */
export function playsStreams(): boolean {
  return (
    navigator.vendor.startsWith('Apple') &&
    document.createElement('video').canPlayType('application/vnd.apple.mpegurl') !== ''
  );
}
