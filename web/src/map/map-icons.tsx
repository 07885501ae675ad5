const icon = (path: string) => () => (
  <svg
    width="18"
    height="18"
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    strokeWidth="2"
    strokeLinecap="round"
    aria-hidden="true"
  >
    <path d={path} />
  </svg>
);

export const PlusIcon = icon('M12 5v14M5 12h14');
export const MinusIcon = icon('M5 12h14');
