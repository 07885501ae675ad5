import { recalculateCalculation } from '@ridewatch/contract/calculation';
import { useState } from 'react';
import { useBusPage } from '../../bus-page/use-bus-page.ts';
import { useAction } from '../../calls/api.ts';
import { saveFile } from '../../charts/save-chart.ts';
import { lazyComponent } from '../../core/lazy-component.tsx';
import { useSession } from '../../core/session.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { DownloadIcon, drawn } from '../../ui/icons.tsx';
import { showToast } from '../../ui/toast-store.ts';
import { useLock } from '../../ui/use-lock.ts';
import { refreshCalculated } from './cached-calculation.ts';
import styles from './calculator-actions.module.css';
import { exportTable } from './export-table.ts';
import type { Calculator } from './use-calculator.ts';
import { useCalculatorText } from './use-calculator-text.ts';

const GroupDialog = lazyComponent(async () => (await import('./group-dialog.tsx')).GroupDialog);
const AgainIcon = drawn('M20 11a8 8 0 1 0-2 6M20 5v6h-6');

/** Offers what can be done with the calculation as a whole. */
export function CalculatorActions({ calculator }: { calculator: Calculator }) {
  const text = useCalculatorText();
  const { info, today } = useBusPage();
  const locked = useLock();
  const mayEdit = useSession()?.user.can_edit === true;
  const [isGroupOpen, setGroupOpen] = useState(false);
  const { calculation, parts, zone } = calculator;
  const recalculate = useAction(recalculateCalculation, {
    onSuccess: () => {
      refreshCalculated(calculation, false);
      showToast({ kind: 'done', text: text.recalculating });
    },
  });
  const save = () => {
    if (!parts.data) return;
    const table = exportTable(parts.data, { busName: info.name, zone, text });
    const name = `${info.name} ${calculation.date}.csv`;
    saveFile(new Blob([table], { type: 'text/csv;charset=utf-8' }), name);
  };
  return (
    <div className={styles.actions}>
      {mayEdit && info.group && (
        <Button locked={locked} onClick={() => setGroupOpen(true)}>
          {text.group}
        </Button>
      )}
      {mayEdit && (
        <IconButton
          label={text.recalculate}
          locked={locked}
          aria-busy={recalculate.isPending || undefined}
          disabled={recalculate.isPending}
          onClick={() =>
            recalculate.mutate({
              body: { workplace_id: calculation.workplace_id, date: calculation.date },
            })
          }
        >
          <AgainIcon />
        </IconButton>
      )}
      <IconButton label={text.export} disabled={!parts.data} onClick={save}>
        <DownloadIcon />
      </IconButton>
      {isGroupOpen && info.group && (
        <GroupDialog
          route={info.group}
          calculation={calculation}
          today={today}
          onClose={() => setGroupOpen(false)}
        />
      )}
    </div>
  );
}
