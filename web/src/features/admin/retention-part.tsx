import { findRetention, setRetention } from '@ridewatch/contract/retention';
import { useEndpoint } from '../../calls/api.ts';
import { call } from '../../calls/request.ts';
import { useText } from '../../i18n/language.ts';
import { FailedRead } from '../../page/failed-read.tsx';
import { DrawerPart } from './drawer-part.tsx';
import { EditForm } from './edit-form.tsx';
import type { AdminContext } from './section.ts';
import { isToldByForm } from './section-form.ts';
import { useAdminText } from './use-admin-text.ts';

/** Most days of retention. */
const MOST_DAYS = 36_500;

/** How long the video, files and positions of a customer are kept. */
export function RetentionPart({ id, context }: { id: number; context: AdminContext }) {
  const { retention } = useAdminText();
  const { save } = useText().common;
  const params = { clientId: id };
  const answer = useEndpoint(findRetention, { params });
  const stored = answer.data;
  if (stored === undefined) return <FailedRead answer={answer} what={retention.title} />;
  const keys = ['video_days', 'files_days', 'positions_days'] as const;
  const shown = JSON.stringify(keys.map((key) => stored[key]));
  return (
    <DrawerPart title={retention.title}>
      <EditForm
        key={shown}
        form={{
          fields: keys.map((key) => ({
            ...{ key, kind: 'whole', label: retention[key], least: 1, most: MOST_DAYS },
            hint: retention.hint(stored.defaults[key]),
          })),
          values: Object.fromEntries(keys.map((key) => [key, `${stored[key] ?? ''}`])),
          save: async (changed, seen) => {
            const body = { ...changed, seen };
            await call(setRetention, { params, body, isQuiet: isToldByForm });
            return id;
          },
        }}
        today={context.today}
        label={save}
        onSaved={() => undefined}
      />
    </DrawerPart>
  );
}
