import type { AdminSection } from '@ridewatch/contract/admin-sections';
import { drawn, UserIcon } from '../../ui/icons.tsx';

const icons: Readonly<Record<AdminSection, () => React.ReactNode>> = {
  customers: drawn('M4 21V5l8-2v18M12 8h8v13M3 21h18M7 8h2M7 12h2M7 16h2M15 12h2M15 16h2'),
  users: UserIcon,
  keys: drawn('M8 11a4 4 0 1 0 0 8a4 4 0 0 0 0-8M11 12L20 3M16 7l3 3'),
  buses: drawn('M5 4h14v14H5zM5 12h14M5 18v2M19 18v2M8 15h.01M16 15h.01'),
  units: drawn('M7 7h10v10H7zM10 3v4M14 3v4M10 17v4M14 17v4M3 10h4M3 14h4M17 10h4M17 14h4'),
  unknown_units: drawn('M4 4h16v16H4zM9 10a3 3 0 1 1 4 3q-1 .4-1 1.5M12 17h.01'),
  upstreams: drawn('M4 17h6M4 12h10M4 7h6M14 17l5-5-5-5'),
  cameras: drawn('M3 7h12v10H3zM15 11l6-3v8l-6-3'),
  groups: drawn(
    'M6 16a2 2 0 1 0 0 4a2 2 0 0 0 0-4M18 4a2 2 0 1 0 0 4a2 2 0 0 0 0-4M8 18h6q4 0 4-4t-4-3h-4q-4 0-4-3t4-2h6',
  ),
  classifiers: drawn('M12 3a6 6 0 0 0-6 6q0 5 6 12q6-7 6-12a6 6 0 0 0-6-6M12 9h.01'),
  audit: drawn('M6 3h12v18H6zM9 8h6M9 12h6M9 16h4'),
  days: drawn('M4 5h16v16H4zM4 10h16M8 3v4M16 3v4M12 13v3M12 18h.01'),
  jobs: drawn('M20 12a8 8 0 1 1-3-6M20 3v5h-5'),
  storage: drawn('M4 6q0-3 8-3t8 3t-8 3t-8-3v12q0 3 8 3t8-3V6M4 12q0 3 8 3t8-3'),
  news: drawn('M4 5h13v14H6q-2 0-2-2zM17 9h3v8q0 2-2 2M7 9h7M7 13h7'),
  messages: drawn('M4 10v4h4l8 5V5L8 10zM19 9q2 3 0 6'),
};

/** The icon of a section in the menu. */
export function SectionIcon({ section }: { section: AdminSection }) {
  const Drawn = icons[section];
  return <Drawn />;
}
