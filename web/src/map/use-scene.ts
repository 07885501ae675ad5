import { publicSettings } from '@ridewatch/contract/auth';
import { useEffect, useEffectEvent, useImperativeHandle, useRef, useState } from 'react';
import { useEndpoint } from '../calls/api.ts';
import { canDrawMaps } from './can-draw.ts';
import type { MapPlace, MapVehicle, MapViewProps } from './map-parts.ts';
import type { Scene } from './scene.ts';

const NO_TAIL: readonly MapPlace[] = [];
const loadScene = () => import('./scene.ts');

/** Loads what every map needs beside the data of a screen that still reads what its map shows. */
export function usePreparedMap(): void {
  useSettings();
  useEffect(() => {
    // The page goes on: its map loads the code again, and offers another try.
    if (canDrawMaps()) loadScene().then(({ prepareScenes }) => prepareScenes(), reportError);
  }, []);
}

const useSettings = () => useEndpoint(publicSettings, {}, { staleTime: Infinity });

/** Loads the code that draws maps, and applies the properties to the map. */
export function useScene(props: MapViewProps) {
  const { ref, lines, marks, chosenId, look, tail = NO_TAIL, follows = false } = props;
  const vehicle = useRef<MapVehicle | null>(null);
  const fleet = useRef<Parameters<Scene['setFleet']>>(undefined);
  const { place, scene, ...loading } = useLoadedScene(props);
  useImperativeHandle(ref, () => ({
    setVehicle(next) {
      vehicle.current = next;
      scene?.setVehicle(next);
    },
    setFleet(...next) {
      fleet.current = next;
      scene?.setFleet(...next);
    },
  }));
  useEffect(() => scene?.setLines(lines), [scene, lines]);
  useEffect(() => scene?.setTail(tail), [scene, tail]);
  useEffect(() => scene?.setMarks(marks, chosenId), [scene, marks, chosenId]);
  useEffect(() => scene?.setVehicle(vehicle.current), [scene]);
  useEffect(() => {
    if (fleet.current) scene?.setFleet(...fleet.current);
  }, [scene]);
  useEffect(() => scene?.follow(follows), [scene, follows]);
  const lookedAt = useRef<Scene>(undefined);
  const goThere = useEffectEvent((on: Scene, _key: string) => {
    const [first] = look.places;
    if (first === undefined) return;
    // The first places are shown at once: a flight to them would begin anywhere, and a press would stop it on its way.
    const isFirst = lookedAt.current !== on;
    lookedAt.current = on;
    if (look.zoom !== undefined) on.flyTo(first, look.zoom, !isFirst);
    else on.fit(look.places, !isFirst);
  });
  useEffect(() => {
    if (scene) goThere(scene, look.key);
  }, [scene, look.key]);
  return { place, scene, ...loading };
}

function useLoadedScene(props: MapViewProps) {
  const { names, look, lines } = props;
  const place = useRef<HTMLDivElement>(null);
  const [scene, setScene] = useState<Scene | null>(null);
  const [canDraw] = useState(canDrawMaps);
  const [hasFailed, setFailed] = useState(false);
  const [attempt, setAttempt] = useState(0);
  const settings = useSettings();
  const isSettled = !settings.isPending;
  const pick = useEffectEvent((id: string) => props.onPick?.(id));
  const pickBuses = useEffectEvent((ids: readonly number[]) => props.onPickBuses?.(ids));
  const move = useEffectEvent((id: string, to: MapPlace) => props.onMove?.(id, to));
  const ground = useEffectEvent((at: MapPlace) => props.onGround?.(at));
  const grab = useEffectEvent(() => props.onGrab?.());
  const make = useEffectEvent(async (isWanted: () => boolean) => {
    const { createScene } = await loadScene();
    if (!place.current || !isWanted()) return undefined;
    return createScene({
      container: place.current,
      settings: settings.data,
      ...{ lines, look },
      names: { title: names.map, metres: names.metres, kilometres: names.kilometres },
      onPick: (id) => pick(id),
      onPickBuses: (ids) => pickBuses(ids),
      onMove: (id, to) => move(id, to),
      onGround: (at) => ground(at),
      onGrab: () => grab(),
    });
  });
  useEffect(() => {
    if (!isSettled || !canDraw) return;
    let isWanted = true;
    let made: Scene | undefined;
    make(() => isWanted && attempt >= 0).then(
      (next) => {
        if (!isWanted) return next?.remove();
        made = next;
        if (next) setScene(next);
      },
      (error: unknown) => {
        // If the code does not load, the page works without a map.
        reportError(error);
        setFailed(true);
      },
    );
    return () => {
      isWanted = false;
      made?.remove();
      setScene(null);
    };
  }, [isSettled, canDraw, attempt]);
  return {
    place,
    scene,
    canDraw,
    hasFailed,
    tryAgain: () => {
      setFailed(false);
      setAttempt(attempt + 1);
    },
  };
}
