import type { Upstream } from '@ridewatch/contract/admin-upstreams';
import { egtsResultCodeText } from '@ridewatch/contract/egts-result-words';
import { formatNumber } from '../../i18n/format.ts';
import { useLanguage } from '../../i18n/language.ts';
import { DrawerPart } from './drawer-part.tsx';
import { momentText } from './moments.ts';
import styles from './upstream-refusals.module.css';
import { useUpstreamText } from './use-upstream-text.ts';

// A plate does not go on in another line.
const inOneLine = (name: string): string => name.replaceAll(' ', '\u00a0');

/** The buses that an upstream does not know, and the records that it refused for good. */
export function UpstreamRefusals({ row: { refused, unregistered } }: { row: Upstream }) {
  const text = useUpstreamText();
  const language = useLanguage();
  const { buses, named, records, more } = unregistered;
  const shown = formatNumber(records);
  const names = named.map(({ name }) => inOneLine(name)).join(', ');
  const others = buses - named.length;
  return (
    <>
      {buses > 0 && (
        <DrawerPart title={text.unregistered}>
          <p>{text.unregisteredText(more ? text.moreThan(shown) : shown)}</p>
          <p>{others > 0 ? `${names} ${text.andOthers(others)}` : names}</p>
        </DrawerPart>
      )}
      {refused.length > 0 && (
        <DrawerPart title={text.refusals}>
          <p>{text.refusalsText}</p>
          <ol className={styles.list}>
            {refused.map(({ code, records: lost, last_at, bus }) => (
              <li key={code}>
                <time dateTime={last_at}>{momentText(last_at)}</time>
                <span>
                  {`${egtsResultCodeText(language, code)}: ${text.records(lost, formatNumber(lost))}`}
                  {bus && ` · ${text.lastBus(inOneLine(bus.name))}`}
                </span>
              </li>
            ))}
          </ol>
        </DrawerPart>
      )}
    </>
  );
}
