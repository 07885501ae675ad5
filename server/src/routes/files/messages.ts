// Messages about route files and shapes of routes, in both languages of the product.

import type { Language } from '../../core/http/language.ts';

const english = {
  empty: () => 'The file is empty.',
  noText: () => 'The file is not text in a supported format.',
  gzip: () => 'The file is compressed by gzip. Unpack it first.',
  otherXml: (root: string) => `The file is XML of <${root}>. Only GPX and KML are supported.`,
  emptyXml: () => 'The file is XML without elements. Only GPX and KML are supported.',
  brokenXml: (line: number) => `The XML has a syntax error in line ${line}.`,
  openXml: (name: string) => `The XML ends inside <${name}>.`,
  entities: () => 'The XML declares entities, which are not supported.',
  brokenJson: (reason: string) => `The JSON has a syntax error: ${reason}.`,
  openQuote: (line: number) => `A quote in line ${line} is not closed.`,
  longLine: (line: number) => `Line ${line} is too long for a table.`,
  noStopsInTable: () => 'The table has column titles, but no stops.',
  noPlaceInLine: (line: number) => `Line ${line} of the table has no latitude and longitude.`,
  noColumn: (column: string) => `The table has no column ${column}.`,
  noTable: () => 'The file is not a route: it has no columns for latitude and longitude.',
  damagedZip: () => 'The zip file is damaged or incomplete.',
  tooMuchInZip: () => 'The unpacked zip file exceeds the size limit.',
  password: (name: string) => `${name} in the zip file needs a password.`,
  otherPacking: (name: string) => `${name} uses a compression method that is not supported.`,
  noFeed: () =>
    'The zip file has no GTFS feed: routes.txt, trips.txt and other tables are missing.',
  archivesInZip: (names: string) =>
    `The zip file has other zip files inside: ${names}. Unpack it and choose one.`,
  feedsInZip: (names: string) =>
    `The zip file has several GTFS feeds: ${names}. Pack one of them alone.`,
  othersInZip: (names: string) => `Not read: other files of the archive, ${names}.`,
  linkOutside: (address: string) =>
    `Not read: a link to “${address}”, which the file does not contain.`,
  manyLinks: (most: number) => `The file links to more than ${most} others.`,
  otherProjection: (name: string) =>
    `The coordinates are in the projection ${name}. Save the file in WGS 84 (EPSG:4326), in degrees.`,
  brokenPlaces: (element: number, text: string) =>
    `The coordinates of shape ${element} cannot be read: “${text}”. Each place is longitude,latitude or longitude,latitude,height.`,
  noFeedTable: (tables: string) => `The GTFS feed has no ${tables}.`,
  noFeedColumn: (table: string, column: string) =>
    `${table} of the GTFS feed has no column ${column}.`,
  manyRows: (table: string, most: number) => `${table} has more than ${most} rows.`,
  noRoutes: () => 'The GTFS feed has no routes.',
  noTrips: () => 'No trip of the GTFS feed has stops.',
  noPlacesOfTrips: () => 'No trip of the GTFS feed has stops with coordinates.',
  nothing: () => 'The file has neither lines nor points.',
  shortLine: () => 'The line of the file has fewer than two points.',
  manyLines: (lines: number, most: number) =>
    `The file has ${lines} lines; at most ${most} are supported.`,
  manyStops: (stops: number, most: number) =>
    `The file has ${stops} points; a route has at most ${most} stops.`,
  moreStops: (most: number) => `The table has more than ${most} stops, the limit of a route.`,
  noSuchChoice: () => 'The file does not have the chosen route.',
  noSuchTurn: () => 'The route cannot turn at its first or last stop.',
  choose: () => 'The file has several routes. Choose one.',
  tooLong: () => 'Reading the file takes too long.',
  tooIntricate: () => 'The file is too large or too complex.',
  encoding: (name: string) => `Encoding: ${name}.`,
  jumps: (count: number, metres: number) =>
    `The line has ${count} ${count === 1 ? 'gap' : 'gaps'} of a kilometre or more, the longest of ${(metres / 1000).toFixed(1)} km. The map marks them. If its pieces are no one route, choose one of them.`,
  joined: (lines: number) => `Joined ${lines} lines into one.`,
  simplified: (from: number, to: number) => `Simplified the line from ${from} to ${to} points.`,
  turn: (stop: string) => `The reverse direction begins at the second ${stop}.`,
  toldTurn: (told: string, far: string) =>
    `The route turns at “${told}”, which is listed twice. The farthest stop is “${far}”: if buses turn back there, turn the route there.`,
  allForward: (stop: string) =>
    `All stops became forward, as of a circular route. If buses turn back at “${stop}” or another stop, turn the route there.`,
  withoutPlace: (count: number) => `Left out: ${count} points without coordinates.`,
  rowsWithoutPlace: (count: number) => `Left out: ${count} more rows without coordinates.`,
  rowWithoutPlace: (line: number) => `Left out: line ${line}, which has no coordinates.`,
  stopsWithoutPlace: (count: number) => `Left out: ${count} stops without coordinates.`,
  shortTrails: (count: number) =>
    `Not listed: ${count} shorter pieces of the line; the whole line has them.`,
  shortLines: (count: number) => `Left out: ${count} lines with fewer than two points.`,
  areas: (count: number) => `Left out: ${count} areas.`,
  others: (count: number) => `Left out: ${count} objects of other kinds.`,
  rareWays: (count: number) => `Left out: ${count} rare variants of routes.`,
  rarePatterns: (count: number, most: number) =>
    `Left out: ${count} rare patterns; a route has at most ${most}.`,
  sameWay: (there: string, back: string) =>
    `“${there}” and “${back}” lead the same way: are they there and back?`,
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
  tooMuchInZip: () => 'Архив распаковывается в больший объём, чем допустимо.',
  password: (name) => `Файл ${name} в архиве защищён паролем.`,
  otherPacking: (name) => `Файл ${name} в архиве сжат неизвестным способом.`,
  noFeed: () => 'В архиве нет данных GTFS: routes.txt, trips.txt и других.',
  archivesInZip: (names) =>
    `В архиве лежат другие архивы: ${names}. Распакуйте его и выберите один.`,
  feedsInZip: (names) =>
    `В архиве несколько наборов GTFS: ${names}. Упакуйте один из них отдельно.`,
  othersInZip: (names) => `Не прочитаны другие файлы архива: ${names}.`,
  linkOutside: (address) => `Не прочитано: ссылка на «${address}», которого в файле нет.`,
  manyLinks: (most) => `Файл ссылается больше чем на ${most} других.`,
  otherProjection: (name) =>
    `Координаты в проекции ${name}. Сохраните файл в WGS 84 (EPSG:4326), в градусах.`,
  brokenPlaces: (element, text) =>
    `Координаты фигуры ${element} не читаются: «${text}». Каждое место — долгота,широта или долгота,широта,высота.`,
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
  noSuchTurn: () => 'На первой и последней остановке развернуть маршрут нельзя.',
  choose: () => 'В файле несколько маршрутов: выберите один.',
  tooLong: () => 'Файл читается слишком долго.',
  tooIntricate: () => 'Файл слишком велик или сложен.',
  encoding: (name) => `Кодировка: ${name}.`,
  jumps: (count, metres) =>
    `В линии разрывы от километра: ${count}, самый длинный ${(metres / 1000).toFixed(1).replace('.', ',')} км. Они отмечены на карте. Если это не один маршрут, выберите одну из частей.`,
  joined: (lines) => `Соединены в одну линии: ${lines}.`,
  simplified: (from, to) => `Линия упрощена: точек было ${from}, стало ${to}.`,
  turn: (stop) => `Обратное направление начинается со второй остановки «${stop}».`,
  toldTurn: (told, far) =>
    `Маршрут разворачивается на «${told}»: эта остановка указана дважды. Самая дальняя остановка — «${far}»: если автобус разворачивается там, разверните маршрут там.`,
  allForward: (stop) =>
    `Все остановки стали прямым направлением, как у кольцевого маршрута. Если автобус разворачивается на «${stop}» или другой остановке, разверните маршрут там.`,
  withoutPlace: (count) => `Пропущены точки без координат: ${count}.`,
  rowsWithoutPlace: (count) => `Пропущены ещё строки без координат: ${count}.`,
  rowWithoutPlace: (line) => `Пропущена строка ${line}: нет координат.`,
  stopsWithoutPlace: (count) => `Пропущены остановки без координат: ${count}.`,
  shortTrails: (count) =>
    `Не перечислены короткие части линии: ${count}; в линии целиком они есть.`,
  shortLines: (count) => `Пропущены линии короче двух точек: ${count}.`,
  areas: (count) => `Пропущены области: ${count}.`,
  others: (count) => `Пропущены объекты других видов: ${count}.`,
  rareWays: (count) => `Пропущены редкие варианты маршрутов: ${count}.`,
  rarePatterns: (count, most) =>
    `Пропущены редкие варианты: ${count}, у маршрута их не больше ${most}.`,
  sameWay: (there, back) =>
    `«${there}» и «${back}» ведут в одну сторону: точно ли это путь туда и обратно?`,
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

/** A message before translation. Threads exchange it. */
export interface Message {
  readonly key: Key;
  readonly values: readonly (string | number)[];
}

/** Makes a message from its key and values. */
export function message<K extends Key>(
  key: K,
  ...values: Parameters<(typeof english)[K]>
): Message {
  return { key, values };
}

/** Translates a message. */
export function translate({ key, values }: Message, language: Language): string {
  // `message` has checked the types of the values.
  const text = (language === 'ru' ? russian : english)[key] as (...of: unknown[]) => string;
  return text(...values);
}
