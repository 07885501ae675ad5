import type { Bus, Camera } from '@ridewatch/contract/buses';
import { memo } from 'react';
import { camerasInOrder } from '../../buses/order.ts';
import { useText } from '../../i18n/language.ts';
import { Ago } from '../../ui/ago.tsx';
import { CopyIcon, DoneIcon } from '../../ui/icons.tsx';
import styles from './bus-card.module.css';
import { useListText } from './use-list-text.ts';

interface BusCardProps {
  bus: Bus;
  isAdmin: boolean;
  /** The device id has just been copied. */
  isCopied: boolean;
  /** There is more than one group to move the bus to. */
  canMove: boolean;
}

/** One bus: its name, its cameras, when its unit last spoke; the device id and the group menu for administrators. */
// A key in the search draws a screen full of these: few elements, nothing that listens (see use-card-actions.ts).
export const BusCard = memo(function BusCard({ bus, isAdmin, isCopied, canMove }: BusCardProps) {
  const text = useText();
  const own = useListText();
  const rid = isAdmin ? bus.group_device_id : undefined;
  const copyLabel = isCopied ? text.common.copied : `${text.common.copy} ${rid}`;
  return (
    <article className={styles.card}>
      <a href={`/bus/${bus.id}`} className={styles.name}>
        {bus.name}
      </a>
      <span className={styles.cameras}>
        {camerasInOrder(bus).map((camera) => (
          <CameraDot key={camera.id} camera={camera} />
        ))}
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

function CameraDot({ camera }: { camera: Camera }) {
  const text = useText().common;
  const isOnline = camera.enabled || camera.status === 'online';
  const label = `${camera.name}: ${isOnline ? text.online : text.offline}`;
  return (
    <span
      role="img"
      className={styles.dot}
      data-online={isOnline || undefined}
      title={label}
      aria-label={label}
    />
  );
}
