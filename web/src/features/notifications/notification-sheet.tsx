import { useText } from '../../i18n/language.ts';
import { SlideUp } from '../../ui/slide-up.tsx';
import { NotificationPanel } from './notification-panel.tsx';

/** The notifications on a phone. */
export function NotificationSheet({ onClose }: { onClose: () => void }) {
  return (
    <SlideUp label={useText().common.notifications} onClose={onClose}>
      <NotificationPanel onLeave={onClose} />
    </SlideUp>
  );
}
