import type { Bus, Camera } from '@ridewatch/contract/buses';
import { memo } from 'react';
import { camerasInOrder } from '../../buses/order.ts';
import type { Texts } from '../../i18n/ru/catalogue.ts';
import { Ago } from '../../ui/ago.tsx';
import { CopyIcon, DoneIcon } from '../../ui/icons.tsx';
import styles from './bus-card.module.css';
import type { ListTexts } from './texts-ru.ts';

interface BusCardProps {
  bus: Bus;
  text: Texts;
  own: ListTexts;
  isAdmin: boolean;
  /** The device id has just been copied. */
  isCopied: boolean;
  /** There is more than one target for a move. */
  canMove: boolean;
}

/**
 * A bus: its name, its cameras, the last contact of its unit; for administrators also the device id and the menu of
 * routes.
 */
// Each key in the search renders a screen full of cards, so a card has few elements and no listeners (see
// use-card-actions.ts), and gets its texts from the list.
export const BusCard = memo(function BusCard(props: BusCardProps) {
  const { bus, text, own, isAdmin, isCopied, canMove } = props;
  const rid = isAdmin ? bus.group_device_id : undefined;
  const copyLabel = isCopied ? text.common.copied : `${text.common.copy} ${rid}`;
  return (
    <article className={styles.card}>
      <a href={`/bus/${bus.id}`} className={styles.name}>
        {bus.name}
      </a>
      <span className={styles.cameras}>
        {camerasInOrder(bus).map((camera) => cameraDot(camera, text))}
      </span>
      <p className={styles.spoke}>
        {bus.last_seen_at ? <Ago moment={bus.last_seen_at} /> : own.never}
      </p>
      {rid && (
        <button type="button" className={styles.rid} data-rid={rid} title={copyLabel}>
          rid {rid}
          {isCopied ? <DoneIcon /> : <CopyIcon />}
        </button>
      )}
      {canMove && (
        <button
          type="button"
          className={styles.menu}
          data-move={bus.id}
          aria-haspopup="dialog"
          aria-label={own.move(bus.name)}
          title={own.move(bus.name)}
        />
      )}
    </article>
  );
});

function cameraDot(camera: Camera, { common: text }: Texts) {
  const isOnline = camera.enabled || camera.status === 'online';
  const label = `${camera.name}: ${isOnline ? text.online : text.offline}`;
  return (
    <span
      key={camera.id}
      role="img"
      className={styles.dot}
      data-online={isOnline || undefined}
      title={label}
      aria-label={label}
    />
  );
}
