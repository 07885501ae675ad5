// Shapes drawn by hand around the routes of the simulated fleet: kilometres east and north of the middle. The river and
// the streets are made up; they only leave the routes where they are.
import type { Point } from '@ridewatch/contract/primitives';

/** Kilometres east and north of MIDDLE. */
export type Km = readonly [east: number, north: number];

/** Reads a drawn line: places with a comma between them, each east and north with a space. */
export function courseOf(drawn: string): Km[] {
  return drawn.split(', ').map((place) => {
    const [east = 0, north = 0] = place.split(' ').map(Number);
    return [east, north];
  });
}

export const MIDDLE: Point = { latitude: 55.71, longitude: 37.66 };
/** The map reaches so far from the middle. */
export const REACH: Km = [18, 14];

/** A river with its width, km. Routes cross it on a bridge once. */
export const rivers: readonly { name: string; widthKm: number; course: string }[] = [
  {
    name: 'Москва-река',
    widthKm: 0.19,
    course:
      '-20 9.5, -14 8.2, -9 5.2, -6.4 5.9, -4.6 4.6, -3.2 4.9, -1.75 4.2, -1.25 3.3, -0.85 2.5, -0.75 1.4, -1.3 0.4, -2.4 -0.1, -2.9 -0.9, -1.9 -1.5, 0.4 -1.3, 1.9 -0.9, 3.4 -1.2, 4.05 -2.3, 3.75 -3.6, 2.9 -4.35, 1.6 -4.5, 0.4 -5.1, -0.2 -6.3, 0.9 -7.5, 3.5 -7.9, 6 -9.3, 9.5 -9.6, 13 -11.8, 20 -13',
  },
  {
    name: 'Нагатинский затон',
    widthKm: 0.22,
    course: '3.75 -1.6, 2.9 -2.05, 2.0 -2.25, 1.3 -2.05',
  },
  {
    name: 'Городня',
    widthKm: 0.04,
    course: '-12 -8, -7 -7.2, -3 -7.7, -0.2 -6.5',
  },
];

/** Parks and other greens: a middle and a radius, km. */
export const greens: readonly { middle: Km; radiusKm: number }[] = [
  { middle: [-0.9, -4.9], radiusKm: 1.0 },
  { middle: [1.6, -2.9], radiusKm: 0.42 },
  { middle: [4.9, -1.9], radiusKm: 0.5 },
  { middle: [-2.2, 0.7], radiusKm: 0.45 },
  { middle: [1.1, 2.4], radiusKm: 0.3 },
  { middle: [-4.9, 3.1], radiusKm: 0.8 },
  { middle: [6.4, -4.6], radiusKm: 1.5 },
  { middle: [7.2, 2.9], radiusKm: 1.2 },
  { middle: [-7.5, -3.5], radiusKm: 1.7 },
  { middle: [-6.2, 9.4], radiusKm: 1.3 },
  { middle: [3.4, 8.6], radiusKm: 1.1 },
  { middle: [3.2, -10.3], radiusKm: 1.4 },
  { middle: [12.5, -4.4], radiusKm: 1.9 },
  { middle: [-13, 2.4], radiusKm: 1.6 },
  { middle: [-11, -10], radiusKm: 2.1 },
  { middle: [12.5, 9], radiusKm: 2.2 },
  { middle: [2.4, 4.6], radiusKm: 0.35 },
];

/** Works and yards: a middle and a radius, km. */
export const yards: readonly { middle: Km; radiusKm: number }[] = [
  { middle: [-1.2, -0.7], radiusKm: 0.5 },
  { middle: [2.2, -0.2], radiusKm: 0.55 },
  { middle: [5.2, 0.6], radiusKm: 0.8 },
  { middle: [-5.2, -0.6], radiusKm: 0.9 },
  { middle: [9.6, -7], radiusKm: 1 },
];

/** Streets beside those of the routes. */
export const streets: readonly {
  name: string;
  kind: 'highway' | 'major_road';
  course: string;
}[] = [
  {
    name: 'Южное кольцо',
    kind: 'highway',
    course:
      '-9 13, -7.6 8, -6.8 3.8, -4.2 1.6, -1.6 0.95, 0.27 0.85, 2.6 1.2, 4.6 3, 5.4 5.6, 5 9, 3 14',
  },
  {
    name: 'Рязанское шоссе',
    kind: 'highway',
    course: '0.1 2.95, 1.7 2.2, 3.6 1.2, 7 -1.2, 11 -3.2, 18 -7',
  },
  {
    name: 'Проспект Андропова',
    kind: 'major_road',
    course: '0.21 -3.54, 0.06 -4.6, -0.25 -5.6, -0.5 -7, 0.1 -9, -0.4 -14',
  },
  {
    name: 'Нагатинская улица',
    kind: 'major_road',
    course: '0.27 -3.05, -1.2 -2.8, -3.3 -2.7, -6 -1.9, -10 -1.7, -18 0',
  },
  {
    name: 'Варшавское шоссе',
    kind: 'highway',
    course: '-2.6 6.6, -2.9 4, -3.6 1.3, -3.5 -0.6, -3.3 -2.7, -2.9 -6, -3.4 -9, -3 -14',
  },
  {
    name: 'Абельмановская улица',
    kind: 'major_road',
    course: '-0.47 3.6, 0.9 3.7, 3.2 4, 5.2 4.4, 9 4.4, 18 6',
  },
  {
    name: 'Земляной Вал',
    kind: 'major_road',
    course: '-0.47 3.6, -0.3 5.2, -1.2 7, -3.2 7.6, -7.6 7.7, -12 10, -18 11',
  },
  {
    name: 'Шоссе Энтузиастов',
    kind: 'major_road',
    course: '-0.3 5.2, 2.2 6, 5.4 6.4, 9 8, 16 10.5',
  },
  {
    name: 'Люблинская улица',
    kind: 'major_road',
    course: '3.3 1.4, 4 -0.4, 5.4 -2.2, 5.8 -5, 7.4 -8, 8 -14',
  },
  {
    name: 'Каширское шоссе',
    kind: 'major_road',
    course: '-3.3 -3.2, -2 -4.4, -1.9 -6.2, 0.05 -8.2, 3 -9, 7 -11, 9 -14',
  },
  {
    name: 'Велозаводская улица',
    kind: 'major_road',
    course: '0.35 0.19, 1.4 0.25, 3.1 0.8, 4.2 0.7, 6 1.3, 10 1.5, 18 1',
  },
  {
    name: 'Дубининская улица',
    kind: 'major_road',
    course: '-1.6 0.95, -1.9 2.2, -2.2 3.6, -2.6 6.6, -2.2 10, -3 14',
  },
];

/** Railways. */
export const rails: readonly string[] = [
  '-18 4, -10 2.7, -5 1.9, -2 1.6, 0.22 1.48, 2 1.75, 3 3, 3.4 6, 2.4 9.5, 2.6 14',
  '-1.2 14, -0.9 9, 0.6 5.4, 1.8 3.3, 3 0.4, 4.9 -3, 6.9 -7, 11 -14',
  '-4.4 14, -3.9 6, -4.4 1, -4.2 -5, -5.2 -14',
];

/** Names: the town, its districts. `rank` as in the Protomaps schema: 13 has some million people. */
export const places: readonly {
  name: string;
  english: string;
  at: Km;
  kind: 'locality' | 'neighbourhood';
  rank?: number;
}[] = [
  { name: 'Москва', english: 'Moscow', at: [-3.6, 6.4], kind: 'locality', rank: 13 },
  { name: 'Люблино', english: 'Lyublino', at: [8, -3.4], kind: 'locality', rank: 9 },
  { name: 'Царицыно', english: 'Tsaritsyno', at: [1.2, -9.6], kind: 'locality', rank: 9 },
  { name: 'Таганский', english: 'Tagansky', at: [0.5, 4.5], kind: 'neighbourhood' },
  { name: 'Даниловский', english: 'Danilovsky', at: [-2.2, 2.9], kind: 'neighbourhood' },
  { name: 'Южнопортовый', english: 'Yuzhnoportovy', at: [1.5, -0.5], kind: 'neighbourhood' },
  { name: 'Печатники', english: 'Pechatniki', at: [4.8, -3.2], kind: 'neighbourhood' },
  {
    name: 'Нагатино-Садовники',
    english: 'Nagatino-Sadovniki',
    at: [-1.5, -3.5],
    kind: 'neighbourhood',
  },
  {
    name: 'Нагатинский Затон',
    english: 'Nagatinsky Zaton',
    at: [2.2, -3.4],
    kind: 'neighbourhood',
  },
  { name: 'Нижегородский', english: 'Nizhegorodsky', at: [4, 5], kind: 'neighbourhood' },
  { name: 'Донской', english: 'Donskoy', at: [-5.6, 2.1], kind: 'neighbourhood' },
];

/** Streets of the routes: a street reaches to the next place along the route. */
export const routeStreets: readonly { until: string; name: string }[] = [
  { until: 'Тетеринский пер.', name: 'Котельническая набережная' },
  { until: 'Метро Таганская', name: 'Верхняя Радищевская улица' },
  { until: 'Динамовская', name: 'Улица Большие Каменщики' },
  { until: 'Ж/д переезд (Симоновский Вал)', name: 'Улица Симоновский Вал' },
  { until: 'Велозаводский рынок', name: 'Велозаводская улица' },
  { until: 'Метро Коломенская', name: 'Проспект Андропова' },
  { until: 'Кинотеатр Орбита', name: 'Улица Новинки' },
  { until: 'Кленовый бульвар (ул. Новинки)', name: 'Улица Новинки' },
  { until: 'Коломенская набережная', name: 'Коломенская набережная' },
  { until: 'Нагатинский затон', name: 'Коломенская набережная' },
];
