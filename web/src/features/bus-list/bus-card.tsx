import type { Bus, Camera } from '@ridewatch/contract/buses';
import type { RouteGroup } from '@ridewatch/contract/groups';
import { Link } from '@tanstack/react-router';
import { memo } from 'react';
import { camerasInOrder } from '../../buses/order.ts';
import { useText } from '../../i18n/language.ts';
import { Ago } from '../../ui/ago.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import styles from './bus-card.module.css';
import { GroupMenu } from './group-menu.tsx';

interface BusCardProps {
  bus: Bus;
  isAdmin: boolean;
  /** The groups of the bus's first customer, once known. */
  groups: readonly RouteGroup[] | undefined;
}

/** One bus: its name, its cameras, when its unit last spoke; the device id and the group menu for administrators. */
export const BusCard = memo(function BusCard({ bus, isAdmin, groups }: BusCardProps) {
  const text = useText();
  return (
    <article className={styles.card}>
      <div className={styles.head}>
        <Link to="/bus/$busId" params={{ busId: String(bus.id) }} className={styles.name}>
          {bus.name}
        </Link>
        <span className={styles.cameras}>
          {camerasInOrder(bus).map((camera) => (
            <CameraDot key={camera.id} camera={camera} />
          ))}
        </span>
      </div>
      <p className={styles.spoke}>
        {bus.last_seen_at ? <Ago moment={bus.last_seen_at} /> : text.busList.never}
      </p>
      {isAdmin && (
        <div className={styles.admin}>
          {bus.group_device_id && (
            <>
              <span className={styles.rid}>rid {bus.group_device_id}</span>
              <CopyButton value={bus.group_device_id} />
            </>
          )}
          <span className={styles.menu}>{groups && <GroupMenu bus={bus} groups={groups} />}</span>
        </div>
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
