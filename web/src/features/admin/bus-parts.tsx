import { type AdminBus, updateBus } from '@ridewatch/contract/admin-buses';
import { lazyComponent } from '../../core/lazy-component.tsx';
import { Button } from '../../ui/button.tsx';
import { useLock } from '../../ui/use-lock.ts';
import { stateOfCamera } from './bus-link.tsx';
import { SettingsPart } from './bus-settings.tsx';
import { DrawerPart } from './drawer-part.tsx';
import { useRowAction } from './row-calls.ts';
import { RowLink } from './rows-table.tsx';
import type { AdminContext } from './section.ts';
import { Sure } from './sure.tsx';
import { useAdminText } from './use-admin-text.ts';
import { readAgain } from './use-rows.ts';

interface PartProps {
  row: AdminBus;
  context: AdminContext;
}

/** The parts of a bus's drawer: what is valid from a day, unit and cameras, what happened last. */
export function BusParts({ row, context }: PartProps) {
  const text = useAdminText();
  const { unit, cameras } = row;
  return (
    <>
      <SettingsPart key={row.id} {...{ row, context }} />
      <OwnersPart busId={row.id} />
      <DrawerPart title={text.fields.unit}>
        {unit ? (
          <>
            <RowLinkLine name="units" id={unit.id}>
              {unit.device_id}
            </RowLinkLine>
            <UnitFacts unitId={unit.id} context={context} />
          </>
        ) : (
          text.states.none
        )}
      </DrawerPart>
      <DrawerPart title={`${text.fields.cameras} ${cameras.length}`}>
        {cameras.map((camera) => (
          <RowLinkLine
            key={camera.id}
            name="cameras"
            id={camera.id}
            note={text.cameraStates[stateOfCamera(camera, row)]}
          >
            {camera.name}
          </RowLinkLine>
        ))}
      </DrawerPart>
      {unit && <HappeningsPart busId={row.id} />}
    </>
  );
}

const HappeningsPart = lazyComponent(async () => (await import('./happenings.tsx')).HappeningsPart);

const OwnersPart = lazyComponent(async () => (await import('./bus-owners.tsx')).OwnersPart);

const UnitFacts = lazyComponent(async () => (await import('./bus-unit.tsx')).UnitFacts);

interface RowLinkLineProps {
  name: string;
  id: number;
  note?: string;
  children: string;
}

function RowLinkLine({ name, id, note, children }: RowLinkLineProps) {
  return (
    <p
      style={{
        position: 'relative',
        display: 'flex',
        gap: 12,
        minHeight: 32,
        alignItems: 'center',
      }}
    >
      <RowLink {...{ name, id }}>{children}</RowLink>
      {note !== undefined && <small>{note}</small>}
    </p>
  );
}

/** Takes a bus out of the fleet, or back into it. */
export function RetireBus({ row }: Pick<PartProps, 'row'>) {
  const text = useAdminText();
  const locked = useLock();
  const action = useRowAction(updateBus, { onSettled: () => readAgain() });
  const retired = row.retired_at === null;
  const change = () => action.mutate({ params: { busId: row.id }, body: { retired } });
  return retired ? (
    <Sure label={text.retire} text={text.retireText} isBusy={action.isPending} onSure={change} />
  ) : (
    <Button locked={locked} isBusy={action.isPending} onClick={change}>
      {text.giveBack}
    </Button>
  );
}
