const icon = (path: string) => () => (
  <svg width="18" height="18" viewBox="0 0 24 24" fill="currentColor" aria-hidden="true">
    <path d={path} />
  </svg>
);

export const PlayIcon = icon('M7 4.5v15l12.5-7.5z');
export const PauseIcon = icon('M6 5h4v14H6zM14 5h4v14h-4z');
export const FullscreenIcon = icon(
  'M4 4h6v2H6v4H4zM14 4h6v6h-2V6h-4zM4 14h2v4h4v2H4zM18 14h2v6h-6v-2h4z',
);
export const SoundOffIcon = icon(
  'M4 9v6h4l5 4V5L8 9zM15.5 9l6 6m0-6l-6 6M16.6 8.4l5 5-1.2 1.2-5-5zM21.6 9.6l-5 5-1.2-1.2 5-5z',
);
