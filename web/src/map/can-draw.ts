/** Whether the browser can draw maps at all: without WebGL 2 trying again does not help. */
export function canDrawMaps(): boolean {
  const context = document.createElement('canvas').getContext('webgl2');
  // Browsers keep a few contexts at a time.
  context?.getExtension('WEBGL_lose_context')?.loseContext();
  return context !== null;
}
