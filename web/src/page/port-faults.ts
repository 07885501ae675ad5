import type { PortFault } from '@ridewatch/contract/admin-unit-ports';
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

/** Why a port of a unit protocol is closed, as the end of a sentence after a colon. */
export const usePortFaults = textsOf({ ru_RU: ru, en_US: en });
