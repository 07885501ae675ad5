import { textsOf } from '../../../i18n/texts-of.ts';
import { Warning } from '../../../page/warning.tsx';

const useFewText = textsOf({
  ru_RU: { oneStop: 'Остановка одна, поэтому круги не находятся: добавьте ещё одну.' },
  en_US: { oneStop: 'No laps are found, as there is one stop only: add another one.' },
});

/** Says that laps need two stops: of the default pattern, also beside further ones. */
export function FewStops({ count }: { count: number }) {
  const { oneStop } = useFewText();
  return count === 1 && <Warning>{oneStop}</Warning>;
}
