/** Formats a duration: `1 ч 20 мин`, `4 мин`, `35 с`. */
export function spanText(
  seconds: number,
  names: { hours: string; minutes: string; seconds: string },
): string {
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole}\u00a0${names.seconds}`;
  const minutes = Math.round(whole / 60);
  const rest = minutes % 60;
  if (minutes < 60) return `${minutes}\u00a0${names.minutes}`;
  const hours = `${(minutes - rest) / 60}\u00a0${names.hours}`;
  return rest === 0 ? hours : `${hours}\u00a0${rest}\u00a0${names.minutes}`;
}
