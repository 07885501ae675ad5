import { type MapLibreMap, Marker } from 'maplibre-gl';
import { isByKey } from '../ui/last-input.ts';
import styles from './map.module.css';
import type { MapMark, MapPlace } from './map-parts.ts';
import { boxBeside, type MapBox, type NoteBox, notesWithRoom } from './room-for-notes.ts';

const CHOSEN_WEIGHT = Number.MAX_SAFE_INTEGER;
/** A mark nearer to an edge of the map is not whole. */
const EDGE_PX = 16;
const COME_MS = 200;

interface Shown {
  readonly marker: Marker;
  readonly button: HTMLButtonElement;
  readonly note: HTMLSpanElement | undefined;
  readonly mark: MapMark;
  notePx: number;
}

/** The marks of a map: buttons with notes beside them if there is room. */
export interface Marks {
  set(marks: readonly MapMark[], chosenId: string | undefined): void;
  remove(): void;
}

/**
 * Makes the marks of a map. Together they are one stop of the Tab key; arrows move between marks.
 * @param onPick a mark was selected
 * @param onMove a movable mark was dragged to another place
 */
export function createMarks(
  map: MapLibreMap,
  onPick: (id: string) => void,
  onMove: (id: string, to: MapPlace) => void,
): Marks {
  let shown: Shown[] = [];
  let given: readonly MapMark[] = [];
  let chosen: string | undefined;
  let waiting = 0;

  const arrange = () => {
    waiting = 0;
    const container = map.getContainer();
    const covers = coversOf(container);
    const boxes = shown.flatMap(({ mark, note, notePx }): NoteBox[] => {
      if (!note) return [];
      const at = map.project([mark.longitude, mark.latitude]);
      const box = boxBeside(at, notePx, container.clientWidth, covers);
      if (!box) return [];
      note.dataset.side = box.side;
      const weight = mark.id === chosen ? CHOSEN_WEIGHT : mark.weight;
      return [{ ...box, id: mark.id, weight }];
    });
    const roomy = notesWithRoom(boxes);
    for (const { note, mark } of shown) {
      if (note) note.hidden = !roomy.has(mark.id);
    }
  };
  const arrangeSoon = () => {
    waiting ||= requestAnimationFrame(arrange);
  };
  map.on('move', arrangeSoon);

  const step = (from: Shown, by: 1 | -1) => {
    const next = shown[(shown.indexOf(from) + by + shown.length) % shown.length];
    if (!next) return;
    setTabStop(next);
    next.button.focus();
  };
  const setTabStop = (one: Shown | undefined) => {
    for (const { button } of shown) button.tabIndex = button === one?.button ? 0 : -1;
  };

  // The focus would be out of view once the map is zoomed. A mark under a pointer stays there.
  const bringIntoView = ({ longitude, latitude }: MapMark) => {
    if (!isByKey()) return;
    const container = map.getContainer();
    const { clientWidth, clientHeight } = container;
    const { x, y } = map.project([longitude, latitude]);
    const isWithin =
      Math.min(x, clientWidth - x) >= EDGE_PX && Math.min(y, clientHeight - y) >= EDGE_PX;
    const isCovered = coversOf(container).some(
      ({ leftPx, topPx, widthPx, heightPx }) =>
        x > leftPx && x < leftPx + widthPx && y > topPx && y < topPx + heightPx,
    );
    if (!isWithin || isCovered) map.easeTo({ center: [longitude, latitude], duration: COME_MS });
  };

  const place = (mark: MapMark): Shown => {
    const { button, note } = buttonOf(mark);
    const marker = new Marker({ element: button, draggable: mark.isMovable === true });
    marker.setLngLat([mark.longitude, mark.latitude]);
    marker.on('dragend', () => {
      const { lat, lng } = marker.getLngLat();
      onMove(mark.id, { latitude: lat, longitude: lng });
    });
    const one: Shown = { marker, button, note, mark, notePx: 0 };
    button.addEventListener('click', (event) => {
      // Otherwise the map would treat it as a click on the ground.
      event.stopPropagation();
      setTabStop(one);
      onPick(mark.id);
    });
    button.addEventListener('focus', () => bringIntoView(mark));
    button.addEventListener('keydown', (event) => {
      const by = stepOf(event.code);
      if (by === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      step(one, by);
    });
    marker.addTo(map);
    one.notePx = note?.offsetWidth ?? 0;
    return one;
  };

  return {
    set(marks, chosenId) {
      if (marks !== given) {
        const focused = shown.find(({ button }) => button === document.activeElement)?.mark.id;
        for (const { marker } of shown) marker.remove();
        shown = marks.map(place);
        given = marks;
        shown.find(({ mark }) => mark.id === focused)?.button.focus();
      }
      chosen = chosenId;
      for (const { button, mark } of shown) {
        button.toggleAttribute('data-chosen', mark.id === chosen);
        button.setAttribute('aria-pressed', String(mark.id === chosen));
      }
      setTabStop(shown.find(({ mark }) => mark.id === chosen) ?? shown[0]);
      arrange();
    },
    remove() {
      cancelAnimationFrame(waiting);
      map.off('move', arrangeSoon);
      for (const { marker } of shown) marker.remove();
    },
  };
}

// The buttons and notes over the map, below which a note would be cut.
function coversOf(container: HTMLElement): MapBox[] {
  const { left, top } = container.getBoundingClientRect();
  const covers = container.parentElement?.querySelectorAll('[data-over-map]') ?? [];
  return Array.from(covers, (cover) => {
    const box = cover.getBoundingClientRect();
    return {
      leftPx: box.left - left,
      topPx: box.top - top,
      widthPx: box.width,
      heightPx: box.height,
    };
  });
}

function stepOf(code: string): 1 | -1 | undefined {
  if (code === 'ArrowRight' || code === 'ArrowDown') return 1;
  if (code === 'ArrowLeft' || code === 'ArrowUp') return -1;
  return undefined;
}

function buttonOf(mark: MapMark): { button: HTMLButtonElement; note: HTMLSpanElement | undefined } {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = styles.mark ?? '';
  button.dataset.shape = mark.shape;
  button.toggleAttribute('data-movable', mark.isMovable === true);
  button.setAttribute('aria-label', mark.name);
  button.title = mark.name;
  if (mark.notes.length === 0) return { button, note: undefined };
  const note = document.createElement('span');
  note.className = styles.note ?? '';
  note.ariaHidden = 'true';
  for (const { text, tone } of mark.notes) {
    const part = document.createElement('span');
    part.dataset.tone = tone;
    part.textContent = text;
    note.append(part);
  }
  button.append(note);
  return { button, note };
}
