import type { ReactNode } from 'react';
import { OverPage } from '../../ui/over-page.tsx';
import styles from './video-modal.module.css';

interface VideoModalProps {
  label: string;
  onClose: () => void;
  children: ReactNode;
}

/** The selected fragment over a phone's screen; the page's keyboard shortcuts control its video. */
export function VideoModal(props: VideoModalProps) {
  return <OverPage {...props} look={styles.modal} hasPageKeys />;
}
