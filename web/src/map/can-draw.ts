let isKnown: boolean | undefined;

/** Whether the browser has WebGL 2; without it a retry does not help. Asked once: a context takes long to make. */
export function canDrawMaps(): boolean {
  isKnown ??= hasContext();
  return isKnown;
}

function hasContext(): boolean {
  const context = document.createElement('canvas').getContext('webgl2');
  // Browsers limit the number of contexts.
  context?.getExtension('WEBGL_lose_context')?.loseContext();
  return context !== null;
}
