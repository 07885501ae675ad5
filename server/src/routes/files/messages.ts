// Messages about route files, in both languages of the product.

import type { Language } from '../language.ts';

const english = {
  empty: () => 'The file is empty.',
  noText: () => 'The file is no text of a format that is read here.',
  gzip: () => 'The file is packed by gzip; unpack it first.',
  otherXml: (root: string) => `The file is XML of <${root}>, neither GPX nor KML.`,
  emptyXml: () => 'The file is XML without elements, neither GPX nor KML.',
  brokenXml: (line: number) => `The XML is broken in line ${line}.`,
  openXml: (name: string) => `The XML ends before <${name}> is closed.`,
  entities: () => 'XML that declares entities of its own is not read here.',
  brokenJson: (reason: string) => `The JSON is broken: ${reason}.`,
  openQuote: (line: number) => `A quote in line ${line} is never closed.`,
  longLine: (line: number) => `Line ${line} is longer than any table has.`,
  noStopsInTable: () => 'The table has titles, but no stops.',
  noPlaceInLine: (line: number) => `Line ${line} of the table has no latitude and longitude.`,
  noColumn: (column: string) => `The table has no column ${column}.`,
  noTable: () => 'The file is no route: it has no columns latitude and longitude.',
  damagedZip: () => 'The zip file is damaged or not whole.',
  zip64: () => 'Zip files of the 64-bit kind are not read here.',
  tooMuchInZip: () => 'The zip file unpacks to more than is allowed.',
  password: (name: string) => `${name} in the zip file needs a password.`,
  otherPacking: (name: string) => `${name} is packed in a way that is not read here.`,
  noFeed: () => 'The zip file holds no GTFS feed: routes.txt, trips.txt and others are missing.',
  noFeedTable: (tables: string) => `The GTFS feed has no ${tables}.`,
  noFeedColumn: (table: string, column: string) =>
    `${table} of the GTFS feed has no column ${column}.`,
  manyRows: (table: string, most: number) => `${table} has more than ${most} rows.`,
  noRoutes: () => 'The GTFS feed has no routes.',
  noTrips: () => 'No trip of the GTFS feed has stops.',
  noPlacesOfTrips: () => 'No trip of the GTFS feed has stops with places.',
  nothing: () => 'The file holds neither a line nor points.',
  shortLine: () => 'The line of the file has fewer than two points.',
  manyLines: (lines: number, most: number) =>
    `The file holds ${lines} lines; at most ${most} are read.`,
  manyStops: (stops: number, most: number) =>
    `The file holds ${stops} points; a route has at most ${most} stops.`,
  moreStops: (most: number) => `The table has more than ${most} stops; a route has no more.`,
  noSuchChoice: () => 'The file has no such choice.',
  choose: () => 'The file holds several routes: one has to be chosen.',
  tooLong: () => 'The file takes too long to read.',
  tooIntricate: () => 'The file is too large or too intricate to be read.',
  encoding: (name: string) => `Read as ${name}.`,
  joined: (lines: number) => `${lines} lines were joined into one.`,
  simplified: (from: number, to: number) => `The line was simplified from ${from} to ${to} points.`,
  turn: (stop: string) => `The way back begins at the second ${stop}.`,
  withoutPlace: (count: number) => `Left out: ${count} points without a place.`,
  rowsWithoutPlace: (count: number) => `Left out: ${count} more rows without a place.`,
  rowWithoutPlace: (line: number) => `Left out: line ${line}, without a place.`,
  stopsWithoutPlace: (count: number) => `Left out: ${count} stops without a place.`,
  shortLines: (count: number) => `Left out: ${count} lines with fewer than two points.`,
  areas: (count: number) => `Left out: ${count} areas.`,
  others: (count: number) => `Left out: ${count} objects of other kinds.`,
  rareWays: (count: number) => `Left out: ${count} rarely driven ways of routes.`,
  noLine: () => 'The file has no line: buses are followed from stop to stop.',
  noStops: () => 'The file has no stops: laps are found once the route has some.',
  oneStop: () => 'The file has one stop: laps are found once the route has two.',
  trackStays: () => 'The file has no line: the track stays.',
  stopsStay: () => 'The file has no stops: the stops stay.',
  farStops: (from: string, to: string, km: number) =>
    `From “${from}” to “${to}” it is ${km} km: are latitude and longitude right?`,
  nearStops: (from: string, to: string) => `“${from}” and “${to}” are at one place.`,
  tooManyStops: (stops: number, most: number) =>
    `The route would have ${stops} stops; a route has at most ${most}.`,
  noLength: () => 'All stops and the track are at one place: the route has no length.',
};

const russian: typeof english = {
  empty: () => 'Файл пуст.',
  noText: () => 'Файл не читается как текст известного формата.',
  gzip: () => 'Файл сжат gzip: сначала распакуйте его.',
  otherXml: (root) => `Это XML <${root}>, а не GPX и не KML.`,
  emptyXml: () => 'Это XML без элементов, а не GPX и не KML.',
  brokenXml: (line) => `Ошибка в XML, строка ${line}.`,
  openXml: (name) => `XML обрывается: элемент <${name}> не закрыт.`,
  entities: () => 'XML с собственными сущностями (ENTITY) не читается.',
  brokenJson: (reason) => `Ошибка в JSON: ${reason}.`,
  openQuote: (line) => `Кавычка в строке ${line} не закрыта.`,
  longLine: (line) => `Строка ${line} слишком длинная для таблицы.`,
  noStopsInTable: () => 'В таблице есть заголовки, но нет остановок.',
  noPlaceInLine: (line) => `В строке ${line} таблицы нет широты и долготы.`,
  noColumn: (column) => `В таблице нет столбца ${column}.`,
  noTable: () => 'Это не маршрут: нет столбцов с широтой и долготой.',
  damagedZip: () => 'Архив zip повреждён или неполон.',
  zip64: () => 'Архивы zip64 не читаются.',
  tooMuchInZip: () => 'Архив распаковывается в больший объём, чем допустимо.',
  password: (name) => `Файл ${name} в архиве защищён паролем.`,
  otherPacking: (name) => `Файл ${name} в архиве сжат неизвестным способом.`,
  noFeed: () => 'В архиве нет данных GTFS: routes.txt, trips.txt и других.',
  noFeedTable: (tables) => `В данных GTFS нет ${tables}.`,
  noFeedColumn: (table, column) => `В ${table} данных GTFS нет столбца ${column}.`,
  manyRows: (table, most) => `В ${table} больше ${most} строк.`,
  noRoutes: () => 'В данных GTFS нет маршрутов.',
  noTrips: () => 'Ни у одного рейса GTFS нет остановок.',
  noPlacesOfTrips: () => 'Ни у одного рейса GTFS нет остановок с координатами.',
  nothing: () => 'В файле нет ни линии, ни точек.',
  shortLine: () => 'В линии файла меньше двух точек.',
  manyLines: (lines, most) => `Линий в файле: ${lines}, а читается не больше ${most}.`,
  manyStops: (stops, most) => `Точек в файле: ${stops}, а остановок у маршрута не больше ${most}.`,
  moreStops: (most) => `В таблице больше ${most} остановок, а у маршрута столько не бывает.`,
  noSuchChoice: () => 'Такого варианта в файле нет.',
  choose: () => 'В файле несколько маршрутов: выберите один.',
  tooLong: () => 'Файл читается слишком долго.',
  tooIntricate: () => 'Файл слишком велик или сложен.',
  encoding: (name) => `Кодировка: ${name}.`,
  joined: (lines) => `Соединены в одну линии: ${lines}.`,
  simplified: (from, to) => `Линия упрощена: точек было ${from}, стало ${to}.`,
  turn: (stop) => `Обратное направление начинается со второй остановки «${stop}».`,
  withoutPlace: (count) => `Пропущены точки без координат: ${count}.`,
  rowsWithoutPlace: (count) => `Пропущены ещё строки без координат: ${count}.`,
  rowWithoutPlace: (line) => `Пропущена строка ${line}: нет координат.`,
  stopsWithoutPlace: (count) => `Пропущены остановки без координат: ${count}.`,
  shortLines: (count) => `Пропущены линии короче двух точек: ${count}.`,
  areas: (count) => `Пропущены области: ${count}.`,
  others: (count) => `Пропущены объекты других видов: ${count}.`,
  rareWays: (count) => `Пропущены редкие варианты маршрутов: ${count}.`,
  noLine: () => 'В файле нет линии: путь автобуса считается от остановки к остановке.',
  noStops: () => 'В файле нет остановок: круги найдутся, когда они появятся у маршрута.',
  oneStop: () => 'В файле одна остановка: круги найдутся, когда у маршрута будет хотя бы две.',
  trackStays: () => 'В файле нет линии: трек маршрута остаётся прежним.',
  stopsStay: () => 'В файле нет остановок: остановки маршрута остаются прежними.',
  farStops: (from, to, km) => `От «${from}» до «${to}» ${km} км: верны ли широта и долгота?`,
  nearStops: (from, to) => `«${from}» и «${to}» находятся в одном месте.`,
  tooManyStops: (stops, most) =>
    `Остановок у маршрута стало бы ${stops}, а их бывает не больше ${most}.`,
  noLength: () => 'Все остановки и трек в одном месте: у маршрута нет длины.',
};

type Key = keyof typeof english;

/** A message that is not translated yet; it travels between threads. */
export interface Sentence {
  readonly key: Key;
  readonly values: readonly (string | number)[];
}

/** A message by its key, with its values. */
export function sentence<K extends Key>(
  key: K,
  ...values: Parameters<(typeof english)[K]>
): Sentence {
  return { key, values };
}

/** Says a sentence. */
export function say({ key, values }: Sentence, language: Language): string {
  // The types of the values were checked where the message was made.
  const text = (language === 'ru' ? russian : english)[key] as (...of: unknown[]) => string;
  return text(...values);
}
