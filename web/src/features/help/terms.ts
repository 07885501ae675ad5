import { likeness, wordsOf } from './search.ts';

/** Words of Russian users, and what the description of the API, which is in English, has for them. */
type Term = readonly [russian: string, english: string];

/** Names of things. */
export const things: readonly Term[] = [
  ['автобус', 'bus workplace'],
  ['администратор управление раздел', 'administrator admin'],
  ['вариант', 'pattern'],
  ['время времени', 'time clock'],
  ['вход войти', 'sign token session openid'],
  ['выручка деньги', 'revenue fares money calculation tariff'],
  ['вопрос', 'question'],
  ['выгрузка экспорт', 'export'],
  ['главная', 'home'],
  ['граница срок хранение', 'retention storage kept'],
  ['данные пакет', 'batch record'],
  ['дверь', 'door'],
  ['день дни дня дней', 'day date'],
  ['диск место', 'disk storage'],
  ['журнал', 'audit history'],
  ['загрузка импорт таблица', 'import upload table'],
  ['задание очередь', 'job queue'],
  ['запись видео', 'video recording range'],
  ['зарплата', 'salary'],
  ['история', 'history'],
  ['калькулятор расчет', 'calculation calculator'],
  ['камера', 'camera'],
  ['карта', 'map gps'],
  ['картинка файл', 'file image media'],
  ['клиент', 'customer client'],
  ['ключ', 'key credential token'],
  ['код коды кода второй фактор', 'code factor'],
  ['команда', 'command'],
  ['конечная', 'terminal'],
  ['координаты точка', 'position gps'],
  ['круг рейс', 'lap'],
  ['линия маршрут', 'route group'],
  ['люди людей пассажир', 'people passenger'],
  ['миниатюры превью', 'thumbnail preview'],
  ['наполнение', 'load'],
  ['настройка', 'setting'],
  ['новость', 'news'],
  ['объявление', 'banner message'],
  ['описание', 'description openapi'],
  ['оповещение внимание почта', 'attention message'],
  ['остановка', 'stop classifier'],
  ['отчет', 'report export'],
  ['парк', 'fleet'],
  ['пароль', 'password'],
  ['первые шаги', 'first'],
  ['подсчет счетчик', 'count'],
  ['пользователь', 'user'],
  ['поток эфир', 'live stream'],
  ['права право', 'right role'],
  ['прибор регистратор', 'unit registrar'],
  ['проверка', 'review check'],
  ['сеанс', 'session'],
  ['склейка', 'merge'],
  ['смена', 'shift'],
  ['состояние статус', 'state status'],
  ['список', 'list'],
  ['ссылка', 'link'],
  ['статистика', 'stat statistic'],
  ['тариф цена цены цен стоимость', 'price fare cost'],
  ['тест', 'test'],
  ['трек', 'track'],
  ['уведомление', 'notification'],
  ['фрагмент', 'fragment segment'],
  ['час часа часов', 'hour'],
  ['часы', 'hour clock'],
];

/** Words for what is done with them. */
const deeds: readonly Term[] = [
  ['включить выключить', 'enable disable'],
  ['выйти', 'logout end sign'],
  ['добавить создать', 'add create make'],
  ['засчитать', 'place count'],
  ['изменить сменить править', 'change set rename replace'],
  ['объединить склеить', 'merge'],
  ['отменить', 'cancel undo'],
  ['отозвать', 'end'],
  ['пересчет пересчитать', 'recalculate recount rebuild'],
  ['скачать', 'download file'],
  ['удалить', 'delete remove discard'],
];

const terms = [...things, ...deeds].map(([russian, english]) => ({
  russian: wordsOf(russian),
  english: english.split(' '),
}));

/** The beginnings of English words that the description has for a Russian word, in any form of it. */
export function meaningsOf(word: string): readonly string[] {
  const [wanted] = wordsOf(word);
  if (wanted === undefined) return [];
  const likenesses = terms.map(({ russian }) => likeness(russian, wanted));
  // The word itself is meant, and no other one that only looks like a form of it: смена, not сменить.
  const best = Math.max(1, ...likenesses);
  return terms.flatMap(({ english }, at) => (likenesses[at] === best ? english : []));
}
