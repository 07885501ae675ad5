// A small feed of two routes, one of them with two directions, with a byte order mark as in exports.
import { zipOf } from './zip.ts';

const table = (rows: readonly (readonly (string | number)[])[]): string =>
  `\ufeff${rows.map((row) => row.join(',')).join('\r\n')}\r\n`;

const places = [
  ['s1', 'Вокзал', 55.7, 37.6],
  ['s2', 'Рынок', 55.706, 37.602],
  ['s3', 'Парк', 55.712, 37.604],
  ['s4', 'Завод', 55.718, 37.606],
] as const;

const trips = [
  ['r5', 'there', 0, ['s1', 's2', 's3', 's4']],
  ['r5', 'back', 1, ['s4', 's3', 's1']],
  ['r6', 'other', 0, ['s2', 's4']],
] as const;

/** The feed as a zip file. */
export function gtfsZip(): Buffer {
  return zipOf({
    'agency.txt': table([
      ['agency_id', 'agency_name', 'agency_url', 'agency_timezone'],
      ['a', 'Город', 'https://example.org', 'Europe/Moscow'],
    ]),
    'routes.txt': table([
      ['route_id', 'agency_id', 'route_short_name', 'route_long_name', 'route_type'],
      ['r5', 'a', '5', 'Вокзал — Завод', 3],
      ['r6', 'a', '6', 'Рынок — Завод', 3],
    ]),
    'stops.txt': table([['stop_id', 'stop_name', 'stop_lat', 'stop_lon'], ...places]),
    'trips.txt': table([
      ['route_id', 'service_id', 'trip_id', 'direction_id'],
      ...trips.map(([route, trip, direction]) => [route, 'daily', trip, direction]),
    ]),
    'stop_times.txt': table([
      ['trip_id', 'arrival_time', 'departure_time', 'stop_id', 'stop_sequence'],
      ...trips.flatMap(([, trip, , ids]) =>
        ids.map((id, index) => [trip, `08:0${index}:00`, `08:0${index}:30`, id, index + 1]),
      ),
    ]),
  });
}
