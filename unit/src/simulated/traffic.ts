/** Speed between stops by local hour, km/h, on working days and on days off. */
const WORKDAY_KMH = [
  46, 46, 46, 46, 46, 44, 38, 29, 26, 29, 33, 34, 34, 34, 33, 32, 29, 25, 25, 29, 34, 38, 42, 45,
];
const DAY_OFF_KMH = [
  46, 46, 46, 46, 46, 46, 45, 44, 42, 40, 38, 37, 36, 36, 36, 36, 36, 36, 37, 38, 40, 42, 44, 46,
];

/** Speed of traffic in a local hour, m/s. */
export function trafficMps(hour: number, isDayOff: boolean): number {
  return ((isDayOff ? DAY_OFF_KMH : WORKDAY_KMH)[hour] ?? 40) / 3.6;
}
