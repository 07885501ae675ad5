import type { Bus } from '@ridewatch/contract/buses';
import { type RouteGroup, UNGROUPED } from '@ridewatch/contract/groups';
import { lazy, Suspense } from 'react';
import { useText } from '../../i18n/language.ts';
import { MoreIcon } from '../../ui/icons.tsx';
import { Popover } from '../../ui/popover.tsx';
import styles from './group-menu.module.css';

const GroupTargets = lazy(async () => ({
  default: (await import('./group-targets.tsx')).GroupTargets,
}));

interface GroupMenuProps {
  bus: Bus;
  /** The groups of the bus's first customer. */
  groups: readonly RouteGroup[];
}

/** Moves a bus to another group or out of its group; there only when more than one target is. */
export function GroupMenu({ bus, groups }: GroupMenuProps) {
  const text = useText().busList;
  const targets: { id: number | typeof UNGROUPED; label: string }[] = groups
    .filter((group) => !group.deleted && group.id !== bus.group?.id)
    .map((group) => ({ id: group.id, label: text.moveTo(group.name) }));
  if (bus.group) targets.push({ id: UNGROUPED, label: text.removeFromGroup });
  if (targets.length <= 1) return null;
  return (
    <Popover label={text.move(bus.name)} button={<MoreIcon />} buttonClass={styles.button}>
      {(close) => (
        <Suspense>
          <GroupTargets busId={bus.id} targets={targets} onDone={close} />
        </Suspense>
      )}
    </Popover>
  );
}
