/**
 * Reads a time of day as users type it: `8:05`, `0805`, `08:05:30`.
 * @returns `HH:mm:ss`; undefined if it is not a time
 */
export function readTypedTime(text: string): string | undefined {
  const parts = /^\s*(\d{1,2})[:. ]?(\d{2})(?:[:. ]?(\d{2}))?\s*$/.exec(text);
  if (!parts) return undefined;
  const [hours, minutes, seconds] = [parts[1], parts[2], parts[3] ?? '0'].map(Number);
  if (hours === undefined || minutes === undefined || seconds === undefined) return undefined;
  if (hours > 23 || minutes > 59 || seconds > 59) return undefined;
  return [hours, minutes, seconds].map((part) => String(part).padStart(2, '0')).join(':');
}
