import type { Bus } from '@ridewatch/contract/buses';
import { camerasInOrder } from '../../buses/order.ts';
import type { Texts } from '../../i18n/ru/catalogue.ts';
import type { BusFacts } from './bus-facts.ts';
import styles from './bus-parts.module.css';

interface CameraDotsProps {
  bus: Bus;
  facts: BusFacts;
  text: Texts;
}

/** A dot a camera: full online, a struck ring offline, an empty ring while the unit is silent. */
export function CameraDots({ bus, facts, text }: CameraDotsProps) {
  return camerasInOrder(bus).map((camera) => {
    const isOnline = camera.enabled || camera.status === 'online';
    const isFaulty = facts.figures?.offline_cameras.includes(camera.id) ?? false;
    const label = `${camera.name}: ${isOnline ? text.common.online : text.common.offline}`;
    return (
      <span
        key={camera.id}
        role="img"
        className={styles.camera}
        data-camera
        data-online={isOnline || undefined}
        data-faulty={(isFaulty && !isOnline) || undefined}
        title={label}
        aria-label={label}
      />
    );
  });
}
