import { listBuses } from '@ridewatch/contract/buses';
import { setGroup, type UNGROUPED } from '@ridewatch/contract/groups';
import { keyOf, queryClient, useAction } from '../../api.ts';
import styles from './group-menu.module.css';

interface GroupTargetsProps {
  busId: number;
  targets: readonly { id: number | typeof UNGROUPED; label: string }[];
  onDone: () => void;
}

/** Where a bus can be moved; the list reloads afterwards. */
export function GroupTargets({ busId, targets, onDone }: GroupTargetsProps) {
  const move = useAction(setGroup, {
    onSuccess: () => queryClient.invalidateQueries({ queryKey: keyOf(listBuses, {}) }),
    onSettled: onDone,
  });
  return (
    <div className={styles.targets}>
      {targets.map((target) => (
        <button
          key={target.id}
          type="button"
          disabled={move.isPending}
          onClick={() => move.mutate({ body: { groupId: target.id, workplaceId: busId } })}
        >
          {target.label}
        </button>
      ))}
    </div>
  );
}
