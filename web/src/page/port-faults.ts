import type { ClosedPort, PortFault, VideoListener } from '@ridewatch/contract/admin-unit-ports';
import { protocolNames } from '@ridewatch/contract/unit-protocols';
import { textsOf } from '../i18n/texts-of.ts';

type Faults = Readonly<Record<PortFault, string>>;

const ru: Faults = {
  taken: 'его заняла другая программа',
  no_right: 'у сервера нет права его открыть',
  no_address: 'у сервера нет такого сетевого адреса',
  other: 'причина записана в журнале сервера',
};
const en: Faults = {
  taken: 'another program has it',
  no_right: 'the server may not open it',
  no_address: 'the server has no such network address',
  other: 'the reason is in the log of the server',
};

const NAMES: Readonly<Record<string, string>> = {
  ...protocolNames,
  ...{ jt1078: 'JT/T 1078', ftp: 'FTP' },
};

const ruLines = {
  line: (port: number, name: string, why: string, loss: string, setting: string) =>
    `Порт ${port} (${name}) сейчас закрыт: ${why}. ${loss} Настройка: ${setting}.`,
  losses: {
    jt1078: 'Нет эфира с регистраторов JT/T 808.',
    ftp: 'Записи регистраторов JT/T 808 не приходят.',
  } as Readonly<Record<string, string>>,
  anyLoss: 'Приборы по нему не передают.',
  off: (loss: string, setting: string) =>
    `${loss} Порт выключен на сервере: ${setting}\u00a0=\u00a00.`,
};
const enLines: typeof ruLines = {
  line: (port, name, why, loss, setting) =>
    `Port ${port} (${name}) is closed now: ${why}. ${loss} Setting: ${setting}.`,
  losses: {
    jt1078: 'No live video of JT/T 808 registrars.',
    ftp: 'Recordings of JT/T 808 registrars do not arrive.',
  },
  anyLoss: 'No unit can send by it.',
  off: (loss, setting) =>
    `${loss} The port is switched off on the server: ${setting}\u00a0=\u00a00.`,
};
const useLines = textsOf({ ru_RU: ruLines, en_US: enLines });

/** Says of a closed port why it is closed, what fails, and which setting names it. */
export function useClosedPortText(): (closed: ClosedPort) => string {
  const faults = usePortFaults();
  const { line, losses, anyLoss } = useLines();
  return ({ listener, port, reason }) =>
    line(
      port,
      NAMES[listener] ?? listener,
      faults[reason],
      losses[listener] ?? anyLoss,
      `${listener.toUpperCase()}_PORT`,
    );
}

/** Says of a port for video that is switched off what fails, and which setting switches it on. */
export function useOffPortText(): (listener: VideoListener) => string {
  const { off, losses } = useLines();
  return (listener) => off(losses[listener] ?? '', `${listener.toUpperCase()}_PORT`);
}

/** Why a port of a unit protocol is closed, as the end of a sentence after a colon. */
export const usePortFaults = textsOf({ ru_RU: ru, en_US: en });
