import { findRetention, setRetention } from '@ridewatch/contract/retention';
import { useState } from 'react';
import { useEndpoint } from '../../calls/api.ts';
import { call } from '../../calls/request.ts';
import { useText } from '../../i18n/language.ts';
import { FailedRead } from '../../page/failed-read.tsx';
import { Button } from '../../ui/button.tsx';
import { DrawerPart, Facts } from './drawer-part.tsx';
import { EditForm } from './edit-form.tsx';
import { isGone } from './is-gone.ts';
import { callOfRow } from './row-calls.ts';
import type { AdminContext } from './section.ts';
import { isToldByForm } from './section-form.ts';
import { useAdminText } from './use-admin-text.ts';

/** Most days of retention. */
const MOST_DAYS = 36_500;

const keys = ['video_days', 'files_days', 'positions_days'] as const;

/** How long the video, files and positions of a customer are kept. */
export function RetentionPart({ id, context }: { id: number; context: AdminContext }) {
  const { retention } = useAdminText();
  const { save } = useText().common;
  const [isEditing, setEditing] = useState(false);
  const params = { clientId: id };
  // The drawer tells of a customer that is gone.
  const answer = useEndpoint(findRetention, { params }, { isQuiet: isGone });
  const stored = answer.data;
  if (stored === undefined) return <FailedRead answer={answer} what={retention.title} />;
  const close = () => setEditing(false);
  if (!isEditing) {
    return (
      <DrawerPart
        title={retention.title}
        tool={<Button onClick={() => setEditing(true)}>{retention.change}</Button>}
      >
        <Facts
          facts={keys.map((key) => [
            retention[key],
            stored[key] ?? retention.hint(stored.defaults[key]),
          ])}
        />
      </DrawerPart>
    );
  }
  return (
    <DrawerPart title={retention.title}>
      <EditForm
        form={{
          fields: keys.map((key) => ({
            ...{ key, kind: 'whole', label: retention[key], least: 1, most: MOST_DAYS },
            hint: retention.hint(stored.defaults[key]),
          })),
          values: Object.fromEntries(keys.map((key) => [key, `${stored[key] ?? ''}`])),
          save: async (changed, seen) => {
            const body = { ...changed, seen };
            await callOfRow(
              (isQuiet) => call(setRetention, { params, body, isQuiet }),
              isToldByForm,
            );
            return id;
          },
        }}
        today={context.today}
        label={save}
        onSaved={close}
        onCancel={close}
      />
    </DrawerPart>
  );
}
