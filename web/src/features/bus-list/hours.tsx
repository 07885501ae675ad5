import './bus-parts.css';

const DAY_HOURS = 24;
const HEIGHT = 10;

interface HoursProps {
  /** People by hour of the day. */
  hours: readonly number[];
  /** Of a sum: grey. */
  isSum?: boolean;
}

/** The people of a day as bars by hour, the last one darker; each bus has its own scale. */
export function Hours({ hours, isSum = false }: HoursProps) {
  const most = Math.max(5, ...hours);
  const bar = (people: number, hour: number) => {
    if (people <= 0) return '';
    const height = Math.max(0.8, (people / most) * HEIGHT);
    return `M${hour + 0.1} ${HEIGHT}v-${height.toFixed(2)}h.8v${height.toFixed(2)}z`;
  };
  const last = hours.length - 1;
  return (
    <svg
      className="part-hours"
      viewBox={`0 0 ${Math.max(DAY_HOURS, hours.length)} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
      data-sum={isSum || undefined}
    >
      <path d={hours.slice(0, last).map(bar).join('')} />
      {last >= 0 && <path className="part-last-hour" d={bar(hours[last] ?? 0, last)} />}
    </svg>
  );
}
