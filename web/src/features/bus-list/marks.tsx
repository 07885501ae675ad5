import type { BusState } from '@ridewatch/contract/buses';
import { drawn } from '../../ui/icons.tsx';
import type { Mark } from './bus-facts.ts';
import './marks.css';
import type { ListTexts } from './texts-ru.ts';

/** The icons of the states: an arrow, a pause, a broken line. */
export const stateIcons: Readonly<Record<BusState, () => React.JSX.Element>> = {
  moving: drawn('M19 4L4 12l7 1l1 7z'),
  standing: drawn('M9 6v12M15 6v12'),
  silent: drawn('M3 15l5-5l2 2M14 12l2 2l5-5M5 4l14 16'),
};
export const AttentionIcon = drawn('M12 4L3 20h18zM12 10v4M12 17h.01');

/** What somebody should look at, the gravest first. */
export function Marks({ marks, own }: { marks: readonly Mark[]; own: ListTexts }) {
  return marks.map((mark) => {
    const said = textOf(mark, own.marks);
    return (
      <span key={mark.kind} className="mark-mark" data-level={mark.level} title={said}>
        {mark.level !== 'note' && <AttentionIcon />}
        <span>{said}</span>
      </span>
    );
  });
}

function textOf(mark: Mark, texts: ListTexts['marks']): string {
  switch (mark.kind) {
    case 'silent':
    case 'lost':
      return texts[mark.kind];
    case 'camera':
      return texts.camera(mark.name, mark.more);
    case 'full':
    case 'imbalance':
      return texts[mark.kind](mark.percent);
    default:
      return texts[mark.kind](mark.count);
  }
}
