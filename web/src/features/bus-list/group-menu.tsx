import { type Bus, listBuses } from '@ridewatch/contract/buses';
import { listClientGroups, setGroup, UNGROUPED } from '@ridewatch/contract/groups';
import { useQueryClient } from '@tanstack/react-query';
import { keyOf, useAction, useEndpoint } from '../../api.ts';
import { useText } from '../../i18n/language.ts';
import { MoreIcon } from '../../ui/icons.tsx';
import { Popover } from '../../ui/popover.tsx';
import styles from './group-menu.module.css';

const KEPT_MS = 60_000;

/** Moves a bus to another group of its first customer or out of its group; there only when more than one target is. */
export function GroupMenu({ bus }: { bus: Bus }) {
  const text = useText().busList;
  const cache = useQueryClient();
  const customerId = bus.clients[0];
  const groups = useEndpoint(
    listClientGroups,
    { params: { customerId: customerId ?? 0 } },
    { enabled: customerId !== undefined, staleTime: KEPT_MS },
  ).data;
  const move = useAction(setGroup, {
    onSuccess: () => cache.invalidateQueries({ queryKey: keyOf(listBuses, {}) }),
  });
  const targets: { id: number | typeof UNGROUPED; label: string }[] = (groups?.items ?? [])
    .filter((group) => !group.deleted && group.id !== bus.group?.id)
    .map((group) => ({ id: group.id, label: text.moveTo(group.name) }));
  if (bus.group) targets.push({ id: UNGROUPED, label: text.removeFromGroup });
  if (targets.length <= 1) return null;
  return (
    <Popover label={text.move(bus.name)} button={<MoreIcon />} buttonClass={styles.button}>
      {(close) => (
        <div className={styles.targets}>
          {targets.map((target) => (
            <button
              key={target.id}
              type="button"
              disabled={move.isPending}
              onClick={() => {
                close();
                move.mutate({ body: { groupId: target.id, workplaceId: bus.id } });
              }}
            >
              {target.label}
            </button>
          ))}
        </div>
      )}
    </Popover>
  );
}
