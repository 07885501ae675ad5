// The channel of a camera is in its key: 1, ch1, CH02, channel-3, cam4.

/** Channels have one byte, from 1. */
const MOST_CHANNELS = 255;

/**
 * The channel that a camera's key names.
 * @returns undefined when it names none: then nobody knows which of the terminal's cameras it is
 */
export function channelOf(cameraKey: string): number | undefined {
  const digits = /^(?:ch|channel|cam|camera)?[-_ ]?(\d{1,3})$/i.exec(cameraKey)?.[1];
  const channel = Number(digits);
  return channel >= 1 && channel <= MOST_CHANNELS ? channel : undefined;
}
