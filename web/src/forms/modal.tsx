import { lazyComponent } from '../core/lazy-component.tsx';

/** A modal dialog. Mount it to open it; Esc, Back and a press outside call `onClose`. */
export const Modal = lazyComponent(
  async () => (await import('./controls/modal-panel.tsx')).ModalPanel,
);
