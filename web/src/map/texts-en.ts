import type { MapTexts } from './texts-ru.ts';

/** English texts of the map of a fragment. */
export const en: MapTexts = {
  map: 'Map: arrows move it, plus and minus zoom',
  zoomIn: 'Zoom in',
  zoomOut: 'Zoom out',
  metres: 'm',
  kilometres: 'km',
  mapFailed: 'The map could not be loaded.',
  mapUnable: 'This browser cannot draw a map: it has no WebGL\u00a02.',
  mapWaits: 'The map is loading…',
  busThen: (time) => `The bus at ${time}`,
  noPlace: 'Where the bus was at this time is not known.',
  trackFailed: 'The track of the bus could not be loaded.',
};
