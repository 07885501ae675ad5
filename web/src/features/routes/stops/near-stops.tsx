import type { RouteStop } from '@ridewatch/contract/routes';
import { textsOf } from '../../../i18n/texts-of.ts';
import { Warning } from '../../../page/warning.tsx';
import type { ShownRoute } from '../use-route.ts';

/** Pairs named at most; a route may have a thousand. */
const MOST_NAMED = 4;

const ru = {
  pair: (from: string, to: string) => `«${from}» и «${to}» находятся в одном месте`,
  more: (count: number) => `и ещё ${count}`,
};
const en: typeof ru = {
  pair: (from, to) => `“${from}” and “${to}” are at one place`,
  more: (count) => `and ${count} more`,
};
const useNearText = textsOf({ ru_RU: ru, en_US: en });

interface NearStopsProps {
  pairs: ShownRoute['nearStops'];
  stops: readonly Pick<RouteStop, 'id' | 'name'>[];
}

/** Warns of neighbouring stops at one place: one of them is probably a mistake. */
export function NearStops({ pairs, stops }: NearStopsProps) {
  const text = useNearText();
  if (pairs.length === 0) return null;
  const nameOf = (id: number) => stops.find((stop) => stop.id === id)?.name ?? '';
  return (
    <Warning>
      {pairs.slice(0, MOST_NAMED).map(({ from, to }) => (
        <p key={from}>{text.pair(nameOf(from), nameOf(to))}</p>
      ))}
      {pairs.length > MOST_NAMED && <p>{text.more(pairs.length - MOST_NAMED)}</p>}
    </Warning>
  );
}
