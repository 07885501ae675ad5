import type { Language } from '../../../i18n/language.ts';
import { ruForm } from '../../../i18n/plural.ts';

type Words = (...parts: string[]) => string;

const leftOut: Readonly<Record<string, string>> = {
  areas: 'площадей',
  'points without a place': 'точек без места',
  'stops without a place': 'остановок без места',
  'rarely driven ways of routes': 'редких вариантов пути',
  'more rows without a place': 'ещё строк без места',
};

/** What the reader of route files says, and how that is said in Russian. */
const russian: readonly (readonly [RegExp, Words])[] = [
  [/^The file is empty\.$/, () => 'Файл пуст.'],
  [/^The file is packed by gzip/, () => 'Файл сжат gzip: сначала распакуйте его.'],
  [/^The file is XML without elements/, () => 'В XML нет элементов: это не GPX и не KML.'],
  [/^The file is XML of (<.+>), neither/, (root) => `Это XML с корнем ${root}, а не GPX и не KML.`],
  [/^The file is (.+), neither GPX/, (what) => `Это ${what}, а не GPX и не KML.`],
  [/^(\S+) has more than (\d+) rows/, (file, most) => `В ${file} больше ${most} строк.`],
  [
    /^(\S+) of the GTFS feed has no column (.+)\.$/,
    (file, column) => `В таблице ${file} из GTFS нет столбца ${column}.`,
  ],
  [/^(.+) in the zip file needs a password/, (file) => `Файл ${file} в архиве закрыт паролем.`],
  [/^(.+) is packed in a way/, (file) => `Файл ${file} сжат способом, который не читается.`],
  [/^The file is no text/, () => 'Файл не похож ни на один из читаемых форматов.'],
  [/^The file is no route/, () => 'Это не маршрут: нет столбцов с широтой и долготой.'],
  [/^The file is too large or/, () => 'Файл слишком велик или запутан, прочитать его не удалось.'],
  [/^The file takes too long/, () => 'Файл читается слишком долго.'],
  [/^The file has no such choice/, () => 'Такого маршрута в файле нет.'],
  [/^The file holds several routes/, () => 'В файле несколько маршрутов: выберите один.'],
  [/^The file holds neither/, () => 'В файле нет ни линии, ни точек.'],
  [/^The line of the file has fewer/, () => 'В линии из файла меньше двух точек.'],
  [
    /^The file holds (\d+) lines; at most (\d+)/,
    (count, most) => `Линий в файле ${count}; читается не больше ${most}.`,
  ],
  [
    /^The file holds (\d+) points; a route has at most (\d+)/,
    (count, most) => `Точек в файле ${count}; остановок на маршруте не больше ${most}.`,
  ],
  [
    /^The zip file holds no GTFS/,
    () => 'В архиве нет GTFS: не хватает routes.txt, trips.txt и других таблиц.',
  ],
  [/^The zip file is damaged/, () => 'Архив повреждён или загружен не целиком.'],
  [/^Zip files of the 64-bit/, () => 'Архивы zip64 не читаются.'],
  [/^The zip file unpacks to more/, () => 'Архив распаковывается в слишком большой объём.'],
  [/^The GTFS feed has no routes/, () => 'В GTFS нет маршрутов.'],
  [/^The GTFS feed has no (.+)\.$/, (files) => `В GTFS нет таблиц: ${files}.`],
  [/^No trip of the GTFS feed has stops/, () => 'Ни у одной поездки в GTFS нет остановок.'],
  [/^A quote in line (\d+)/, (line) => `В строке ${line} не закрыта кавычка.`],
  [/^Line (\d+) is longer/, (line) => `Строка ${line} слишком длинная для таблицы.`],
  [/^Line (\d+) of the table/, (line) => `В строке ${line} таблицы нет широты и долготы.`],
  [/^The table has titles/, () => 'В таблице есть заголовки, но нет остановок.'],
  [/^The table has no column (.+)\.$/, (name) => `В таблице нет столбца ${name}.`],
  [/^The JSON is broken/, () => 'JSON повреждён.'],
  [/^The XML is broken in line (\d+)/, (line) => `XML повреждён в строке ${line}.`],
  [/^The XML ends before (<.+>)/, (tag) => `XML обрывается: ${tag} не закрыт.`],
  [/^XML that declares entities/, () => 'XML со своими сущностями (DOCTYPE) не читается.'],
  [
    /^The file has no line: buses/,
    () => 'Линии в файле нет: путь пройдёт от остановки к остановке.',
  ],
  [
    /^The file has no stops: laps/,
    () => 'Остановок в файле нет: рейсы найдутся, когда они появятся.',
  ],
  [/^The file has no line: the track/, () => 'Линии в файле нет: трек останется прежним.'],
  [/^The file has no stops: the stops/, () => 'Остановок в файле нет: останутся прежние.'],
  [/^Read as (.+)\.$/, (encoding) => `Кодировка: ${encoding}.`],
  [/^Left out: line (\d+)/, (line) => `Пропущена строка ${line}: в ней нет места.`],
  [/^Left out: (\d+) lines with fewer/, (count) => `Пропущено линий короче двух точек: ${count}.`],
  [
    /^Left out: (\d+) (.+)\.$/,
    (count = '', what = '') => `Пропущено: ${count} ${leftOut[what] ?? what}.`,
  ],
  [/^(\d+) lines were joined/, (count = '') => `${count} ${joined(count)} в одну.`],
  [
    /^The line was simplified from (\d+) to (\d+)/,
    (before, after) => `Линия упрощена: из ${before} точек оставлено ${after}.`,
  ],
  [
    /^The way back begins at the second (.+)\.$/,
    (name) => `Обратный путь начинается со второй «${name}».`,
  ],
];

/** A sentence of the reader of files in the language of the user; as it is when it is not known. */
export function fileWords(sentence: string, language: Language): string {
  if (language === 'en_US') return sentence;
  for (const [pattern, words] of russian) {
    const found = pattern.exec(sentence);
    if (found) return words(...found.slice(1));
  }
  return sentence;
}

function joined(count: string): string {
  return ruForm(Number(count), 'линия соединена', 'линии соединены', 'линий соединено');
}
