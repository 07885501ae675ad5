import { type ComponentType, useMemo, useState } from 'react';
import { useAddress } from '../../../page/use-address.ts';
import { DownIcon } from '../../../ui/icons.tsx';
import type { RouteAddress } from '../address.ts';
import { RouteMap } from '../route-map.tsx';
import type { PartProps } from '../route-state.ts';
import type { RouteTexts } from '../texts-ru.ts';
import { useRouteText } from '../use-route-text.ts';
import type { ActionProps, Preview } from './action-props.ts';
import styles from './actions-part.module.css';
import { FromFile } from './from-file.tsx';
import { FromHalts } from './from-halts.tsx';
import { FromLap } from './from-lap.tsx';
import { Recalculate } from './recalculate.tsx';

interface Action {
  readonly id: string;
  readonly title: (text: RouteTexts) => string;
  readonly about: (text: RouteTexts) => string;
  readonly Content: ComponentType<ActionProps>;
}

const actions: readonly Action[] = [
  {
    id: 'file',
    title: (text) => text.fileTitle,
    about: (text) => text.fileText,
    Content: FromFile,
  },
  { id: 'lap', title: (text) => text.lapTitle, about: (text) => text.lapText, Content: FromLap },
  {
    id: 'halts',
    title: (text) => text.haltsTitle,
    about: (text) => text.haltsText,
    Content: FromHalts,
  },
  {
    id: 'recalculate',
    title: (text) => text.recalculateTitle,
    about: (text) => text.recalculateText,
    Content: Recalculate,
  },
];

/** Routes from files, laps and halts, and the recalculation of past days. */
export function ActionsPart(props: PartProps) {
  const { route } = props;
  const text = useRouteText();
  const { search, note } = useAddress<RouteAddress>();
  const [preview, setPreview] = useState<Preview>();
  const stops = useMemo(() => preview && numbered(preview), [preview]);
  return (
    <div className={styles.part}>
      <div className={styles.column}>
        {actions.map(({ id, title, about, Content }) => {
          const isOpen = search.act === id;
          return (
            <section key={id} className={styles.card}>
              <h3 className={styles.heading}>
                <button
                  type="button"
                  aria-expanded={isOpen}
                  onClick={() => {
                    setPreview(undefined);
                    note({ act: isOpen ? undefined : id });
                  }}
                >
                  <span>
                    {title(text)}
                    <small>{about(text)}</small>
                  </span>
                  <DownIcon />
                </button>
              </h3>
              {isOpen && (
                <div className={styles.content}>
                  <Content {...props} onPreview={setPreview} />
                </div>
              )}
            </section>
          );
        })}
      </div>
      <RouteMap
        className={styles.map}
        viewKey={`${route?.routeId}:${search.act}:${preview?.stops.length}:${preview?.track.length}`}
        jumps={preview?.jumps}
        track={preview?.track ?? route?.details.track ?? []}
        stops={stops ?? route?.stops ?? []}
      />
    </div>
  );
}

function numbered({ stops }: Preview) {
  const order = { FORWARD: 0, REVERSE: 0 };
  return stops.map((stop, index) => {
    const orderKey = order[stop.routeDirection];
    order[stop.routeDirection] += 1;
    return { ...stop, id: index + 1, orderKey };
  });
}
