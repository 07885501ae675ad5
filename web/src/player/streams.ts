import { streamFragment } from '@ridewatch/contract/fragments';

const STREAMS = streamFragment.path.slice(0, streamFragment.path.indexOf('{'));

/** Whether an address is that of an HLS stream, as opposed to a file. */
export function isStream(address: string): boolean {
  // The base matters only if the address has no host.
  return new URL(address, 'http://server').pathname.startsWith(STREAMS);
}

// Only Safari plays HLS well by itself. Chromium answers 'maybe', too, but the library is better there.
/** Whether this browser plays HLS by itself. */
export function playsStreams(): boolean {
  return (
    navigator.vendor.startsWith('Apple') &&
    document.createElement('video').canPlayType('application/vnd.apple.mpegurl') !== ''
  );
}
